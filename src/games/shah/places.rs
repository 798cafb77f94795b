//! Where stones stand: the points.

use super::board::{NAMES, POINTS};
use super::{Shah, State};
use crate::rules::bits::bits;
use crate::rules::game::Places;
use crate::rules::player::Side;

impl Places for Shah {
    fn num_places(&self) -> usize {
        POINTS
    }

    fn place_name(&self, place: usize) -> String {
        NAMES[place].to_owned()
    }

    fn standing(&self, state: &State, tell: &mut impl FnMut(usize, Side, u8)) {
        for (side, stones) in state.stones.into_iter().enumerate() {
            bits(u64::from(stones)).for_each(|point| tell(point, Side(side as u8), 1));
        }
    }
}
