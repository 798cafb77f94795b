//! Where a game stands: the compact state, its dict and its line of text.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::board::{NAMES, POINTS};
use super::{Begin, OpeningRemovals, Shah};
use crate::base::error::Error;
use crate::rules::forms::{bail, check_player, ensure, line};
use crate::rules::{Action, FirstPlayer, Game, Player, Show, Side, bits};

/// What is asked for next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// A chance node: who places first.
    First,
    /// The player places a stone.
    Place,
    /// The player removes an enemy stone.
    Remove,
    /// The player moves a stone, or lifts one to fly.
    Slide,
    /// The player lands with the stone that was lifted.
    Land,
    /// The game has ended.
    Over,
}

/// What `lifted` holds when no stone is.
pub(super) const NO_POINT: u8 = POINTS as u8;

/// Where a game stands: 28 bytes, without pointers.
///
/// A player's stones are the set bits of a word, one bit a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) stones: [u32; 2],
    /// Moves completed since the last capture (R10).
    pub(super) no_capture: u32,
    pub(super) turn: u16,
    pub(super) hand: [u8; 2],
    pub(super) phase: Phase,
    /// Who acts; 0 in `First` and `Over`.
    pub(super) player: Player,
    /// Who begins the moving phase; [`State::NOBODY`] while that is open.
    pub(super) beginner: u8,
    /// How many opening removals are still to be made (R4).
    pub(super) opening_removals: u8,
    /// The move that is due is an extra one (R7).
    pub(super) extra: bool,
    /// From where a stone was lifted; [`NO_POINT`] outside `Land`.
    pub(super) lifted: u8,
    pub(super) winner: Option<Side>,
}

/// The fields that others do not follow from, in a fixed form: see [`crate::base::hash`].
impl Hash for State {
    #[cfg_attr(fast, inline(always))]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let [mine, other] = self.stones.map(u64::from);
        hasher.write_u64(mine | other << 32);
        hasher.write_u64(u64::from(self.no_capture) | u64::from(self.turn) << 32);
        hasher.write(&[
            self.hand[0],
            self.hand[1],
            self.phase as u8,
            self.player.0,
            self.beginner,
            self.opening_removals,
            self.extra as u8,
            self.lifted,
            self.winner.map_or(u8::MAX, |side| side.0),
        ]);
    }
}

/// The state dict of the rule book.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a dict")]
pub struct Dict {
    phase: Phase,
    #[serde(deserialize_with = "crate::rules::forms::required")]
    player: Option<u8>,
    board: String,
    hand: [u8; 2],
    #[serde(deserialize_with = "crate::rules::forms::required")]
    beginner: Option<u8>,
    opening_removals: u8,
    extra: bool,
    #[serde(deserialize_with = "crate::rules::forms::required")]
    lifted: Option<u8>,
    no_capture: u32,
    turn: u16,
    #[serde(deserialize_with = "crate::rules::forms::required")]
    winner: Option<u8>,
}

impl Shah {
    pub(super) fn start(&self) -> State {
        let mut state = State {
            stones: [0; 2],
            no_capture: 0,
            turn: 0,
            hand: [self.rules.pieces; 2],
            phase: Phase::First,
            player: Player(0),
            beginner: State::NOBODY,
            opening_removals: if self.rules.opening_removals == OpeningRemovals::Both { 2 } else { 0 },
            extra: false,
            lifted: NO_POINT,
            winner: None,
        };
        if let FirstPlayer::Seat(seat) = self.rules.first_player {
            self.begin(&mut state, seat);
        }
        state
    }
}

impl State {
    pub(super) fn beginner(&self) -> Option<u8> {
        (self.beginner != State::NOBODY).then_some(self.beginner)
    }

    pub(super) fn lifted(&self) -> Option<u8> {
        (self.lifted != NO_POINT).then_some(self.lifted)
    }
}

