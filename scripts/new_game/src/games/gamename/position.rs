//! Positions from what a person sees: the pieces of both players, and the throw.

use super::board::SQUARES;
use super::state::{Phase, State};
use super::{DIE, Gamename, PLAYERS};
use crate::base::error::{Error, shorten};
use crate::rules::forms::bail;
use crate::rules::keywords::{Given, Keyword, piles};
use crate::rules::{Player, SetUp};

impl SetUp for Gamename {
    fn keywords(&self) -> Vec<Keyword> {
        vec![
            Keyword::number("player", 0, PLAYERS as i64 - 1),
            Keyword::text("own"),
            Keyword::text("other"),
            Keyword::number("throw", 1, DIE.weights().len() as i64 - 1),
            Keyword::number("turn", 0, u16::MAX as i64),
        ]
    }

    fn set_up(&self, given: &Given) -> Result<State, Error> {
        let mut s = self.start();
        s.player = Player(given.number("player").unwrap_or(0));
        let own = s.player.index();
        for (seat, name) in [(own, "own"), (own ^ 1, "other")] {
            self.stand(&mut s, seat, name, given.text(name).unwrap_or_default())?;
        }
        s.turn = given.number("turn").unwrap_or(0);
        s.throw = given.number("throw").unwrap_or(0);
        if self.winning(&s).is_some() || s.turn == self.rules.max_turns {
            // The player says whose pieces are own.
            given.nothing_to_do(&["throw"])?;
            (s.phase, s.player) = (Phase::Over, Player(0));
        } else if s.throw != 0 {
            s.phase = Phase::Move;
        }
        Ok(s)
    }
}

impl Gamename {
    /// The pieces of a player, such as "3 7 off:2"; those that are not named are in hand.
    fn stand(&self, s: &mut State, seat: usize, name: &str, text: &str) -> Result<(), Error> {
        for (place, pieces) in piles(name, text)? {
            let square = place
                .parse()
                .ok()
                .filter(|&square: &u32| pieces == 1 && SQUARES.checked_shr(square).unwrap_or(0) & 1 != 0);
            match (place, square) {
                ("off", _) => s.off[seat] = pieces,
                (_, Some(square)) => s.on[seat] |= 1 << square,
                _ => {
                    bail!(
                        "{name} has '{}'; it takes squares from 1 to 12, and off with a number",
                        shorten(place)
                    );
                }
            }
        }
        Ok(())
    }
}
