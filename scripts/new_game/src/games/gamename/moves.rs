//! Moves of Gamename: their ids, what is legal, what they do.
//!
//! The id of a move is the number of the square that the piece leaves, or 0 for the hand.

use super::Gamename;
use super::board::{HAND, OFF, SQUARES};
use super::state::{Phase, State};
use super::{CAPTURES, FORCED_PASSES, PLAYERS};
use crate::rules::{Action, ActionSet, Outcome, Player, Tally};

/// One move of one piece by the number thrown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The square that the piece leaves, 1 to 12, or 0 for the hand.
    pub source: u8,
}

impl Move {
    /// The move's id.
    ///
    /// ```
    /// use sarai::games::gamename::Move;
    /// assert_eq!(Move { source: 3 }.action(), sarai::Action(3));
    /// assert_eq!(Move::from_action(sarai::Action(3)), Some(Move { source: 3 }));
    /// assert_eq!(Move::from_action(sarai::Action(13)), None);
    /// ```
    pub const fn action(self) -> Action {
        Action(self.source as u16)
    }

    /// The move with this id; `None` if no move has it.
    pub const fn from_action(action: Action) -> Option<Move> {
        if action.index() < OFF { Some(Move { source: action.0 as u8 }) } else { None }
    }

    /// Where the piece lands: a square, or [`OFF`].
    #[cfg_attr(fast, inline(always))]
    pub(super) fn target(self, throw: u8) -> usize {
        (self.source as usize + throw as usize).min(OFF)
    }
}

impl Gamename {
    /// The ids of the legal moves (R3 to R5); none outside phase `Move`, and none after a blank.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn legal(&self, s: &State) -> ActionSet {
        if s.phase != Phase::Move {
            return ActionSet::EMPTY;
        }
        let own = s.on[s.player.index() & 1];
        let in_hand = (self.hand(s, s.player) > 0) as u32;
        // Where a piece may land: on any square without a piece of its own side, and past the end as R5 allows.
        let past = if self.rules.exact { 1 << OFF } else { !(SQUARES | 1) };
        let open = SQUARES & !own | past;
        let sources = (own | in_hand << HAND) & (open >> s.throw);
        ActionSet::from_words([sources as u64, 0, 0])
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn throw<T: Tally>(&self, s: &mut State, outcome: Outcome, tally: &mut T) {
        s.throw = outcome.0;
        s.phase = Phase::Move;
        if self.legal(s).is_empty() {
            tally.add(FORCED_PASSES, s.player, 1);
            self.end_turn(s);
        }
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn play<T: Tally>(&self, s: &mut State, action: Action, tally: &mut T) {
        let step = Move { source: action.0 as u8 };
        let (own, target) = (s.player.index() & 1, step.target(s.throw));
        s.on[own] &= !(1 << step.source);
        if target == OFF {
            s.off[own] += 1;
            if s.off[own] == self.rules.pieces {
                return self.end(s);
            }
        } else {
            s.on[own] |= 1 << target;
            if s.on[own ^ 1] >> target & 1 != 0 {
                s.on[own ^ 1] &= !(1 << target);
                tally.add(CAPTURES, s.player, 1);
            }
        }
        self.end_turn(s);
    }

    #[cfg_attr(fast, inline(always))]
    fn end_turn(&self, s: &mut State) {
        s.turn += 1;
        if s.turn == self.rules.max_turns {
            return self.end(s);
        }
        s.throw = 0;
        s.phase = Phase::Roll;
        s.player = s.player.next(PLAYERS);
    }

    fn end(&self, s: &mut State) {
        s.throw = 0;
        s.phase = Phase::Over;
        s.player = Player(0);
    }
}

impl Gamename {
    /// The name of a move: "hand/3", "5/8*" where it captures, "11/off".
    pub(super) fn move_name(&self, s: &State, action: Action) -> String {
        let Some(step) = Move::from_action(action) else {
            return format!("action {action}");
        };
        let source = if step.source as usize == HAND { "hand".to_owned() } else { step.source.to_string() };
        match step.target(s.throw) {
            OFF => format!("{source}/off"),
            target => {
                let captures = s.on[s.player.index() ^ 1] >> target & 1 != 0;
                format!("{source}/{target}{}", if captures { "*" } else { "" })
            }
        }
    }
}
