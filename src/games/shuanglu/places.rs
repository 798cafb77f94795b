//! Where pieces stand: the points, by the numbers of seat 0, on the bar, and off.

use super::board::{BAR, OFF, mirrored};
use super::{Shuanglu, State};
use crate::rules::game::Places;
use crate::rules::player::Side;

impl Places for Shuanglu {
    const BESIDE: &'static [&'static str] = &["bar", "off"];

    fn num_places(&self) -> usize {
        BAR - 1
    }

    fn place_name(&self, place: usize) -> String {
        (place + 1).to_string()
    }

    fn standing(&self, state: &State, tell: &mut impl FnMut(usize, Side, u8)) {
        for (side, counts) in state.counts.iter().enumerate() {
            for (index, &pieces) in counts.iter().enumerate() {
                let place = match index {
                    BAR => BAR - 1,
                    OFF => BAR,
                    point if side == 0 => point - 1,
                    point => mirrored(point) - 1,
                };
                if pieces > 0 {
                    tell(place, Side(side as u8), pieces);
                }
            }
        }
    }
}
