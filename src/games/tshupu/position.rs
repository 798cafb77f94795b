//! Positions from what a person sees: the pieces of the four players, and the dice.

use super::board::{COLOURS, HAND, MAX_PIECES, OFF, Pieces};
use super::{Phase, State, TshuPu};
use crate::base::error::{Error, shorten};
use crate::rules::forms::{bail, ensure};
use crate::rules::keywords::{Given, Keyword, piles};
use crate::rules::{FirstPlayer, MAX_PLAYERS, Player, SetUp};

impl SetUp for TshuPu {
    fn keywords(&self) -> Vec<Keyword> {
        let mut keywords = vec![Keyword::number("player", 0, MAX_PLAYERS as i64 - 1)];
        keywords.extend(COLOURS.map(Keyword::text));
        keywords.extend([
            Keyword::numbers("dice", 1, 6, 2),
            Keyword::number("moved", 1, OFF as i64),
            Keyword::number("turn", 0, u16::MAX as i64),
        ]);
        keywords
    }

    fn set_up(&self, given: &Given) -> Result<State, Error> {
        let mut s = self.start();
        for (seat, colour) in COLOURS.into_iter().enumerate() {
            if let Some(text) = given.text(colour) {
                s.pieces[seat] = self.standing(colour, text)?;
            }
        }
        let (named, turn) = (given.number::<u8>("player"), given.number::<u16>("turn"));
        if s.finished_team().is_some() || turn == Some(self.rules.max_turns) {
            given.nothing_to_do(&["player", "dice", "moved"])?;
            s.turn = turn.unwrap_or(0);
            (s.phase, s.player) = (Phase::Over, Player(0));
            return Ok(s);
        }
        let seats = MAX_PLAYERS as u16;
        let (turn, player) = match self.rules.first_player {
            // R2, R12: seats and turns keep step.
            FirstPlayer::Seat(first) => {
                let first = first.0 as u16;
                let due = |player: u8| (player as u16 + seats - first) % seats;
                let turn = turn.or(named.map(due)).unwrap_or(0);
                (turn, named.unwrap_or(((first + turn % seats) % seats) as u8))
            }
            FirstPlayer::Random => (turn.unwrap_or(0), named.unwrap_or(0)),
        };
        s.turn = turn;
        let dice = given.numbers("dice").unwrap_or_default();
        let unbegun = self.rules.first_player == FirstPlayer::Random && s == self.start();
        if unbegun && named.is_none() && dice.is_empty() && !given.has("moved") {
            return Ok(s);
        }
        (s.phase, s.player) = (Phase::Roll, Player(player));
        s.moved = given.number("moved").unwrap_or(0);
        match *dice {
            [] => {}
            [die] => (s.phase, s.dice) = (Phase::Second, [die, 0]),
            [one, other, ..] => (s.phase, s.dice) = (Phase::Move, [one.min(other), one.max(other)]),
        }
        if !dice.is_empty() {
            s.barred = self.barred(&s, self.owner(&s));
        }
        Ok(s)
    }
}

impl TshuPu {
    /// The pieces of a player, such as "1:2 17 off"; those that are not named are in hand.
    fn standing(&self, colour: &str, text: &str) -> Result<Pieces, Error> {
        let mut named = Vec::new();
        // A place may come several times, as in the line of text.
        let words = text.split_whitespace().map(|word| piles(colour, word));
        for (place, pieces) in words.collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
            let progress = match place {
                "hand" => Some(HAND),
                "off" => Some(OFF),
                _ => place.parse().ok().filter(|&progress| progress <= OFF),
            };
            let Some(progress) = progress else {
                bail!(
                    "{colour} has '{}', which is no place; places are 1 to 32, hand and off",
                    shorten(place)
                );
            };
            named.extend(std::iter::repeat_n(progress, pieces as usize));
            ensure!(
                named.len() <= self.rules.pieces as usize,
                "{colour} has more than {} pieces",
                self.rules.pieces
            );
        }
        named.resize(self.rules.pieces as usize, HAND);
        named.sort_unstable();
        named.resize(MAX_PIECES, OFF);
        let mut all = [OFF; MAX_PIECES];
        all.copy_from_slice(&named);
        Ok(Pieces::new(all))
    }
}
