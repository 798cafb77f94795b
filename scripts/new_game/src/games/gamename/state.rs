//! A position of Gamename: the compact state, its invariants, its dict and its line of text.

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::Gamename;
use super::board::{SQUARES, TRACK};
use super::{DIE, PLAYERS};
use crate::base::error::Error;
use crate::rules::forms::{Field, bail, check_end, check_player, ensure, line, number, required, word};
use crate::rules::{Action, Outcome, Player, Show, Side, bits};

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// A chance node: the die is thrown.
    Roll,
    /// The player chooses a move.
    Move,
    /// The game has ended.
    Over,
}

/// A position. The pieces of a player that are neither on the track nor borne off are in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// Bit `i` where the seat has a piece on square `i`.
    pub(super) on: [u32; PLAYERS],
    /// How many pieces each seat has borne off.
    pub(super) off: [u8; PLAYERS],
    pub(super) turn: u16,
    /// The number thrown; 0 outside `Move`.
    pub(super) throw: u8,
    pub(super) phase: Phase,
    /// The seat whose turn it is; 0 in `Over`.
    pub(super) player: Player,
}

/// The fields that others do not follow from, in a fixed form: see [`crate::base::hash`].
impl Hash for State {
    #[cfg_attr(fast, inline(always))]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.on.iter().for_each(|&on| hasher.write_u64(on.into()));
        let [low, high] = self.turn.to_le_bytes();
        let [mine, other] = self.off;
        hasher.write(&[mine, other, low, high, self.throw, self.phase as u8, self.player.0]);
    }
}

impl Gamename {
    /// The position in which every game starts (R1, R2).
    pub(super) fn start(&self) -> State {
        State {
            on: [0; PLAYERS],
            off: [0; PLAYERS],
            turn: 0,
            throw: 0,
            phase: Phase::Roll,
            player: Player(0),
        }
    }

    /// How many pieces a seat has in hand.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn hand(&self, s: &State, player: Player) -> u8 {
        let seat = player.index() & 1;
        self.rules.pieces - s.off[seat] - s.on[seat].count_ones() as u8
    }

    /// The seat that has borne off everything (R6).
    pub(super) fn winning(&self, s: &State) -> Option<Player> {
        [Player(0), Player(1)].into_iter().find(|player| s.off[player.index()] == self.rules.pieces)
    }

    /// Every invariant of a position.
    pub(super) fn check_state(&self, s: &State) -> Result<(), Error> {
        let pieces = self.rules.pieces as u32;
        for (seat, (on, off)) in s.on.iter().zip(s.off).enumerate() {
            ensure!(on & !SQUARES == 0, "player {seat} has a piece off the track");
            let placed = on.count_ones() + off as u32;
            ensure!(placed <= pieces, "player {seat} has {placed} pieces, not {pieces}");
        }
        let shared = s.on[0] & s.on[1];
        ensure!(shared == 0, "both players stand on square {}", shared.trailing_zeros());
        let won = self.winning(s);
        ensure!(
            s.off != [self.rules.pieces; PLAYERS],
            "both players have borne off everything, but the game ends with the first"
        );
        let phase = word(&s.phase);
        let (turns, over) = ((s.turn, self.rules.max_turns), (&s.phase, s.phase == Phase::Over));
        check_end(turns, over, won.map(|player| player.0))?;
        let seated = s.player.index() < if s.phase == Phase::Over { 1 } else { PLAYERS };
        ensure!(seated, "player is {} in phase {phase}", s.player.0);
        let moving = s.phase == Phase::Move;
        ensure!(
            moving == (1..DIE.weights().len()).contains(&(s.throw as usize)),
            "throw is {} in phase {phase}",
            s.throw
        );
        ensure!(moving || s.throw == 0, "throw is {} in phase {phase}", s.throw);
        ensure!(
            !moving || !self.legal(s).is_empty(),
            "player {} cannot move by {}, so the turn should have passed",
            s.player.0,
            s.throw
        );
        Ok(())
    }
}

/// The state dict; the page of the game says under "Notation" what its keys mean.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a dict")]
pub struct Dict {
    phase: Phase,
    #[serde(deserialize_with = "required")]
    player: Option<u8>,
    hand: Vec<u8>,
    off: Vec<u8>,
    squares: Vec<Vec<u8>>,
    #[serde(deserialize_with = "required")]
    throw: Option<u8>,
    turn: u16,
    #[serde(deserialize_with = "required")]
    winner: Option<u8>,
}

