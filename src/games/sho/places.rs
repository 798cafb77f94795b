//! Where coins stand: the gaps behind the shells, in hand, and off.

use super::{Sho, State};
use crate::rules::bits::bits;
use crate::rules::game::Places;
use crate::rules::player::Side;

impl Places for Sho {
    const BESIDE: &'static [&'static str] = &["hand", "off"];

    fn num_places(&self) -> usize {
        self.rules.num_shells as usize - 1
    }

    fn place_name(&self, place: usize) -> String {
        (place + 1).to_string()
    }

    fn standing(&self, state: &State, tell: &mut impl FnMut(usize, Side, u8)) {
        for side in 0..self.num_sides {
            let owner = Side(side as u8);
            bits(state.track[side]).for_each(|at| tell(at - 1, owner, state.size[at]));
            tell(self.num_places(), owner, state.hand[side]);
            tell(self.num_places() + 1, owner, state.off[side]);
        }
    }
}
