//! Positions from what a person sees: the pieces of both players, and the dice.

use super::board::{BAR, OFF, PIECES};
use super::state::check_pieces;
use super::{Phase, Shuanglu, State};
use crate::base::error::{Error, shorten};
use crate::rules::forms::{bail, ensure};
use crate::rules::keywords::{Given, Keyword, piles};
use crate::rules::{Player, SetUp};

/// The pieces of the player who acts, and those of the other.
pub(super) const SEEN: [&str; 2] = ["own", "other"];

impl SetUp for Shuanglu {
    fn keywords(&self) -> Vec<Keyword> {
        vec![
            Keyword::number("player", 0, 1),
            Keyword::text(SEEN[0]),
            Keyword::text(SEEN[1]),
            Keyword::numbers("dice", 1, 6, 2),
            Keyword::number("moves_left", 1, 4),
            Keyword::number("turn", 0, u16::MAX as i64),
        ]
    }

    fn set_up(&self, given: &Given) -> Result<State, Error> {
        let named = given.number("player").map(Player);
        let own = named.unwrap_or(Player(0)).index();
        let mut counts = self.start.counts;
        for (seat, name) in [own, own ^ 1].into_iter().zip(SEEN) {
            if let Some(text) = given.text(name) {
                counts[seat] = standing(name, text)?;
            }
        }
        let mut s = State::of(counts);
        // What is legal is found only where every piece has a place.
        check_pieces(&s)?;
        s.turn = given.number("turn").unwrap_or(0);
        if s.winner().is_some() || s.turn == self.rules.max_turns {
            // The player says whose pieces are own.
            given.nothing_to_do(&["dice", "moves_left"])?;
            s.phase = Phase::Over;
            return Ok(s);
        }
        let dice = given.numbers("dice").unwrap_or_default();
        if named.is_none() && dice.is_empty() && s.turn == 0 && counts == self.start.counts {
            s.phase = Phase::Opening;
            return Ok(s);
        }
        s.player = Player(own as u8);
        self.set_seen_dice(&mut s, &dice, given.number("moves_left"))?;
        if !dice.is_empty() {
            s.phase = Phase::Move;
            s.steps = self.legal_steps(&s);
        }
        Ok(s)
    }
}

impl Shuanglu {
    /// The dice on the table. A double that has just been thrown gives all its moves.
    fn set_seen_dice(&self, s: &mut State, dice: &[u8], moves_left: Option<u8>) -> Result<(), Error> {
        match (dice, moves_left) {
            (&[one, other], left) if one == other => s.set_dice(one, one, left.unwrap_or(self.rules.doubles)),
            (_, Some(_)) => {
                bail!(
                    "moves_left is for a double; of two different dice, leave the one out that has been played"
                );
            }
            ([], None) => {}
            (&[die], None) => s.set_dice(die, 0, 1),
            (&[one, other, ..], None) => s.set_dice(one.max(other), one.min(other), 2),
        }
        if s.left == 1 {
            s.dice[1] = 0;
        }
        Ok(())
    }
}

/// The pieces of a player, such as "24:2 13:5 bar"; those that are not named are off. `what` is the keyword.
fn standing(what: &str, text: &str) -> Result<[u8; BAR + 1], Error> {
    let mut counts = [0; BAR + 1];
    for (place, pieces) in piles(what, text)? {
        let index = match place {
            "bar" => Some(BAR),
            "off" => Some(OFF),
            _ => place.parse().ok().filter(|point| (1..BAR).contains(point)),
        };
        let Some(index) = index else {
            bail!("{what} has '{}', which is no place; places are 1 to 24, bar and off", shorten(place));
        };
        ensure!(counts[index] == 0, "{what} has {place} twice");
        counts[index] = pieces;
    }
    if counts[OFF] == 0 {
        let named: u32 = counts.iter().map(|&count| count as u32).sum();
        counts[OFF] = (PIECES as u32).saturating_sub(named) as u8;
    }
    Ok(counts)
}