line!(Dict: player, turn, throw, winner; hand, off, squares);

impl Show for Gamename {
    type Dict = Dict;

    const BESIDE: &'static [&'static str] = &["hand", "off"];

    fn to_dict(&self, s: &State) -> Dict {
        Dict {
            phase: s.phase,
            player: (s.phase != Phase::Over).then_some(s.player.0),
            hand: [Player(0), Player(1)].map(|player| self.hand(s, player)).to_vec(),
            off: s.off.to_vec(),
            squares: s.on.iter().map(|&on| bits(on as u64).map(|square| square as u8).collect()).collect(),
            throw: (s.phase == Phase::Move).then_some(s.throw),
            turn: s.turn,
            winner: self.winning(s).map(|player| player.0),
        }
    }

    // Refuses only what a `State` cannot hold; [`Gamename::check_state`] checks the rest.
    fn state_from_dict(&self, dict: Dict) -> Result<State, Error> {
        for (name, entries) in
            [("hand", dict.hand.len()), ("off", dict.off.len()), ("squares", dict.squares.len())]
        {
            ensure!(
                entries == PLAYERS,
                "{name} has {entries} entries; it needs one for each of the two players"
            );
        }
        let mut s = self.start();
        for seat in 0..PLAYERS {
            if !dict.squares[seat].is_sorted_by(|one, next| one < next) {
                bail!("player {seat}'s squares are not in ascending order");
            }
            for &square in &dict.squares[seat] {
                ensure!(
                    SQUARES.checked_shr(square as u32).unwrap_or(0) & 1 != 0,
                    "player {seat} has a piece on {square}, which is not a square"
                );
                s.on[seat] |= 1 << square;
            }
            s.off[seat] = dict.off[seat];
            let pieces = dict.squares[seat].len() + dict.hand[seat] as usize + dict.off[seat] as usize;
            ensure!(
                pieces == self.rules.pieces as usize,
                "player {seat} has {pieces} pieces, not {}",
                self.rules.pieces
            );
        }
        (s.phase, s.turn) = (dict.phase, dict.turn);
        check_player(dict.player, &s.phase, s.phase == Phase::Over)?;
        if dict.throw.is_some() != (s.phase == Phase::Move) {
            bail!("throw is {} in phase {}", dict.throw.written(), word(&s.phase));
        }
        s.player = Player(dict.player.unwrap_or(0));
        s.throw = dict.throw.unwrap_or(0);
        let winner = self.winning(&s).map(|player| player.0);
        if dict.winner != winner {
            let (said, due) = (dict.winner.written(), winner.written());
            bail!("winner is {said}, but by the pieces borne off it is {due}");
        }
        Ok(s)
    }

    fn text(&self, s: &State) -> String {
        let dict = self.to_dict(s);
        let mut line = dict.head();
        for seat in 0..PLAYERS {
            let _ = write!(line, " | hand={} off={}", dict.hand[seat], dict.off[seat]);
            for square in &dict.squares[seat] {
                let _ = write!(line, " {square}");
            }
        }
        line
    }

    fn parse(&self, text: &str) -> Result<State, Error> {
        let (mut dict, groups) = Dict::read(text)?;
        for mut group in groups {
            dict.hand.push(group.field("hand")?);
            dict.off.push(group.field("off")?);
            dict.squares.push(group.words().map(number).collect::<Result<_, _>>()?);
        }
        self.state_from_dict(dict)
    }

    fn action_name(&self, state: &State, action: Action) -> String {
        self.move_name(state, action)
    }

    fn outcome_name(&self, _: &State, outcome: Outcome) -> String {
        outcome.0.to_string()
    }

    fn num_places(&self) -> usize {
        TRACK
    }

    fn standing(&self, state: &State, tell: &mut impl FnMut(usize, Side, u8)) {
        for (side, on) in state.on.into_iter().enumerate() {
            let owner = Side(side as u8);
            bits(u64::from(on)).for_each(|square| tell(square - 1, owner, 1));
            tell(TRACK, owner, self.hand(state, Player(side as u8)));
            tell(TRACK + 1, owner, state.off[side]);
        }
    }
}
