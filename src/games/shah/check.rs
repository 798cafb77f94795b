//! Which positions of Shah a game can lead to.

use super::board::{ALL, in_mills};
use super::state::NO_POINT;
use super::{Begin, Blocked, OpeningRemovals, Phase, Shah, State};
use crate::base::error::Error;
use crate::rules::forms::{bail, ensure, null, word};
use crate::rules::{FirstPlayer, Game, Turn};

impl Shah {
    /// Every invariant of a position.
    pub(super) fn check_state(&self, s: &State) -> Result<(), Error> {
        let phase = word(&s.phase);
        if s.stones[0] & s.stones[1] != 0 || (s.stones[0] | s.stones[1]) & !ALL != 0 {
            bail!("there are two stones on one point, or one off the board");
        }
        let random = self.rules.first_player == FirstPlayer::Random;
        ensure!(
            s.phase != Phase::First || (random && *s == self.start()),
            "phase first is only for the start of a game with first_player=\"random\""
        );
        let over = s.phase == Phase::Over;
        ensure!(s.winner.is_none() || over, "winner is {} in phase {phase}", winner(s));
        self.check_turn(s)?;
        self.check_stones(s)?;
        self.check_beginner(s)?;
        ensure!(
            s.lifted == NO_POINT || s.phase == Phase::Land,
            "lifted is {} in phase {phase}; a stone is lifted only in phase land",
            s.lifted
        );
        ensure!(
            !s.extra || s.phase == Phase::Slide,
            "extra is true in phase {phase}; extra moves are slides"
        );
        match s.phase {
            Phase::First | Phase::Place => Ok(()),
            Phase::Remove => self.check_remove(s),
            Phase::Slide => self.check_slide(s),
            Phase::Land => self.check_land(s),
            Phase::Over => self.check_end(s),
        }?;
        ensure!(
            !matches!(self.turn(s), Turn::Player(_)) || !self.legal(s).is_empty(),
            "player {} has no legal action in phase {phase}",
            s.player.0
        );
        Ok(())
    }

    /// How many placements and opening removals are complete: one a turn. A win leaves its turn uncounted (R12).
    fn turns_begun(&self, s: &State) -> u32 {
        s.turn as u32 + s.winner.is_some() as u32
    }

    fn check_turn(&self, s: &State) -> Result<(), Error> {
        let State { no_capture, opening_removals, turn, .. } = *s;
        let (max, limit) = (self.rules.max_turns, self.rules.no_capture_limit as u32);
        let (phase, over) = (word(&s.phase), s.phase == Phase::Over);
        ensure!(
            turn < max || (turn == max && over && s.winner.is_none()),
            "turn is {turn} in phase {phase} with winner {}; max_turns is {max}",
            winner(s)
        );
        let (placed, moving) = (2 * self.rules.pieces as u16, turn >= self.moving_from);
        let due = match s.phase {
            Phase::Place | Phase::First => turn < placed,
            Phase::Remove => self.rules.placement_captures || turn >= placed,
            Phase::Slide | Phase::Land => moving,
            Phase::Over => true,
        };
        ensure!(
            due,
            "phase is {phase} with turn {turn}; the moving phase begins with turn {}",
            self.moving_from
        );
        ensure!(
            no_capture == 0 || turn >= self.moving_from,
            "no_capture is {no_capture} before the moving phase"
        );
        ensure!(
            limit == 0 || no_capture < limit || (over && no_capture == limit),
            "no_capture is {no_capture} in phase {phase}; no_capture_limit is {limit}"
        );
        // R4: the removals are the last turns before the moving phase.
        let removals = (self.moving_from - placed) as u32;
        let due = removals - self.turns_begun(s).saturating_sub(placed as u32).min(removals);
        ensure!(
            opening_removals as u32 == due,
            "opening_removals is {opening_removals} with turn {turn}; it should be {due}"
        );
        Ok(())
    }

