//! On what terms the games of a batch begin.

use serde::{Deserialize, Serialize};

use super::lineups::BoundLineups;
use crate::agents::{Draws, Streams};
use crate::rules::FullGame;

/// Which streams a lane is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Origin {
    pub(super) seed: u64,
    pub(super) game: u64,
}

impl Origin {
    pub(super) fn streams(self, episode: u32) -> Streams {
        Streams::of_episode(self.seed, self.game, episode)
    }
}

/// On what terms games begin.
#[derive(Debug)]
pub(super) struct Terms<G: FullGame> {
    pub(super) lineups: BoundLineups<G>,
    /// The states in which games begin, each equally likely; empty: where all games of the rule book do.
    pub(super) starts: Vec<G::State>,
    /// For each lane.
    pub(super) origins: Vec<Origin>,
}

impl<G: FullGame> Terms<G> {
    /// Who plays the next game of a lane, which is number `episode` on its streams, and where it begins if that is drawn.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn draw(&self, lane: usize, episode: u32) -> (u32, Option<G::State>) {
        if self.lineups.is_one() && self.starts.is_empty() {
            return (0, None);
        }
        self.draw_here(self.origins[lane], episode)
    }

    #[cold]
    fn draw_here(&self, origin: Origin, episode: u32) -> (u32, Option<G::State>) {
        let mut draws = Draws::new(origin.seed, origin.game, episode);
        let lineup = self.lineups.draw(&mut draws);
        let start = match u32::try_from(self.starts.len()) {
            Ok(0) | Err(_) => None,
            Ok(starts) => Some(self.starts[draws.start.below(starts) as usize]),
        };
        (lineup, start)
    }
}
