//! One game of a batch, and what stands beside it.

use serde::{Deserialize, Serialize};

use crate::agents::{Choices, Stream};
use crate::play::Counts;
use crate::rules::{Action, ActionSet, Player, Tally};

#[derive(Clone, Debug)]
pub(super) struct Lane<S> {
    pub(super) state: S,
    /// Where the outcomes of chance come from.
    pub(super) dice: Stream,
    /// Decisions of the caller: of the learner only where there is one.
    pub(super) steps: u32,
    /// Whose view is written: who acts, or acted last; at the end the learner where there is one.
    pub(super) viewer: Player,
    /// How many games were begun since the lane was put on its streams.
    pub(super) episodes: u32,
    /// Who plays: a row of the lineups.
    pub(super) lineup: u32,
    /// Who played the game before.
    pub(super) last_lineup: u32,
    /// How many games in a row were over before the caller chose.
    pub(super) empty: u16,
}

impl<S> Lane<S> {
    /// A lane in which no game has begun.
    pub(super) fn new(state: S, dice: Stream) -> Self {
        Lane { state, dice, steps: 0, viewer: Player(0), episodes: 0, lineup: 0, last_lineup: 0, empty: 0 }
    }
}

/// What was counted in a lane's game, and in the one before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tallies {
    pub(super) now: Counts,
    pub(super) last: Counts,
}

/// What a lane has where it is needed. Only with `COUNTS` is anything counted: asking at every event whether it is would
/// make the games of those who do not want to know slower.
pub(super) struct Beside<'a, const COUNTS: bool> {
    /// What each seat draws its choices from, where somebody draws.
    pub(super) choices: Option<&'a mut Choices>,
    pub(super) tallies: Option<&'a mut Tallies>,
}

impl<const COUNTS: bool> Beside<'_, COUNTS> {
    /// The same, where it is asked at every event whether it counts.
    pub(super) fn counting(&mut self) -> Beside<'_, true> {
        Beside { choices: self.choices.as_deref_mut(), tallies: self.tallies.as_deref_mut() }
    }
}

impl<const COUNTS: bool> Tally for Beside<'_, COUNTS> {
    #[cfg_attr(fast, inline(always))]
    fn add(&mut self, statistic: usize, player: Player, n: u32) {
        if let Some(tallies) = &mut self.tallies {
            tallies.now.add(statistic, player, n);
        }
    }
}

/// What a lane takes next. It stands apart from the lane, so that looking at all actions before any is played reads
/// little memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Status {
    /// Means nothing when the game has ended.
    pub(super) legal: ActionSet,
    pub(super) ending: Ending,
    /// Whether a policy is asked: then a step is under way. It is the game's beginning as long as the caller has made no
    /// decision in it.
    pub(super) asked: bool,
}

/// Whether and how a lane's game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Ending {
    /// It goes on.
    None,
    /// It is over: by the rules, or by an illegal action.
    Over,
    /// It was cut off.
    CutOff,
}

impl Status {
    /// A status that takes nothing.
    pub(super) const CLOSED: Status = Status { legal: ActionSet::EMPTY, ending: Ending::Over, asked: false };

    #[cfg_attr(fast, inline(always))]
    pub(super) fn ended(&self) -> bool {
        self.ending != Ending::None
    }

    /// Whether the action is legal.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn takes(&self, action: u8) -> bool {
        self.legal.contains(Action(action.into()))
    }
}
