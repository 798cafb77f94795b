//! What a greedy player of Sho likes: finish, kill the most, stack the most, else advance the rearmost.

use super::board::HAND;
use super::{Move, PaRa, Phase, Sho, State};
use crate::rules::{Action, Heuristic, bits};

const FINISH: i32 = 400;
const KILL: i32 = 300;
const STACK: i32 = 200;
const ADVANCE: i32 = 100;

impl Sho {
    /// A move off scores by its coins, a kill by the victims', a stack by its size, any other by how far behind it starts.
    fn source_score(&self, s: &State, side: usize, source: u8, value: u8) -> i32 {
        let size = self.size_at(s, side, source) as i32;
        let target = source + value;
        if target >= self.rules.num_shells {
            return FINISH + size;
        }
        let there = s.size[target as usize] as i32;
        if s.track[side] >> target & 1 != 0 {
            STACK + there + size
        } else if there != 0 {
            KILL + there
        } else {
            ADVANCE - source as i32
        }
    }
}

impl Heuristic for Sho {
    /// A value is worth its best move, of equals the farther one. In a split only the first part is looked at.
    fn score(&self, s: &State, action: Action) -> i32 {
        let side = self.side_index(s.player);
        match Move::from_action(action) {
            Some(Move::Source(source)) => self.source_score(s, side, source, s.value),
            Some(Move::Value(value)) => {
                let splits =
                    self.rules.pa_ra == PaRa::Flexible && s.phase == Phase::Value && value != s.pool.total();
                let sources = if splits {
                    self.first_part_sources(s, side, value)
                } else {
                    self.sources(s, side, value)
                };
                let best = bits(sources)
                    .map(|source| self.source_score(s, side, source as u8, value))
                    .max()
                    .unwrap_or(0);
                best * 128 + value as i32
            }
            // All coins on one position at once: the largest stack there is.
            Some(Move::BringAll) => STACK + s.hand[side] as i32,
            Some(Move::Decline) | None => i32::from(HAND) - 1,
        }
    }
}
