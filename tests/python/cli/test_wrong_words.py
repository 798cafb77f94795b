"""What is typed wrong, command after command: one line that says so, nothing printed, and no file touched."""

from __future__ import annotations

from pathlib import Path

import pytest

import sarai
from sarai import _cli as cli

Captured = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch

# Words, with blanks between them or as a list; the exit status, and what the line has in it. Where no word was meant,
# none is advised. `errors.txt` has more of them.
WRONG: list[tuple[str | list[str], int, str]] = [
    ("nonsense", 2, f"there are {', '.join(str(command.name) for command in cli.COMMANDS)}"),
    ("--nonsense", 2, "nonsense"),
    ("-- -x", 2, "-x"),
    ("--versoin", 2, "did you mean '--version'"),
    ("rules", 2, "GAME"),
    ("rules --hlep", 2, "did you mean '--help'"),
    ("rules sho --chess", 2, "there is no option '--chess' (see"),
    ("rules sho --preset nonsense", 2, "nonsense"),
    ("rules sho --option nonsense=1", 2, "nonsense"),
    ("rules sho --option =3", 2, "NAME=VALUE"),
    ("rules sho --option coins=NaN", 2, "coins"),
    ("rules sho --option coins=" + "[" * 100_000, 2, "at most 16384"),
    ("rollout nonsense", 2, "sho"),
    ("rollout sho --games x", 2, "integer"),
    ("rollout sho --games 0", 2, "num_games"),
    (f"rollout sho --games {2**63}", 2, "num_games"),
    ("rollout sho --seed -1", 2, "seed"),
    ("rollout sho --seed " + "9" * 100_000, 2, "(see 'sarai rollout --help')"),
    ("rollout sho --threads 0", 2, "threads"),
    ("rollout sho --agents random,random", 2, "agent"),
    ("rollout sho --agents nonsense", 2, "nonsense"),
    ("rollout sho --agent random", 2, "did you mean '--agents'"),
    ("rollout sho --out a --out-dir b", 2, "not both"),
    ("rollout sho --picture a.gif", 2, ".eps"),
    (["rollout", "shah", "--out-dir", ""], 2, "a name is missing here"),
    (["rollout", "shah", "--out", ""], 2, "a name is missing here"),
    ("rollout sho --out text/x.npz", 1, "cannot write text/x.npz"),
    ("rollout sho --out-dir text", 1, "cannot write text"),
    ("compare chess a: b:", 2, "chess"),
    ("compare sho basic", 2, "variants has 1 entry"),
    ("compare sho basic x:seat", 2, "NAME=VALUE"),
    (["compare", "sho", "basic", "x:seat=1 seat=2"], 2, "seat is given twice"),
    ("compare sho basic x:pa_ra='none", 2, "quotation mark"),
    ("compare sho basic x:playerz=2", 2, "variant 'x': unknown option 'playerz' (did you mean 'players'"),
    ("compare sho basic lhasa --by charm", 2, "charm"),
    ("compare sho basic lhasa --games 1 --no-progress", 2, "num_games"),
    ("compare sho basic lhasa --picture x.txt", 2, ".eps"),
    ("compare sho basic lhasa --games 50000000 --picture missing/x.svg", 1, "cannot write"),
    ("arena sho", 2, "AGENTS"),
    ("arena chess greedy random", 2, "chess"),
    ("arena sho greedy gready", 2, "did you mean 'greedy'"),
    ("arena sho greedy greedy", 2, "two agents are called 'greedy'"),
    ("arena sho greedy random --games 0", 2, "games got 0"),
    ("arena sho greedy random --schedule gauntlt", 2, "did you mean 'gauntlet'"),
    ("arena sho greedy random --dice swiss", 2, "swiss"),
    ("arena sho greedy random --save nowhere/arena.npz", 1, "nowhere"),
    ("arena sho greedy random --threads -1", 2, "num_threads"),
    ("metrics chess", 2, "chess"),
    ("metrics sho --games 0", 2, "num_games"),
    ("metrics sho --evaluator clever", 2, "clever"),
    ("metrics sho --skill-levels 13", 2, "skill_levels"),
    ("metrics sho --picture x.txt", 2, ".eps"),
    ("analyse shuanglu --agent alphabeta:3", 2, "two-player games without dice"),
    ("analyse shah --agent clever", 2, "clever"),
    ("analyse shah --seconds -1", 2, "seconds"),
    ("analyse shah --agent greedy --games 0", 2, "num_games got 0"),
    ("analyse shah --agent greedy --games 2 --plays turns", 2, "did you mean 'turn'"),
    ("analyse shah --agent greedy --games 2 --seconds 1", 2, "seconds stops a search"),
    ("analyse shah --agent greedy --plays turn", 2, "give --games"),
    ("analyse sho --position nonsense", 2, "nonsense"),
    ("show", 2, "GAME"),
    ("show sho nonsense", 2, "nonsense"),
    ("show sho {}", 2, "phase"),
    (["show", "sho", "{" * 5000], 2, ""),
    ("show sho --theme red", 2, "it takes 'light' or 'dark' or 'print', not 'red'"),
    ("show sho --theme dark", 2, "--theme is for a drawing: add --out FILE.svg"),
    ("show sho --out x.gif", 2, ".svg, .png or .pdf"),
    ("show sho --out missing/x.svg", 1, "cannot write missing/x.svg"),
    ("show sho --svg x.svg", 2, "--svg"),
    (["show", "shah", "--out", ""], 2, "a name is missing here"),
    ("show sho .", 1, "cannot read ."),
    ("show sho long", 2, "65536"),
    ("show sho bytes", 2, "UTF-8"),
    ("perft sho", 2, "DEPTH"),
    ("perft sho 101", 2, "DEPTH"),
    ("perft sho 1 --position nonsense", 2, "nonsense"),
    ("replay", 2, "FILE"),
    (["replay", ""], 2, "a name is missing here"),
    ("replay .", 1, "cannot read .: "),
    ("replay broken.json", 2, "step 1: action 4"),
    ("replay broken.txt", 2, "line 6, step 1: 'd6'"),
    ("replay long", 2, "record"),
    ("replay bytes", 2, "not UTF-8"),
    ("replay game.json --from 9", 2, "2 steps"),
    ("replay game.json --from -1", 2, "--from"),
    ("replay game.json --gif x.png", 2, ".gif"),
    ("replay game.json --html x.htm", 2, ".html"),
    ("replay game.json --svg missing/x.svg", 1, "cannot write missing/x.svg"),
    ("replay game.json --svg x.svg --seconds 0", 2, "seconds"),
    ("replay game.json --svg x.svg --theme Light", 2, "did you mean 'light'"),
    ("replay game.json --json --svg x.svg", 2, "cannot be combined"),
    ("play", 2, "GAME"),
    ("play chess", 2, "sho"),
    ("play Sho", 2, "did you mean 'sho'"),
    ("play \x1b[31mchess", 2, "\\x1b[31mchess"),
    ("play sho --against \udcff", 2, "surrogate"),
    ("play sho --seat -1", 2, "takes 0 to 2"),
    ("play sho --seed -1", 2, "--seed"),
    (f"play sho --seed {2**64}", 2, "--seed"),
    ("play sho --preset teems", 2, "did you mean 'teams'"),
    ("play shah --save missing/x.json", 1, "cannot write missing/x.json"),
    ("play shah --save " + "x" * 300, 1, "cannot write xxx"),
    (["play", "shah", "--save", ""], 2, "a name is missing here"),
    ("play --resume missing.json", 1, "cannot read missing.json"),
    ("play --resume .", 1, "cannot read ."),
    (["play", "--resume", ""], 2, "a name is missing here"),
    ("play shah --resume game.json", 2, "leave out GAME"),
    ("play --resume game.json --option max_turns=9", 2, "leave out --option"),
    ("play --resume agents.json", 2, "no seat of the game in agents.json belongs to a human"),
    ("play --resume policy.json", 2, "the record in policy.json takes agents"),
    ("play --resume broken.json", 2, "step 1: action 4"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game that can be resumed, and files that are wrong in one way each."""
    folder = tmp_path_factory.mktemp("folder")
    record = sarai.Record.from_steps("shah", [4, 19], agents=["human", "greedy"])
    record.save(folder / "game.json")
    (folder / "broken.json").write_text(record.to_json().replace('19, "d2"', '4, "d6"'), encoding="utf-8")
    plain = sarai.Record.from_steps("shah", [4, 19])
    (folder / "broken.txt").write_text(plain.to_text().replace("d2", "d6"), encoding="utf-8")
    for name, agents in (("agents", ["greedy", "random"]), ("policy", ["human", "my_policy"])):
        sarai.Record.from_steps("shah", [4, 19], agents=agents).save(folder / f"{name}.json")
    (folder / "text").write_text("in the way", encoding="utf-8")
    (folder / "long").write_text("{" * 70_000, encoding="utf-8")
    (folder / "bytes").write_bytes(b"\xff\xff")
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize(
    ("words", "status", "says"), WRONG, ids=lambda value: str(value)[:60].encode("ascii", "replace").decode()
)
def test_what_is_typed_wrong_is_told_on_one_line(
    words: str | list[str], status: int, says: str, folder: Path, monkeypatch: Patch, capsys: Captured
) -> None:
    monkeypatch.chdir(folder)
    before = files(folder)
    assert cli.main(words.split(" ") if isinstance(words, str) else words) == status
    printed, errors = capsys.readouterr()
    assert printed == ""
    assert errors.startswith("error: ")
    assert errors.count("\n") == 1
    assert len(errors) < 1100
    assert says in errors
    assert errors.count("id you mean") == says.count("id you mean")
    assert files(folder) == before