    fn check_stones(&self, s: &State) -> Result<(), Error> {
        let pieces = self.rules.pieces;
        let all = 2 * pieces as u32;
        let placing = s.turn < all as u16;
        let pending = matches!(s.phase, Phase::Remove) && placing;
        let placed = (self.turns_begun(s) + pending as u32).min(all) as u8;
        let mut hand = [pieces - placed.div_ceil(2), pieces - placed / 2];
        let first = self.first(s);
        if first == Some(1) {
            hand.reverse();
        }
        let placed_by = hand.map(|left| pieces - left);
        ensure!(
            s.hand == hand,
            "hand is {:?} with turn {} in phase {}; it should be {hand:?}",
            s.hand,
            s.turn,
            word(&s.phase)
        );
        // Who places is told by the turn, and so is who captures by placing.
        let total = |seat: u8| s.stones[seat as usize].count_ones() as u8 + s.hand[seat as usize];
        let placer = match s.winner {
            Some(winner) if placing && total(1 - winner.0) < 3 => Some(winner.0),
            None if placing && s.phase != Phase::Over => Some(s.player.0),
            _ => None,
        };
        if let (Some(first), Some(placer), true) = (first, placer, s.phase != Phase::First) {
            let due = first ^ (s.turn & 1) as u8;
            ensure!(placer == due, "player {placer} acts in turn {}, which is player {due}'s", s.turn);
        }
        for seat in 0..2u8 {
            let lifted = s.phase == Phase::Land && s.player.0 == seat;
            let total = total(seat) + lifted as u8;
            // R4: the beginner removes first, so that the first stone to go is his opponent's.
            let removed = match s.opening_removals {
                _ if self.rules.opening_removals == OpeningRemovals::None => 0,
                0 => 1,
                1 => (s.beginner != seat) as u8,
                _ => 0,
            };
            let most = pieces - removed;
            let least = if s.turn >= self.moving_from {
                2 + s.winner.is_none_or(|winner| winner.0 == seat) as u8
            } else if self.rules.placement_captures {
                // R13: neither the first nor the second stone makes a mill; the capture that is due is still to come.
                let capturing = placed_by[1 - seat as usize].saturating_sub(2);
                let due = (pending && s.player.0 != seat) as u8;
                let fewest = 2 + s.winner.is_none_or(|winner| winner.0 == seat) as u8;
                (pieces - capturing.saturating_sub(due).min(pieces)).max(fewest)
            } else {
                most
            };
            let range = if least == most { most.to_string() } else { format!("{least} to {most}") };
            ensure!((least..=most).contains(&total), "player {seat} has {total} stones, not {range}");
        }
        Ok(())
    }

    fn check_beginner(&self, s: &State) -> Result<(), Error> {
        if s.phase == Phase::First {
            return Ok(());
        }
        let mills = s.stones.map(|stones| in_mills(stones) != 0);
        let all = 2 * self.rules.pieces as u32;
        let placed = self.turns_begun(s) >= all;
        let no = |why: &str| Err(Error::position(format!("beginner is {}, but {why}", null(s.beginner()))));
        let first = self.first(s);
        // While nothing has left the board, and nothing can have moved, who began it is still there to be seen.
        let untouched = !self.rules.placement_captures
            && (s.turn < all as u16 || s.opening_removals == 2 || s.empty() == 0);
        match (s.beginner(), self.rules.begin) {
            (None, Begin::FirstPlayer) => no("begin=\"first_player\" makes it the first player"),
            (Some(seat), Begin::FirstPlayer) if first.is_some_and(|first| first != seat) => {
                no("begin=\"first_player\" makes it the first player")
            }
            (None, Begin::FirstMill) if placed => no("all stones are placed"),
            (None, Begin::FirstMill) if mills != [false; 2] => no("there is a mill"),
            (None, Begin::FirstMill) if self.stones_missing(s) => {
                no("a stone is missing, so there was a mill")
            }
            (Some(seat), Begin::FirstMill) if untouched && !mills[seat as usize] => {
                match mills[1 - seat as usize] {
                    true => no("the other player alone has a mill"),
                    false if !placed => no("there is no mill"),
                    false if first == Some(seat) => no("there is no mill and the other player placed last"),
                    false => Ok(()),
                }
            }
            (Some(seat), Begin::FirstMill) if self.rules.pieces - s.hand[seat as usize] < 3 => {
                no("a mill takes three stones")
            }
            _ => Ok(()),
        }
    }

