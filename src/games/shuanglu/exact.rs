//! Bearing off without contact.

use super::board::{BAR, OFF, OUTSIDE_FROM, PIECES, mirrored};
use super::{Shuanglu, State};
use crate::exact::bear_off::{BearsOff, HOME, Placing};
use crate::rules::Player;

impl BearsOff for Shuanglu {
    const DECISIVE: &'static [&'static str] = &["doubles", "bear_off", "larger_die"];

    fn pieces(&self) -> u8 {
        PIECES
    }

    fn placing(&self, state: &State, seat: Player) -> Option<Placing> {
        let (own, enemy) = (&state.counts[seat.index()], &state.counts[seat.index() ^ 1]);
        let home = own[OUTSIDE_FROM..].iter().all(|&count| count == 0);
        // Enemies that have not passed the home, those on the bar among them, may still hit there or be in the way.
        let met = enemy[mirrored(HOME)..].iter().any(|&count| count != 0);
        (home && !met).then(|| std::array::from_fn(|point| own[point + 1]))
    }

    fn race(&self, placings: [Placing; 2]) -> State {
        State::of(placings.map(|placing| {
            let mut counts = [0; BAR + 1];
            counts[1..=HOME].copy_from_slice(&placing);
            counts[OFF] = PIECES - placing.iter().sum::<u8>();
            counts
        }))
    }
}
