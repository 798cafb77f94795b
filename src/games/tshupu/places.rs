//! Where pieces stand: the squares of the loop by the numbers of seat 0, the ways to the centre, the centre, in hand, and
//! off.

use super::board::{CENTRE, HAND, LOOP, OFF, QUARTER, START_AGAIN};
use super::draw::COLOURS;
use super::{State, TshuPu};
use crate::rules::game::{Game, Places};
use crate::rules::player::{Player, Side};

/// Squares of a seat's own between the loop and the centre.
const WAY: usize = (CENTRE - START_AGAIN) as usize - 1;
const PLACES: usize = LOOP + 4 * WAY + 1;

impl Places for TshuPu {
    const BESIDE: &'static [&'static str] = &["hand", "off"];

    fn num_places(&self) -> usize {
        PLACES
    }

    fn place_name(&self, place: usize) -> String {
        match place.checked_sub(LOOP) {
            None => (place + 1).to_string(),
            Some(way) if way < 4 * WAY => {
                let square = START_AGAIN as usize + 1 + way % WAY;
                // As the drawing calls them: seat 0 numbers its own way.
                if way < WAY { square.to_string() } else { format!("{} {square}", COLOURS[way / WAY]) }
            }
            Some(_) => CENTRE.to_string(),
        }
    }

    fn standing(&self, state: &State, tell: &mut impl FnMut(usize, Side, u8)) {
        for (seat, pieces) in state.pieces.iter().enumerate() {
            let side = self.side(Player(seat as u8));
            // Those that a seat does not have come last, as if they were off.
            for progress in pieces.values().into_iter().take(self.rules.pieces as usize) {
                let place = match progress {
                    HAND => PLACES,
                    CENTRE => PLACES - 1,
                    OFF => PLACES + 1,
                    1..=START_AGAIN => (progress as usize - 1 + LOOP - seat * QUARTER) % LOOP,
                    _ => LOOP + seat * WAY + (progress - START_AGAIN) as usize - 1,
                };
                tell(place, side, 1);
            }
        }
    }
}