/// What makes a position a sound one: it is refused where a rule, or what stands on the board, says that no game comes
/// to it.
impl Shah {
    /// The seat that placed first, where the rules or the position tell (R2).
    pub(super) fn first(&self, s: &State) -> Option<u8> {
        match (self.rules.first_player, s.phase) {
            (FirstPlayer::Seat(seat), _) => Some(seat.0),
            (_, Phase::Place | Phase::Remove) if s.turn < 2 * self.rules.pieces as u16 => {
                Some(s.player.0 ^ (s.turn & 1) as u8)
            }
            _ if s.hand[0] != s.hand[1] => Some((s.hand[1] < s.hand[0]) as u8),
            _ if self.rules.begin == Begin::FirstPlayer => s.beginner(),
            _ => None,
        }
    }
}

line!(Dict: player, board, hand, beginner, opening_removals, extra, lifted, no_capture, turn, winner;);

impl Show for Shah {
    type Dict = Dict;

    const BESIDE: &'static [&'static str] = &["hand", "lost"];

    fn to_dict(&self, s: &State) -> Dict {
        let letter = |point: usize| match [s.stones[0] >> point & 1, s.stones[1] >> point & 1] {
            [0, 0] => '.',
            [1, _] => '0',
            _ => '1',
        };
        Dict {
            phase: s.phase,
            player: self.player_on_turn(s).map(|player| player.0),
            board: (0..POINTS).map(letter).collect(),
            hand: s.hand,
            beginner: s.beginner(),
            opening_removals: s.opening_removals,
            extra: s.extra,
            lifted: s.lifted(),
            no_capture: s.no_capture,
            turn: s.turn,
            winner: s.winner.map(|side| side.0),
        }
    }

    // Holds a dict in a state; refuses only what no state can hold. [`Shah::check_state`] does the rest.
    fn state_from_dict(&self, dict: Dict) -> Result<State, Error> {
        let length = dict.board.chars().count();
        ensure!(length == POINTS, "board has {length} characters, not {POINTS}");
        let mut stones = [0; 2];
        for (point, letter) in dict.board.chars().enumerate() {
            match letter {
                '.' => {}
                '0' => stones[0] |= 1 << point,
                '1' => stones[1] |= 1 << point,
                _ => {
                    bail!("board has {letter:?} on point {point} ({}); it has '.', '0' or '1'", NAMES[point]);
                }
            }
        }
        for (name, given) in [("player", dict.player), ("beginner", dict.beginner), ("winner", dict.winner)] {
            if let Some(seat @ 2..) = given {
                bail!("{name} is {seat}; seats are 0 and 1");
            }
        }
        if let Some(point @ NO_POINT..) = dict.lifted {
            bail!("lifted is {point}; points are 0 to {}", POINTS - 1);
        }
        check_player(dict.player, &dict.phase, matches!(dict.phase, Phase::First | Phase::Over))?;
        Ok(State {
            stones,
            no_capture: dict.no_capture,
            turn: dict.turn,
            hand: dict.hand,
            phase: dict.phase,
            player: Player(dict.player.unwrap_or(0)),
            beginner: dict.beginner.unwrap_or(State::NOBODY),
            opening_removals: dict.opening_removals,
            extra: dict.extra,
            lifted: dict.lifted.unwrap_or(NO_POINT),
            winner: dict.winner.map(Side),
        })
    }

    fn text(&self, state: &State) -> String {
        self.to_dict(state).head()
    }

    fn parse(&self, text: &str) -> Result<State, Error> {
        let (dict, mut groups) = Dict::read(text)?;
        ensure!(groups.next().is_none(), "a position of Shah is one group of words, without '|'");
        self.state_from_dict(dict)
    }

    fn action_name(&self, _: &State, action: Action) -> String {
        self.move_name(action)
    }

    fn num_places(&self) -> usize {
        POINTS
    }

    fn place_name(&self, place: usize) -> String {
        NAMES[place].to_owned()
    }

    fn standing(&self, state: &State, tell: &mut impl FnMut(usize, Side, u8)) {
        for (side, stones) in state.stones.into_iter().enumerate() {
            let (hand, owner) = (state.hand[side], Side(side as u8));
            bits(u64::from(stones)).for_each(|point| tell(point, owner, 1));
            // A lifted stone is in the air.
            let lifted = u8::from(state.lifted().is_some() && state.player.index() == side);
            tell(POINTS, owner, hand);
            tell(POINTS + 1, owner, self.rules.pieces - hand - stones.count_ones() as u8 - lifted);
        }
    }
}
