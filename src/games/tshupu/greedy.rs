//! What a greedy player of T'shu-p'u likes: bear off, hit, reach the centre, move far, stand safely. Nobody ever chooses
//! between winning and anything else: the last piece of a team, in the centre, has one move.

use super::TshuPu;
use super::board::{CENTRE, ENEMIES, OFF, REACHED_FROM, START, START_AGAIN, enemy_numbers, is_crosscut};
use super::moves::Move;
use super::rules::Crosscuts;
use super::state::{Phase, State};
use crate::rules::action::{Action, ActionSet};
use crate::rules::bits::bits;
use crate::rules::game::{Game, Heuristic};
use crate::rules::player::MAX_PLAYERS;

const BEAR_OFF: i32 = 2_000;
/// For each piece hit, and so much more for each square that it loses.
const HIT: i32 = 300;
const HIT_PROGRESS: i32 = 20;
const REACH_CENTRE: i32 = 200;
const STEP: i32 = 4;

impl TshuPu {
    /// How good it looks that one piece moves, and whether it hits.
    #[inline(always)]
    fn move_score(&self, s: &State, owner: usize, from: u8, distance: u8) -> (i32, bool) {
        let to = from + distance;
        if to == OFF {
            return (BEAR_OFF, false);
        }
        let (hits, lost) = self.enemies_hit(s, owner, to);
        let centre = if to == CENTRE { REACH_CENTRE } else { 0 };
        let gain = HIT * hits as i32 + HIT_PROGRESS * lost as i32 + centre + STEP * distance as i32;
        (gain + self.risk(s, owner, from) - self.risk(s, owner, to), hits != 0)
    }

    /// What a piece stands to lose here: its progress, for each enemy piece that one die or both would bring here.
    #[inline(always)]
    pub(super) fn risk(&self, s: &State, owner: usize, progress: u8) -> i32 {
        if !self.is_open(progress) {
            return 0;
        }
        let mut threats = 0;
        for (from, enemy) in REACHED_FROM[progress as usize & 63].into_iter().zip(ENEMIES) {
            for value in s.pieces[(owner + enemy) % MAX_PLAYERS].values() {
                threats += (from >> (value & 63) & 1) as i32;
            }
        }
        threats * progress as i32
    }

    /// Whether a piece may be hit here.
    #[inline(always)]
    fn is_open(&self, progress: u8) -> bool {
        let ends = self.rules.crosscuts == Crosscuts::SidesAndEnds;
        (START..=START_AGAIN).contains(&progress) && !is_crosscut(progress as usize - 1, ends)
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
        if !self.is_open(progress) {
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

/// Nothing is known yet.
const UNKNOWN: i32 = i32::MIN;

impl Heuristic for TshuPu {
    /// A die counts with the best that the other die can do after it.
    #[inline(always)]
    fn score(&self, s: &State, action: Action) -> i32 {
        self.score_with(s, self.owner(s), action, &mut [[UNKNOWN; 64]; 2])
    }

    #[inline(always)]
    fn best(&self, s: &State, legal: ActionSet) -> Option<Action> {
        let owner = self.owner(s);
        let mut seconds = [[UNKNOWN; 64]; 2];
        let mut best: Option<(i32, Action)> = None;
        for action in legal {
            let score = self.score_with(s, owner, action, &mut seconds);
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, action));
            }
        }
        best.map(|(_, action)| action)
    }
}

impl TshuPu {
    /// The score of an action. `seconds` holds what is known of moves by each of the two dice: a first die that hits
    /// nobody changes nothing about what the second is worth.
    #[inline(always)]
    fn score_with(&self, s: &State, owner: usize, action: Action, seconds: &mut [[i32; 64]; 2]) -> i32 {
        let (from, distance) = match Move::from_action(action) {
            Some(Move::Die { face, from }) => (from, face),
            Some(Move::Both { from }) => (from, s.dice[0] + s.dice[1]),
            None => return i32::MIN,
        };
        let rest = s.dice[0] + s.dice[1] - distance;
        let (score, hits) = self.move_score(s, owner, from, distance);
        if s.phase != Phase::Move || rest == 0 {
            return score;
        }
        if hits {
            return score + self.second_after_hit(s, owner, action);
        }
        let known = &mut seconds[(rest == s.dice[1]) as usize];
        let mut second = UNKNOWN;
        for from in bits(self.seconds_after(s, owner, from, distance)) {
            let worth = &mut known[from & 63];
            if *worth == UNKNOWN {
                *worth = self.move_score(s, owner, from as u8, rest).0;
            }
            second = second.max(*worth);
        }
        score + if second == UNKNOWN { 0 } else { second }
    }

    /// The best that the other die can do where this action hits somebody.
    fn second_after_hit(&self, s: &State, owner: usize, action: Action) -> i32 {
        let mut after = *s;
        self.apply(&mut after, action, &mut ());
        if after.phase != Phase::Second {
            return 0;
        }
        let rest = after.dice[0];
        let moves = self.legal(&after).iter().filter_map(Move::from_action);
        let froms = moves.filter_map(|choice| match choice {
            Move::Die { from, .. } => Some(from),
            Move::Both { .. } => None,
        });
        froms.map(|from| self.move_score(&after, owner, from, rest).0).max().unwrap_or(0)
    }
}
