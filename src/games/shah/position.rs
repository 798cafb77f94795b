//! Positions from what a person sees: the stones of both players, and what is still to be placed or removed.

use super::board::{NAMES, in_mills};
use super::{Begin, Blocked, OpeningRemovals, Phase, Shah, State};
use crate::base::error::{Error, shorten};
use crate::rules::forms::{bail, ensure};
use crate::rules::keywords::{Given, Keyword};
use crate::rules::{Player, SetUp, Side};

/// The players' stones, as the drawing has them.
pub(super) const STONES: [&str; 2] = ["white", "black"];

impl SetUp for Shah {
    fn keywords(&self) -> Vec<Keyword> {
        vec![
            Keyword::number("player", 0, 1),
            Keyword::text(STONES[0]),
            Keyword::text(STONES[1]),
            Keyword::numbers("in_hand", 0, 12, 2),
            Keyword::flag("removing"),
            Keyword::flag("extra"),
            Keyword::text("lifted"),
            Keyword::number("beginner", 0, 1),
            Keyword::number("winner", 0, 1),
            Keyword::number("no_capture", 0, u16::MAX as i64),
            Keyword::number("turn", 0, u16::MAX as i64),
        ]
    }

    fn set_up(&self, given: &Given) -> Result<State, Error> {
        let mut s = self.start();
        if given.is_empty() {
            return Ok(s);
        }
        for (seat, name) in STONES.into_iter().enumerate() {
            s.stones[seat] = points(name, given.text(name).unwrap_or_default())?;
        }
        let both = s.stones[0] & s.stones[1];
        if both != 0 {
            let point = NAMES[both.trailing_zeros() as usize];
            bail!("there are a white and a black stone on {point}");
        }
        let lifted = given.text("lifted").map(|text| points("lifted", text)).transpose()?;
        if let Some(point) = lifted {
            ensure!(point.count_ones() == 1, "lifted takes one point, such as a7");
            s.lifted = point.trailing_zeros() as u8;
        }
        let winner: Option<u8> = given.number("winner");
        let pieces = self.rules.pieces;
        let standing = s.stones.map(|stones| stones.count_ones() as u8);
        // Who has fewer than three stones has lost (R8), or has some still in hand.
        let moving = winner.is_some() || lifted.is_some() || standing.iter().all(|&stones| stones >= 3);
        s.hand = match given.numbers("in_hand") {
            Some(hand) => hand.try_into().map_err(|_| {
                Error::position("in_hand takes two numbers, the white stones in hand and the black ones")
            })?,
            None if moving => [0; 2],
            None => standing.map(|stones| pieces.saturating_sub(stones)),
        };
        let all = 2 * pieces as u16;
        let placed = all.saturating_sub(s.hand.iter().sum::<u8>() as u16);
        let placing = placed < all;
        let whole = standing.map(|stones| stones == pieces);
        s.opening_removals = match (self.rules.opening_removals, whole) {
            (OpeningRemovals::None, _) => 0,
            (OpeningRemovals::Both, _) if placing => 2,
            (OpeningRemovals::Both, [one, other]) => one as u8 + other as u8,
        };
        let opening = if placing { 0 } else { s.opening_removals };
        let removing = given.flag("removing").unwrap_or(opening != 0);
        let beaten =
            (0..2u8).find(|&seat| lifted.is_none() && standing[seat as usize] + s.hand[seat as usize] < 3);
        s.winner = winner.or(beaten.map(|seat| 1 - seat)).map(Side);

        // On a full board nobody has moved yet: the stone that captures is the last one placed.
        let full = s.empty() == 0 && opening == 0;
        s.turn = given.number("turn").unwrap_or(if placing {
            // A placement that is to capture, or has won, is a turn that has not passed.
            placed.saturating_sub((removing || s.winner.is_some()) as u16)
        } else {
            self.moving_from - opening as u16 - (full && removing) as u16
        });
        let first = self.rules.first_player.seat().map(|seat| seat.0);
        let to_place = if s.hand[0] == s.hand[1] {
            first.unwrap_or(0) ^ removing as u8
        } else {
            (s.hand[1] > s.hand[0]) as u8 ^ removing as u8
        };
        let named: Option<u8> = given.number("player");
        let known = first.is_some() || s.hand[0] != s.hand[1];
        if let Some(named) = named.filter(|&named| placing && known && named != to_place) {
            let whose = if removing { "has placed last" } else { "places next" };
            bail!(
                "player is {named}, but with the stones in hand {:?} it is player {to_place} who {whose}",
                s.hand
            );
        }
        let beginner =
            given.number("beginner").or_else(|| self.beginner_seen(&s, first, named, to_place, opening));
        s.beginner = beginner.unwrap_or(State::NOBODY);
        s.player = Player(named.unwrap_or(match (placing, opening) {
            (true, _) => to_place,
            (false, 2) => beginner.unwrap_or(0),
            (false, 1) => 1 - beginner.unwrap_or(0),
            _ => first.unwrap_or(0),
        }));

        let limit = self.rules.no_capture_limit as u32;
        let blocked = winner.is_some_and(|winner| !placing && in_mills(s.stones[winner as usize]) == 0);
        s.no_capture = given.number("no_capture").unwrap_or(blocked as u32);
        let idle = limit != 0 && s.no_capture == limit;
        let stuck = full && !removing && self.rules.blocked == Blocked::OpponentOpens;
        if s.winner.is_some() || s.turn == self.rules.max_turns || idle || stuck {
            given.nothing_to_do(&["player", "removing", "extra", "lifted"])?;
            s.turn += (idle && !given.has("turn") && s.winner.is_none()) as u16;
            s.end(s.winner);
            return Ok(s);
        }
        let opponent = s.stones[1 - s.player.index()];
        s.phase = match (removing, lifted, placing) {
            (true, ..) => Phase::Remove,
            (false, Some(_), _) => Phase::Land,
            (false, None, true) => Phase::Place,
            (false, None, false) => Phase::Slide,
        };
        let opens = s.phase == Phase::Slide
            && self.rules.blocked == Blocked::OpponentOpens
            && !self.can_move(opponent, s.empty());
        s.extra = given.flag("extra").unwrap_or(opens);
        Ok(s)
    }
}

