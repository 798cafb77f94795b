//! Bearing off without contact.

use super::Shuanglu;
use super::board::{BAR, OFF, OUTSIDE_FROM, PIECES, mirrored};
use super::state::State;
use crate::rules::forms::word;
use crate::rules::player::Player;
use crate::rules::racing::{BearsOff, HOME, Placing};

impl BearsOff for Shuanglu {
    fn pieces(&self) -> u8 {
        PIECES
    }

    fn decisive_rules(&self) -> Vec<(&'static str, String)> {
        vec![
            ("doubles", self.rules.doubles.to_string()),
            ("bear_off", word(&self.rules.bear_off)),
            ("larger_die", self.rules.larger_die.to_string()),
        ]
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
