//! Where stones stand: the points, in hand, and those that are lost.

use super::board::{NAMES, POINTS};
use super::{Shah, State};
use crate::rules::bits::bits;
use crate::rules::game::Places;
use crate::rules::player::Side;

impl Places for Shah {
    const BESIDE: &'static [&'static str] = &["hand", "lost"];

    fn num_places(&self) -> usize {
        POINTS
    }

    fn place_name(&self, place: usize) -> String {
        NAMES[place].to_owned()
    }

    fn standing(&self, state: &State, tell: &mut impl FnMut(usize, Side, u8)) {
        for (side, stones) in state.stones.into_iter().enumerate() {
            let (hand, owner) = (state.hand[side], Side(side as u8));
            bits(u64::from(stones)).for_each(|point| tell(point, owner, 1));
            // A lifted stone is in the air.
            let lifted = u8::from(state.lifted().is_some() && state.player.index() == side);
            tell(POINTS, owner, hand);
            tell(POINTS + 1, owner, self.rules.pieces - hand - stones.count_ones() as u8 - lifted);
        }
    }
}