impl Shah {
    /// Who begins the moving phase, as far as the board shows it (R3): `first` placed first and `named` acts, where the rules
    /// or the person say so, `to_place` places next, and so many opening removals are due.
    fn beginner_seen(
        &self,
        s: &State,
        first: Option<u8>,
        named: Option<u8>,
        to_place: u8,
        opening: u8,
    ) -> Option<u8> {
        let pieces = self.rules.pieces;
        let placing = s.hand != [0; 2];
        let standing = s.stones.map(|stones| stones.count_ones() as u8);
        if self.rules.begin == Begin::FirstPlayer {
            let placed_first = || named.unwrap_or(to_place) ^ (placing as u8 & (s.turn & 1) as u8);
            return Some(first.unwrap_or_else(placed_first));
        }
        // R4: the beginner has removed a stone, and still has all of his own.
        if opening == 1 {
            return Some((standing[1] == pieces) as u8);
        }
        match s.stones.map(|stones| in_mills(stones) != 0) {
            [true, false] => Some(0),
            [false, true] => Some(1),
            [true, true] => Some(named.or(first).unwrap_or(0)),
            // A stone that is missing was captured.
            [false, false] if placing => (0..2u8).find(|&seat| {
                let (own, enemy) = (seat as usize, 1 - seat as usize);
                standing[enemy] + s.hand[enemy] < pieces && s.hand[own] + 3 <= pieces
            }),
            // Whoever placed last.
            [false, false] => Some(1 - first.unwrap_or(0)),
        }
    }
}

/// Points such as "a7 d6" as bits; `what` is the keyword.
fn points(what: &str, text: &str) -> Result<u32, Error> {
    let mut points = 0;
    for word in text.split_whitespace() {
        let Some(point) = NAMES.iter().position(|&name| name == word) else {
            bail!(
                "{what} has '{}', which is no point; write points with spaces between them, such as a7 d6",
                shorten(word)
            );
        };
        ensure!(points >> point & 1 == 0, "{what} has {word} twice");
        points |= 1 << point;
    }
    Ok(points)
}
