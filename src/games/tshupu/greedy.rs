//! What a greedy player of T'shu-p'u likes: bear off, hit, reach the centre, move far, stand safely. Nobody ever chooses
//! between winning and anything else: the last piece of a team, in the centre, has one move.

use super::board::{
    CENTRE, ENEMIES, ENEMY_NEAR, MAX_PIECES, OFF, OPEN_SIDES, OPEN_SIDES_AND_ENDS, START_AGAIN, enemy_numbers,
};
use super::{Crosscuts, Move, Phase, State, TshuPu};
use crate::rules::{Action, ActionSet, Best, Game, Heuristic, MAX_PLAYERS};

const BEAR_OFF: i32 = 2_000;
/// For each piece hit, and so much more for each square that it loses.
const HIT: i32 = 300;
const HIT_PROGRESS: i32 = 20;
const REACH_CENTRE: i32 = 200;
const STEP: i32 = 4;

/// What no move is worth.
const NEVER: i32 = i32::MIN;

/// What the moves of a position have in common.
struct Prospects {
    /// Whose pieces move.
    owner: usize,
    /// What [`ENEMY_NEAR`] holds, of all enemy pieces together.
    near: [u64; 4],
    /// What it is worth to move each piece by each die; [`NEVER`] where it cannot move.
    singles: [[i32; MAX_PIECES]; 2],
}

impl Prospects {
    /// How many enemy pieces stand on the square with this number, and how many a throw would bring there.
    #[cfg_attr(fast, inline(always))]
    fn enemies(&self, progress: u8) -> (u8, u8) {
        let counts = (self.near[progress as usize >> 3 & 3] >> (progress << 3 & 63)) as u8;
        (counts >> 4, counts & 15)
    }
}

impl TshuPu {
    #[cfg_attr(fast, inline(always))]
    fn prospects(&self, s: &State) -> Prospects {
        let owner = self.owner(s);
        let mut near = [0; 4];
        for (place, enemy) in ENEMIES.into_iter().enumerate() {
            for progress in s.pieces[(owner + enemy) % MAX_PLAYERS].values() {
                for (sum, counts) in near.iter_mut().zip(ENEMY_NEAR[place][progress as usize & 63]) {
                    *sum += counts;
                }
            }
        }
        let mut prospects = Prospects { owner, near, singles: [[NEVER; MAX_PIECES]; 2] };
        if s.phase == Phase::Move {
            for place in 0..2 {
                for (piece, from) in s.pieces[owner].values().into_iter().enumerate() {
                    if s.may_leave(s.dice[place]) >> (from & 63) & 1 != 0 {
                        let worth = self.move_score(s, &prospects, from, s.dice[place]);
                        prospects.singles[place][piece] = worth;
                    }
                }
            }
        }
        prospects
    }

    /// How good it looks that one piece moves.
    #[cfg_attr(fast, inline(always))]
    fn move_score(&self, s: &State, prospects: &Prospects, from: u8, distance: u8) -> i32 {
        let to = from + distance;
        if to == OFF {
            return BEAR_OFF;
        }
        let mut gain = if to == CENTRE { REACH_CENTRE } else { 0 } + STEP * distance as i32;
        if prospects.enemies(to).0 != 0 {
            let (hits, lost) = self.enemies_hit(s, prospects.owner, to);
            gain += HIT * hits as i32 + HIT_PROGRESS * lost as i32;
        }
        gain + self.risk(prospects, from) - self.risk(prospects, to)
    }

    /// What a piece stands to lose here: its progress, for each enemy piece that one die or both would bring here.
    #[cfg_attr(fast, inline(always))]
    fn risk(&self, prospects: &Prospects, progress: u8) -> i32 {
        let threats = if self.is_open(progress) { prospects.enemies(progress).1 } else { 0 };
        threats as i32 * progress as i32
    }

    /// Whether a piece may be hit here.
    #[cfg_attr(fast, inline(always))]
    fn is_open(&self, progress: u8) -> bool {
        let open = match self.rules.crosscuts {
            Crosscuts::Sides => OPEN_SIDES,
            Crosscuts::SidesAndEnds => OPEN_SIDES_AND_ENDS,
        };
        open >> (progress & 63) & 1 != 0
    }

    /// Tells of each enemy piece how far it has to go to come here, on its first way round and on its second, if it is
    /// behind; nothing of a piece that cannot be hit.
    #[cfg_attr(fast, inline(always))]
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

impl Heuristic for TshuPu {
    #[cfg_attr(fast, inline(always))]
    fn score(&self, s: &State, action: Action) -> i32 {
        self.score_with(s, &self.prospects(s), action)
    }

    #[cfg_attr(fast, inline(always))]
    fn best(&self, s: &State, legal: ActionSet) -> Option<Action> {
        let prospects = self.prospects(s);
        let mut best = Best::default();
        for action in legal {
            best.weigh(action, self.score_with(s, &prospects, action));
        }
        best.action()
    }
}

impl TshuPu {
    /// The score of an action: a die counts with the best that the other die can do after it.
    #[cfg_attr(fast, inline(always))]
    fn score_with(&self, s: &State, prospects: &Prospects, action: Action) -> i32 {
        let (from, distance) = match Move::from_action(action) {
            Some(Move::Die { face, from }) => (from, face),
            Some(Move::Both { from }) => (from, s.dice[0] + s.dice[1]),
            None => return i32::MIN,
        };
        let (to, rest) = (from + distance, s.dice[0] + s.dice[1] - distance);
        let score = self.move_score(s, prospects, from, distance);
        if s.phase != Phase::Move || rest == 0 {
            return score;
        }
        if to != OFF && prospects.enemies(to).0 != 0 {
            return score + self.second_after_hit(s, action);
        }
        // A first die that hits nobody changes nothing about what the others do by the second.
        let first = s.pieces[prospects.owner].find(from);
        let mut second = NEVER;
        for (piece, &worth) in prospects.singles[(rest == s.dice[1]) as usize].iter().enumerate() {
            second = second.max(if piece == first { NEVER } else { worth });
        }
        if self.rules.same_piece_both_dice && s.may_leave(rest) >> (to & 63) & 1 != 0 {
            second = second.max(self.move_score(s, prospects, to, rest));
        }
        score + if second == NEVER { 0 } else { second }
    }

    /// The best that the other die can do where this action hits somebody.
    fn second_after_hit(&self, s: &State, action: Action) -> i32 {
        let mut after = *s;
        self.apply(&mut after, action, &mut ());
        if after.phase != Phase::Second {
            return 0;
        }
        let prospects = self.prospects(&after);
        let mut best = NEVER;
        for action in self.legal(&after) {
            best = best.max(self.score_with(&after, &prospects, action));
        }
        best
    }
}
