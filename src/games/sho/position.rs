//! Positions from what a person sees: the coins of each side, and what is on the pad.

use super::board::{HAND, MAX_POOL};
use super::{PaRa, Phase, Sho, State};
use crate::base::error::{Error, shorten};
use crate::rules::forms::{bail, ensure};
use crate::rules::keywords::{Given, Keyword, piles};
use crate::rules::{FirstPlayer, MAX_PLAYERS, Player, SetUp, Side};

/// The sides, by their letters in the drawing.
pub(super) const SIDES: [&str; MAX_PLAYERS] = ["side_a", "side_b", "side_c", "side_d"];

impl SetUp for Sho {
    fn keywords(&self) -> Vec<Keyword> {
        let mut keywords = vec![Keyword::number("player", 0, self.rules.players as i64 - 1)];
        keywords.extend(SIDES[..self.num_sides].iter().map(|&name| Keyword::text(name)));
        keywords.extend([
            Keyword::numbers("dice", 1, 6, 2),
            Keyword::numbers("pool", 1, 25, MAX_POOL),
            Keyword::number("value", 1, 64),
            Keyword::number("overflow", 1, 63),
            Keyword::number("moved", 1, 64),
            Keyword::number("turn", 0, u16::MAX as i64),
        ]);
        keywords
    }

    fn set_up(&self, given: &Given) -> Result<State, Error> {
        let mut s = self.start();
        if given.is_empty() {
            return Ok(s);
        }
        for (side, name) in SIDES[..self.num_sides].iter().enumerate() {
            if let Some(text) = given.text(name) {
                self.set_side(&mut s, side, text)?;
            }
        }
        s.turn = given.number("turn").unwrap_or(0);
        let named = given.number("player").map(Player);
        let finished = (0..self.num_sides).find(|&side| s.off[side] == self.rules.coins);
        s.winner = finished.map(|side| Side(side as u8));
        if s.winner.is_some() || s.turn == self.rules.max_turns {
            given.nothing_to_do(&["player", "dice", "pool", "value", "overflow", "moved"])?;
            (s.phase, s.player) = (Phase::Over, Player(0));
            return Ok(s);
        }
        if named.is_none() && self.rules.first_player == FirstPlayer::Random && s == self.start() {
            let thrown = ["dice", "pool", "value", "overflow", "moved"].iter().any(|name| given.has(name));
            if !thrown {
                return Ok(s);
            }
        }
        s.player = named.or(self.rules.first_player.seat()).unwrap_or_default();
        self.set_throw(&mut s, given)?;
        Ok(s)
    }
}

impl Sho {
    /// The coins of a side, such as "hand:6 10:1 23:2"; those that are not named are in hand.
    fn set_side(&self, s: &mut State, side: usize, text: &str) -> Result<(), Error> {
        let name = SIDES[side];
        let (mut hand, mut out) = (None, 0u32);
        for (place, coins) in piles(name, text)? {
            match (place, coins) {
                ("hand", _) => hand = Some(coins),
                ("off", _) => s.off[side] = coins,
                ("cleared", 1) => {
                    s.cleared |= 1 << side;
                    continue;
                }
                _ => {
                    let position = place.parse().ok();
                    let on_track = |position: &u8| *position != HAND && *position < self.rules.num_shells;
                    let Some(position) = position.filter(on_track) else {
                        bail!(
                            "{name} has '{}', which is no place; it takes 1 to {}, hand, off, and cleared",
                            shorten(place),
                            self.rules.num_shells - 1
                        );
                    };
                    ensure!(s.track[side] >> position & 1 == 0, "{name} has {position} twice");
                    ensure!(s.occupied() >> position & 1 == 0, "two sides are on position {position}");
                    s.track[side] |= 1 << position;
                    s.size[position as usize] = coins;
                }
            }
            out += if place == "hand" { 0 } else { coins as u32 };
        }
        s.hand[side] = hand.unwrap_or((self.rules.coins as u32).saturating_sub(out) as u8);
        Ok(())
    }

    /// What has been thrown and chosen.
    fn set_throw(&self, s: &mut State, given: &Given) -> Result<(), Error> {
        let dice = given.numbers("dice");
        let thrown = match dice.as_deref() {
            None | Some([]) => None,
            Some(&[one, other]) => Some([one.min(other), one.max(other)]),
            Some(_) => bail!("dice takes both dice, such as (6, 3), or none"),
        };
        let (value, overflow, moved) =
            (given.number::<u8>("value"), given.number::<u8>("overflow"), given.number::<u8>("moved"));
        let pool = given.numbers("pool").unwrap_or_else(|| match (thrown, value) {
            (Some([low, high]), _) => vec![low + high],
            (None, Some(value)) => vec![value],
            (None, None) => Vec::new(),
        });
        for &value in &pool {
            s.pool.push(value);
        }
        if let Some([low, high]) = thrown
            && !pool.contains(&(low + high))
        {
            bail!(
                "the dice show {} together, which the pool {:?} does not have",
                low + high,
                s.pool.as_slice()
            );
        }
        let again = thrown == Some([1, 1]) && self.rules.pa_ra != PaRa::None && pool.len() < MAX_POOL;
        s.phase = if overflow.is_some() {
            Phase::Overflow
        } else if again {
            Phase::Reroll
        } else if pool.is_empty() || dice.is_some_and(|dice| dice.is_empty()) {
            Phase::Roll
        } else if pool.len() == 1 || value.is_some() {
            Phase::Source
        } else {
            Phase::Value
        };
        if value.is_some() && overflow.is_some() {
            bail!("there is either a value to move or an overflow, not both");
        }
        let only = if s.phase == Phase::Source { s.pool.as_slice().first().copied() } else { None };
        s.value = value.or(overflow).or(only).unwrap_or(0);
        s.moved = moved.unwrap_or(0);
        s.six_three_roll =
            self.rules.six_three && thrown == Some([3, 6]) && matches!(s.phase, Phase::Value | Phase::Source);
        Ok(())
    }
}
