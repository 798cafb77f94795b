"""Which dicts are states of Shah, by the naive reference: every demand that the rule book makes of one.

A dict is broken when no game by the rule book can come to it for a reason that can be read off it: a stone too
many, a turn that does not fit the stones in hand, a removal without a mill, a player who cannot act. How many
turns a game must have had to lose so many stones is not asked: positions made by hand are meant to be accepted.
"""

from __future__ import annotations

from typing import Any

from games.shah.reference import ReferenceShah, State, in_mill, points_of

KEYS = {
    "phase",
    "player",
    "board",
    "hand",
    "beginner",
    "opening_removals",
    "extra",
    "lifted",
    "no_capture",
    "turn",
    "winner",
}


def is_int(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def shape_fault(ref: ReferenceShah, d: Any) -> str | None:
    """What is wrong with keys, types and ranges, the first of several."""
    pieces, max_turns = ref.rules["pieces"], ref.rules["max_turns"]
    if type(d) is not dict or set(d) != KEYS:
        return "other keys"
    if d["phase"] not in ("first", "place", "remove", "slide", "land", "over"):
        return "no such phase"
    if type(d["board"]) is not str or len(d["board"]) != 24 or set(d["board"]) - set(".01"):
        return "no board"
    if type(d["hand"]) is not list or len(d["hand"]) != 2:
        return "no two hands"
    if not all(is_int(stones, 0, pieces) for stones in d["hand"]):
        return "stones in hand"
    for key in ("player", "beginner", "winner"):
        if d[key] is not None and not is_int(d[key], 0, 1):
            return f"no such {key}"
    if d["lifted"] is not None and not is_int(d["lifted"], 0, 23):
        return "lifted from nowhere"
    if type(d["extra"]) is not bool:
        return "extra is no bool"
    if not is_int(d["opening_removals"], 0, 2):
        return "opening removals"
    if not is_int(d["turn"], 0, max_turns) or not is_int(d["no_capture"], 0, 2**32 - 1):
        return "a count out of range"
    return None


def fault(ref: ReferenceShah, d: Any) -> str | None:
    """Why `d` is broken; None if it is a state."""
    return (
        shape_fault(ref, d)
        or stones_fault(ref, d)
        or beginner_fault(ref, d)
        or counts_fault(ref, d)
        or {
            "first": first_fault,
            "place": place_fault,
            "remove": remove_fault,
            "slide": move_fault,
            "land": move_fault,
            "over": over_fault,
        }[d["phase"]](ref, d)
    )


def has_mill(board: str, player: int) -> bool:
    return any(in_mill(board, p) for p in points_of(board, str(player)))


def placed(ref: ReferenceShah, d: State) -> int:
    """How many stones have been placed, by both."""
    return 2 * int(ref.rules["pieces"]) - sum(d["hand"])


def stones_fault(ref: ReferenceShah, d: State) -> str | None:
    r = ref.rules
    pieces = r["pieces"]
    if (d["player"] is None) != (d["phase"] in ("first", "over")):
        return "a player where nobody acts, or none where somebody does"
    if (d["lifted"] is not None) != (d["phase"] == "land"):
        return "lifted and phase disagree"
    counts = [ref.stones(d, player) for player in (0, 1)]
    if max(counts) > pieces:
        return "too many stones"
    missing = [pieces - count for count in counts]
    if d["hand"] != [0, 0]:
        if d["phase"] in ("slide", "land"):
            return "stones in hand in the moving phase"
        if not r["placement_captures"] and missing != [0, 0]:
            return "R2: a capture while placing"
        for player in (0, 1):  # R13: each placement captures one, but three stones make the first mill
            if missing[player] > max(0, pieces - d["hand"][1 - player] - 2):
                return "more captures than placements"
    return None


def first_to_place(ref: ReferenceShah, d: State) -> int | None:
    """The seat that placed first, if the rules or the hands say so."""
    if ref.rules["first_player"] != "random":
        return int(ref.rules["first_player"])
    if d["hand"][0] != d["hand"][1]:
        return 0 if d["hand"][0] < d["hand"][1] else 1
    if ref.rules["begin"] == "first_player":
        return d["beginner"] if d["beginner"] is None else int(d["beginner"])
    if d["phase"] == "place":
        return int(d["player"])
    if d["phase"] == "remove" and d["hand"] != [0, 0]:
        return 1 - int(d["player"])
    return None


def untouched(ref: ReferenceShah, d: State) -> bool:
    """Whether the stones must still lie as they were placed."""
    last_placement = d["turn"] < 2 * ref.rules["pieces"]  # it has ended the game, or its capture is due
    return not ref.rules["placement_captures"] and ("." not in d["board"] or last_placement)


def beginner_fault(ref: ReferenceShah, d: State) -> str | None:
    r, beginner = ref.rules, d["beginner"]
    if d["phase"] == "first":
        return None if beginner is None else "a beginner before the first player"
    first = first_to_place(ref, d)
    if first is not None and d["hand"][first] not in (d["hand"][1 - first], d["hand"][1 - first] - 1):
        return "the hands do not come from placing in turn"
    if r["begin"] == "first_player":
        if beginner is None or beginner != first:
            return "the beginner is the first player"
        return None
    mills = [player for player in (0, 1) if has_mill(d["board"], player)]
    if d["hand"] == [0, 0]:
        if beginner is None:
            return "R3: a beginner at the last placement"
        if beginner not in mills and untouched(ref, d):
            if mills:
                return "R3: the other player alone has made a mill"
            if first is not None and beginner == first:
                return "R3: without a mill, who placed last"
    elif beginner is None:
        if mills or any(ref.stones(d, player) < r["pieces"] for player in (0, 1)):
            return "R3: a mill and no beginner"
    elif not r["placement_captures"] and beginner not in mills:
        return "R3: a beginner without a mill"
    elif r["pieces"] - d["hand"][beginner] < 3:
        return "R3: a mill of fewer than three stones"
    return None


def counts_fault(ref: ReferenceShah, d: State) -> str | None:
    r, turn = ref.rules, d["turn"]
    begins = 2 * r["pieces"] + (2 if r["opening_removals"] == "both" else 0)
    if d["phase"] != "over" and turn == r["max_turns"]:
        return "R10: over by max_turns"
    if d["phase"] != "over" and 0 < r["no_capture_limit"] <= d["no_capture"]:
        return "R10: over by no_capture_limit"
    if d["phase"] == "over" and d["winner"] is not None and turn == r["max_turns"]:
        return "R12: a win adds no turn"
    if d["phase"] != "over" and d["winner"] is not None:
        return "a winner before the end"
    if d["extra"] and d["phase"] not in ("slide", "land"):
        return "R7: extra moves are slides or flies"
    if turn < begins and d["no_capture"] > 0:
        return "R10: only moves count"
    if r["opening_removals"] == "none":
        return "no opening removals" if d["opening_removals"] else None
    if d["phase"] in ("slide", "land") and d["opening_removals"]:
        return "R4: moving before the removals"
    return None


def first_fault(ref: ReferenceShah, d: State) -> str | None:
    return None if d == ref.initial() else "not the state before the first player is drawn"


def place_fault(ref: ReferenceShah, d: State) -> str | None:
    first = first_to_place(ref, d)
    if d["hand"] == [0, 0]:
        return "nothing to place"
    if d["turn"] != placed(ref, d):
        return "R12: a turn is a placement"
    if d["player"] != (first if d["turn"] % 2 == 0 else 1 - (first or 0)):
        return "R2: not this player's turn"
    return opening_fault(ref, d, 2)


def opening_fault(ref: ReferenceShah, d: State, still: int) -> str | None:
    if ref.rules["opening_removals"] == "both" and d["opening_removals"] != still:
        return "R4: the opening removals do not fit the phase"
    return None


def remove_fault(ref: ReferenceShah, d: State) -> str | None:
    r, me = ref.rules, d["player"]
    if d["hand"] != [0, 0] or d["turn"] < 2 * r["pieces"]:
        first = first_to_place(ref, d)
        if not r["placement_captures"]:
            return "R2: nothing is captured while placing"
        if d["turn"] != placed(ref, d) - 1:
            return "R12: the placement is not a turn before its capture"
        if first is not None and me != (first if d["turn"] % 2 == 0 else 1 - first):
            return "R2: not this player's turn"
        return None if has_mill(d["board"], me) else "R13: a capture without a mill"
    if d["opening_removals"] > 0:
        return opening_removal_fault(d)
    if d["turn"] < 2 * r["pieces"] + (2 if r["opening_removals"] == "both" else 0):
        return "R6: a capture before the moving phase"
    counts = [ref.stones(d, player) for player in (0, 1)]
    if min(counts) < 3:
        return "R8: over before"
    if r["opening_removals"] == "both" and max(counts) > 11:
        return "R4: each has lost one"
    return None if has_mill(d["board"], me) else "R6: a capture without a mill"


def opening_removal_fault(d: State) -> str | None:
    still, beginner = d["opening_removals"], d["beginner"]
    if d["turn"] != 26 - still or d["player"] != (beginner if still == 2 else 1 - beginner):
        return "R4: not this removal's turn"
    gone = d["board"].count(".")
    if gone != 2 - still or len(points_of(d["board"], str(beginner))) != 12:
        return "R4: the stones do not fit the removals"
    return None


def move_fault(ref: ReferenceShah, d: State) -> str | None:
    r, me, board = ref.rules, d["player"], d["board"]
    if d["turn"] < 2 * r["pieces"] + (2 if r["opening_removals"] == "both" else 0):
        return "R12: too early to move"
    if min(ref.stones(d, player) for player in (0, 1)) < 3:
        return "R8: over before"
    if r["opening_removals"] == "both" and max(ref.stones(d, player) for player in (0, 1)) > 11:
        return "R4: each has lost one"
    if d["phase"] == "land":
        if not r["flying"] or ref.stones(d, me) != 3:
            return "R14: nobody flies"
        if board[d["lifted"]] != ".":
            return "R14: the lifted stone is still there"
        board = board[: d["lifted"]] + str(me) + board[d["lifted"] + 1 :]
    if d["extra"]:
        if r["blocked"] != "opponent_opens":
            return "R7: no extra moves"
        if not ref.blocked(board, 1 - me):
            return "R7: an extra move though the opponent can move"
    return "a player who cannot act" if ref.blocked(board, me) else None


def over_fault(ref: ReferenceShah, d: State) -> str | None:
    """The end must have a reason that can be seen."""
    if 0 < ref.rules["no_capture_limit"] < d["no_capture"]:
        return "R10: the limit was passed"
    return draw_fault(ref, d) if d["winner"] is None else win_fault(ref, d)


def draw_fault(ref: ReferenceShah, d: State) -> str | None:
    r, turn = ref.rules, d["turn"]
    placements = 2 * r["pieces"]
    removals = 2 if r["opening_removals"] == "both" else 0
    full = "." not in d["board"] and turn == placements and not removals and r["blocked"] == "opponent_opens"
    limit = 0 < r["no_capture_limit"] == d["no_capture"] and turn > placements + removals
    if turn != r["max_turns"] and not limit and not full:
        return "a draw without a reason"
    if sum(d["hand"]) != max(0, placements - turn):
        return "R12: the hands do not fit the turn"
    if d["opening_removals"] != min(removals, max(0, placements + removals - turn)):
        return "R4: the opening removals do not fit the turn"
    counts = [ref.stones(d, player) for player in (0, 1)]
    if min(counts) < 3:
        return "R8: not a draw"
    if removals:
        return removals_made_fault(d, counts)
    return None


def removals_made_fault(d: State, counts: list[int]) -> str | None:
    made, beginner = 2 - d["opening_removals"], d["beginner"]
    if made == 2 and max(counts) > 11:
        return "R4: each has lost one"
    if made == 1 and (counts[beginner], counts[1 - beginner]) != (12, 11):
        return "R4: the beginner has removed one"
    if made == 0 and counts != [12, 12]:
        return "R2: nothing is captured before the removals"
    return None


def win_fault(ref: ReferenceShah, d: State) -> str | None:
    r, turn, winner = ref.rules, d["turn"], d["winner"]
    counts = [ref.stones(d, player) for player in (0, 1)]
    begins = 2 * r["pieces"] + (2 if r["opening_removals"] == "both" else 0)
    if counts[winner] < 3 or counts[1 - winner] < 2:
        return "R8: over before"
    if d["opening_removals"]:
        return "R4: nobody wins before the removals"
    if counts[1 - winner] == 2:
        if d["no_capture"] or not has_mill(d["board"], winner):
            return "R8: the last step was a capture"
        if d["hand"] != [0, 0] or turn < begins:  # R13: won by a placement, whose turn is not counted
            first = first_to_place(ref, d)
            if not r["placement_captures"] or turn != placed(ref, d) - 1:
                return "R12: the hands do not fit the turn"
            if first is not None and winner != (first if turn % 2 == 0 else 1 - first):
                return "R2: not this player's turn"
        elif r["opening_removals"] == "both" and max(counts) > 11:
            return "R4: each has lost one"
        return None
    if r["blocked"] != "loses" or d["hand"] != [0, 0] or not ref.blocked(d["board"], 1 - winner):
        return "a win without a reason"
    if r["opening_removals"] == "both" and max(counts) > 11:
        return "R4: each has lost one"
    if turn == begins - 1:  # the beginner cannot move
        if winner == d["beginner"]:
            return "R7: who begins has not moved yet"
        if not r["placement_captures"] and sum(counts) != 2 * r["pieces"] - (begins - 2 * r["pieces"]):
            return "R2: nothing else has been captured"
        return None
    if turn < begins:
        return "R12: too early to be blocked"
    if d["no_capture"] == 0 and not has_mill(d["board"], winner):
        return "R10: neither a move nor a capture came last"
    return None
