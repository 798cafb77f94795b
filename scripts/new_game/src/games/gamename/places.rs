//! Where pieces stand: the squares.

use super::board::TRACK;
use super::{Gamename, State};
use crate::rules::bits::bits;
use crate::rules::game::Places;
use crate::rules::player::Side;

impl Places for Gamename {
    fn num_places(&self) -> usize {
        TRACK
    }

    fn place_name(&self, place: usize) -> String {
        (place + 1).to_string()
    }

    fn standing(&self, state: &State, tell: &mut impl FnMut(usize, Side, u8)) {
        for (side, on) in state.on.into_iter().enumerate() {
            bits(u64::from(on)).for_each(|square| tell(square - 1, Side(side as u8), 1));
        }
    }
}
