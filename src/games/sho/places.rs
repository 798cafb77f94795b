//! Where coins stand: the gaps behind the shells.

use super::{Sho, State};
use crate::rules::bits::bits;
use crate::rules::game::Places;
use crate::rules::player::Side;

impl Places for Sho {
    fn num_places(&self) -> usize {
        self.rules.num_shells as usize - 1
    }

    fn place_name(&self, place: usize) -> String {
        (place + 1).to_string()
    }

    fn standing(&self, state: &State, tell: &mut impl FnMut(usize, Side, u8)) {
        for (side, &track) in state.track.iter().enumerate() {
            bits(track).for_each(|at| tell(at - 1, Side(side as u8), state.size[at]));
        }
    }
}
