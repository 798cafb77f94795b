//! What a greedy player of T'shu-p'u likes: bear off, hit, reach the centre, move far, stand safely. Nobody ever chooses
//! between winning and anything else: the last piece of a team, in the centre, has one move.

use super::TshuPu;
use super::board::{CENTRE, ENEMIES, OFF, START, START_AGAIN, enemy_numbers, is_crosscut};
use super::moves::Move;
use super::rules::Crosscuts;
use super::state::{Phase, State};
use crate::rules::action::Action;
use crate::rules::game::Game;
use crate::rules::game::Heuristic;
use crate::rules::player::MAX_PLAYERS;

const BEAR_OFF: i32 = 2_000;
/// For each piece hit, and so much more for each square that it loses.
const HIT: i32 = 300;
const HIT_PROGRESS: i32 = 20;
const REACH_CENTRE: i32 = 200;
const STEP: i32 = 4;

/// How far one die or both can bring a piece.
const THROWS: [u8; 11] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12];

impl TshuPu {
    /// How good it looks that one piece moves.
    fn move_score(&self, s: &State, owner: usize, from: u8, distance: u8) -> i32 {
        let to = from + distance;
        if to == OFF {
            return BEAR_OFF;
        }
        let hits: i32 =
            self.enemies_on(s, owner, to).iter().map(|&lost| HIT + HIT_PROGRESS * lost as i32).sum();
        let centre = if to == CENTRE { REACH_CENTRE } else { 0 };
        hits + centre + STEP * distance as i32 + self.risk(s, owner, from) - self.risk(s, owner, to)
    }

    /// What a piece stands to lose here: its progress, for each enemy piece that one die or both would bring here.
    pub(super) fn risk(&self, s: &State, owner: usize, progress: u8) -> i32 {
        let mut threats = 0;
        self.enemies_behind(s, owner, progress, |distances| {
            threats += distances.iter().any(|distance| THROWS.contains(distance)) as i32;
        });
        threats * progress as i32
    }

    /// Tells of each enemy piece how far it has to go to come here, on its first way round and on its second, if it is
    /// behind; nothing of a piece that cannot be hit.
    #[inline(always)]
    pub(super) fn enemies_behind(
        &self,
        s: &State,
        owner: usize,
        progress: u8,
        mut told: impl FnMut([u8; 2]),
    ) {
        let ends = self.rules.crosscuts == Crosscuts::SidesAndEnds;
        if !(START..=START_AGAIN).contains(&progress) || is_crosscut(progress as usize - 1, ends) {
            return;
        }
        for (place, enemy) in ENEMIES.into_iter().enumerate() {
            let numbers =
                enemy_numbers(progress, place).map(|here| if here > START_AGAIN { 0 } else { here });
            for value in s.pieces[(owner + enemy) % MAX_PLAYERS].values() {
                told(numbers.map(|here| here.saturating_sub(value)));
            }
        }
    }
}

impl Heuristic for TshuPu {
    /// A die counts with the best that the other die can do after it.
    fn score(&self, s: &State, action: Action) -> i32 {
        let owner = self.owner(s);
        let (from, distance) = match Move::from_action(action) {
            Some(Move::Die { face, from }) => (from, face),
            Some(Move::Both { from }) => (from, s.dice[0] + s.dice[1]),
            None => return i32::MIN,
        };
        let score = self.move_score(s, owner, from, distance);
        if s.phase != Phase::Move {
            return score;
        }
        let mut after = *s;
        self.apply(&mut after, action, &mut ());
        if after.phase != Phase::Second {
            return score;
        }
        let second = self.legal(&after).iter().map(|action| self.score(&after, action)).max();
        score + second.unwrap_or(0)
    }
}
