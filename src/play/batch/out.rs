//! Where a step writes.

use super::Autoreset;
use crate::rules::FullGame;

macro_rules! out {
    ($($(#[$about:meta])* $slice:ident: $cell:ty,)*) => {
        /// Where a step writes: every cell of every slice, lane by lane.
        #[derive(Debug, Default)]
        pub struct Out<'a> {
            $($(#[$about])* pub $slice: &'a mut [$cell],)*
        }

        impl<'a> Out<'a> {
            /// The same slices for a shorter time, to be used again after a step.
            pub fn reborrow(&mut self) -> Out<'_> {
                Out { $($slice: self.$slice,)* }
            }

            /// The rows of the first `lanes` of all `of` lanes, and the others.
            pub(super) fn split_at(self, lanes: usize, of: usize) -> (Out<'a>, Out<'a>) {
                // A slice that is not asked for is empty and stays so.
                $(let $slice = self.$slice.split_at_mut(self.$slice.len() / of * lanes);)*
                (Out { $($slice: $slice.0,)* }, Out { $($slice: $slice.1,)* })
            }
        }
    };
}

out! {
    /// Lanes x cells: the view of the player to act; of the last who acted when the game is over.
    observations: i8,
    /// Lanes x actions: 1 where the lane takes the action in the next step.
    masks: i8,
    /// Lanes: the seat to act, or -4 when the game is over.
    current_player: i8,
    /// Lanes x players.
    rewards: f32,
    /// Lanes: the game was decided or drawn in this step.
    terminated: bool,
    /// Lanes: the game was cut off in this step.
    truncated: bool,
    /// Lanes: the action was not legal; empty where such an action is refused.
    illegal: bool,
    /// Under [`super::Autoreset::SameStep`], lanes x cells, written only for lanes that ended; else empty.
    final_observations: i8,
    /// The same for masks.
    final_masks: i8,
    /// The same for the seat to act.
    final_current_player: i8,
}

impl Out<'_> {
    pub(super) fn check_shown<G: FullGame>(&self, lanes: usize) {
        assert_eq!(self.observations.len(), lanes * G::OBSERVATION_LEN, "an observation a lane");
        assert_eq!(self.masks.len(), lanes * G::NUM_ACTIONS, "a mask a lane");
        assert_eq!(self.current_player.len(), lanes, "a current player a lane");
    }

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
}