    /// Whether a stone that was placed is not on the board, while placing.
    fn stones_missing(&self, s: &State) -> bool {
        let in_hands = s.hand[0] as u32 + s.hand[1] as u32;
        (s.stones[0] | s.stones[1]).count_ones() + in_hands < 2 * self.rules.pieces as u32
    }

    fn check_remove(&self, s: &State) -> Result<(), Error> {
        let me = s.player.0;
        if s.opening_removals != 0 {
            let due = if s.opening_removals == 2 { s.beginner } else { 1 - s.beginner };
            ensure!(
                me == due,
                "player is {me}, but opening removal {} is player {due}'s",
                3 - s.opening_removals
            );
            return Ok(());
        }
        ensure!(in_mills(s.stones[me as usize]) != 0, "player {me} removes a stone without a mill");
        Ok(())
    }

    fn check_slide(&self, s: &State) -> Result<(), Error> {
        let me = s.player.0;
        let can = |seat: u8| self.can_move(s.stones[seat as usize], s.empty());
        if s.extra {
            ensure!(
                self.rules.blocked == Blocked::OpponentOpens,
                "extra is true, but blocked=\"loses\" allows no extra moves"
            );
            ensure!(!can(1 - me), "extra is true, but player {} can move", 1 - me);
            return Ok(());
        }
        ensure!(can(me), "player {me} cannot move");
        Ok(())
    }

    fn check_land(&self, s: &State) -> Result<(), Error> {
        let me = s.player.index();
        ensure!(self.rules.flying, "phase land needs flying=true");
        ensure!(
            s.stones[me].count_ones() == 2,
            "player {me} has {} stones besides the lifted one, not 2",
            s.stones[me].count_ones()
        );
        ensure!(
            s.lifted != NO_POINT && s.empty() >> s.lifted & 1 != 0,
            "lifted is {} in phase land; it must be the empty point that a stone has left",
            null(s.lifted())
        );
        Ok(())
    }

    /// The game is over for one of the reasons of the rules (R7, R8, R10).
    fn check_end(&self, s: &State) -> Result<(), Error> {
        if let Some(winner) = s.winner {
            return self.check_win(s, winner.0);
        }
        let limit = self.rules.no_capture_limit as u32;
        let full =
            s.empty() == 0 && s.turn == self.moving_from && self.rules.blocked == Blocked::OpponentOpens;
        // R12: a draw by the limit counts the turn of its last move.
        let idle = limit != 0 && s.no_capture == limit && s.turn > self.moving_from;
        let drawn = s.turn == self.rules.max_turns || idle || full;
        ensure!(drawn, "phase is over with turn {}, no_capture {} and no winner", s.turn, s.no_capture);
        Ok(())
    }

    /// A win is by a capture (R8), or because who is to move cannot (R7).
    fn check_win(&self, s: &State, winner: u8) -> Result<(), Error> {
        let loser = 1 - winner;
        let stones = s.stones[loser as usize];
        let total = stones.count_ones() + s.hand[loser as usize] as u32;
        // The last thing done, a capture or a move without one, can be seen.
        let captured = s.no_capture == 0 && in_mills(s.stones[winner as usize]) != 0;
        if total < 3 {
            ensure!(
                captured,
                "player {winner} has won by a capture, but has no mill or has counted moves since"
            );
            return Ok(());
        }
        let shut = self.rules.blocked == Blocked::Loses
            && self.turns_begun(s) >= self.moving_from as u32
            && !self.can_move(stones, s.empty());
        ensure!(shut, "winner is {winner}, but player {loser} has {total} stones and can move");
        if s.turn < self.moving_from {
            ensure!(
                loser == s.beginner,
                "winner is {winner}, but before the first move only the beginner can be blocked, and that is player \
                     {winner}"
            );
            return Ok(());
        }
        ensure!(
            captured || s.no_capture != 0,
            "player {winner} has blocked the other, but no_capture is 0 and there is no mill that could have captured"
        );
        Ok(())
    }
}

fn winner(s: &State) -> String {
    null(s.winner.map(|side| side.0))
}
