//! Where pieces stand: the squares, in hand, and off.

use super::board::TRACK;
use super::{Gamename, State};
use crate::rules::bits::bits;
use crate::rules::game::Places;
use crate::rules::player::{Player, Side};

impl Places for Gamename {
    const BESIDE: &'static [&'static str] = &["hand", "off"];

    fn num_places(&self) -> usize {
        TRACK
    }

    fn place_name(&self, place: usize) -> String {
        (place + 1).to_string()
    }

    fn standing(&self, state: &State, tell: &mut impl FnMut(usize, Side, u8)) {
        for (side, on) in state.on.into_iter().enumerate() {
            let owner = Side(side as u8);
            bits(u64::from(on)).for_each(|square| tell(square - 1, owner, 1));
            tell(TRACK, owner, self.hand(state, Player(side as u8)));
            tell(TRACK + 1, owner, state.off[side]);
        }
    }
}
