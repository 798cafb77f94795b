//! Where a step writes.

use super::Autoreset;
use crate::rules::game::FullGame;

/// What [`Out::current_player`] holds where it is no player's turn: OpenSpiel's number for the end.
pub const TERMINAL: i8 = -4;

/// Where a step writes: every cell of every slice, lane by lane.
#[derive(Debug, Default)]
pub struct Out<'a> {
    /// Lanes x cells: the view of the player to act; of the last who acted when the game is over.
    pub observations: &'a mut [i8],
    /// Lanes x actions: 1 where the lane takes the action in the next step.
    pub masks: &'a mut [i8],
    /// Lanes: the seat to act, or -4 when the game is over.
    pub current_player: &'a mut [i8],
    /// Lanes x players.
    pub rewards: &'a mut [f32],
    /// Lanes: the game was decided or drawn in this step.
    pub terminated: &'a mut [bool],
    /// Lanes: the game was cut off in this step.
    pub truncated: &'a mut [bool],
    /// Lanes: the action was not legal; empty where such an action is refused.
    pub illegal: &'a mut [bool],
    /// Under [`super::Autoreset::SameStep`], lanes x cells, written only for lanes that ended; else empty.
    pub final_observations: &'a mut [i8],
    /// The same for masks.
    pub final_masks: &'a mut [i8],
    /// The same for the seat to act.
    pub final_current_player: &'a mut [i8],
}

impl<'a> Out<'a> {
    /// The same slices for a shorter time, to be used again after a step.
    pub fn reborrow(&mut self) -> Out<'_> {
        Out {
            observations: self.observations,
            masks: self.masks,
            current_player: self.current_player,
            rewards: self.rewards,
            terminated: self.terminated,
            truncated: self.truncated,
            illegal: self.illegal,
            final_observations: self.final_observations,
            final_masks: self.final_masks,
            final_current_player: self.final_current_player,
        }
    }

    /// # Panics
    /// When a slice that shows the lanes does not have their size.
    pub(super) fn check_shown<G: FullGame>(&self, lanes: usize) {
        assert_eq!(self.observations.len(), lanes * G::OBSERVATION_LEN, "an observation a lane");
        assert_eq!(self.masks.len(), lanes * G::NUM_ACTIONS, "a mask a lane");
        assert_eq!(self.current_player.len(), lanes, "a current player a lane");
    }

    /// # Panics
    /// When a slice does not have the size of the batch.
    pub(super) fn check<G: FullGame>(&self, lanes: usize, players: usize, autoreset: Autoreset) {
        self.check_shown::<G>(lanes);
        assert_eq!(self.rewards.len(), lanes * players, "rewards a lane");
        assert_eq!(self.terminated.len(), lanes, "a terminated flag a lane");
        assert_eq!(self.truncated.len(), lanes, "a truncated flag a lane");
        assert!([0, lanes].contains(&self.illegal.len()), "an illegal flag a lane, or none");
        let last = [
            (self.final_observations.len(), G::OBSERVATION_LEN),
            (self.final_masks.len(), G::NUM_ACTIONS),
            (self.final_current_player.len(), 1),
        ];
        for (cells, width) in last {
            let unused = cells == 0 && autoreset != Autoreset::SameStep;
            assert!(unused || cells == lanes * width, "a last view a lane, needed under SameStep alone");
        }
    }

    /// The rows of the first `lanes` of all `of` lanes, and the others.
    pub(super) fn split_at(self, lanes: usize, of: usize) -> (Out<'a>, Out<'a>) {
        // A slice that is not asked for is empty and stays so.
        fn cut<T>(slice: &mut [T], lanes: usize, of: usize) -> (&mut [T], &mut [T]) {
            let at = slice.len() / of * lanes;
            slice.split_at_mut(at)
        }
        let observations = cut(self.observations, lanes, of);
        let masks = cut(self.masks, lanes, of);
        let current_player = cut(self.current_player, lanes, of);
        let rewards = cut(self.rewards, lanes, of);
        let terminated = cut(self.terminated, lanes, of);
        let truncated = cut(self.truncated, lanes, of);
        let illegal = cut(self.illegal, lanes, of);
        let final_observations = cut(self.final_observations, lanes, of);
        let final_masks = cut(self.final_masks, lanes, of);
        let final_current_player = cut(self.final_current_player, lanes, of);
        (
            Out {
                observations: observations.0,
                masks: masks.0,
                current_player: current_player.0,
                rewards: rewards.0,
                terminated: terminated.0,
                truncated: truncated.0,
                illegal: illegal.0,
                final_observations: final_observations.0,
                final_masks: final_masks.0,
                final_current_player: final_current_player.0,
            },
            Out {
                observations: observations.1,
                masks: masks.1,
                current_player: current_player.1,
                rewards: rewards.1,
                terminated: terminated.1,
                truncated: truncated.1,
                illegal: illegal.1,
                final_observations: final_observations.1,
                final_masks: final_masks.1,
                final_current_player: final_current_player.1,
            },
        )
    }
}
