//! Seats, sides and small per-seat tables.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// The most seats any game has.
pub const MAX_PLAYERS: usize = 4;

/// A seat at the table, counted from 0 in the order of play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Player(pub u8);

impl Player {
    /// The seat as an index into per-seat tables.
    #[cfg_attr(fast, inline(always))]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The seat that follows this one when `num_players` sit at the table.
    ///
    /// ```
    /// use sarai::Player;
    /// assert_eq!(Player(1).next(3), Player(2));
    /// assert_eq!(Player(2).next(3), Player(0));
    /// ```
    #[cfg_attr(fast, inline(always))]
    pub const fn next(self, num_players: usize) -> Player {
        let after = self.0 + 1;
        Player(if after as usize >= num_players { 0 } else { after })
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player {}", self.0)
    }
}

/// Who shares pieces or a win: a single player, or a team. Counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Side(pub u8);

impl Side {
    /// The side as an index into per-side tables.
    #[cfg_attr(fast, inline(always))]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One value per seat, for at most [`MAX_PLAYERS`] seats, without allocation.
///
/// ```
/// use sarai::{PerPlayer, Player};
/// let mut scores = PerPlayer::new(3, 0.0);
/// scores[Player(2)] = 1.0;
/// assert_eq!(scores.as_slice(), &[0.0, 0.0, 1.0]);
/// assert_ne!(scores, PerPlayer::new(3, 0.0), "equal where every seat's values and the seats are");
/// assert_ne!(PerPlayer::new(2, 0.0), PerPlayer::new(3, 0.0));
/// assert_eq!(PerPlayer::new(3, 0.0), PerPlayer::new(3, 0.0));
/// ```
/// A seat that is not at the table is a bug in the caller:
/// ```should_panic
/// use sarai::{PerPlayer, Player};
/// let scores = PerPlayer::new(2, 0.0);
/// let _ = scores[Player(2)];
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PerPlayer<T> {
    values: [T; MAX_PLAYERS],
    len: u8,
}

impl<T: Copy> PerPlayer<T> {
    /// The same value for each of `num_players` seats.
    ///
    /// # Panics
    /// When `num_players` is more than [`MAX_PLAYERS`].
    #[inline]
    pub fn new(num_players: usize, value: T) -> Self {
        assert!(num_players <= MAX_PLAYERS, "at most {MAX_PLAYERS} players");
        PerPlayer { values: [value; MAX_PLAYERS], len: num_players as u8 }
    }

    /// The values in the order of the seats.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.values[..self.len as usize]
    }

    /// The same, to be written.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.values[..self.len as usize]
    }
}

impl<T: PartialEq + Copy> PartialEq for PerPlayer<T> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: Copy> Index<Player> for PerPlayer<T> {
    type Output = T;
    #[inline]
    fn index(&self, player: Player) -> &T {
        &self.as_slice()[player.index()]
    }
}

impl<T: Copy> IndexMut<Player> for PerPlayer<T> {
    #[inline]
    fn index_mut(&mut self, player: Player) -> &mut T {
        &mut self.as_mut_slice()[player.index()]
    }
}

/// Who begins: a fixed seat, or one drawn by a chance node at the root ("random").
///
/// In JSON an integer or the string `"random"`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FirstPlayer {
    /// This seat begins every game.
    Seat(Player),
    /// Every seat is equally likely; the draw is the first chance outcome of the game.
    Random,
}

impl FirstPlayer {
    /// The seat that begins, where that is fixed.
    pub fn seat(self) -> Option<Player> {
        match self {
            FirstPlayer::Seat(player) => Some(player),
            FirstPlayer::Random => None,
        }
    }
}

impl Default for FirstPlayer {
    fn default() -> Self {
        FirstPlayer::Seat(Player(0))
    }
}

impl Serialize for FirstPlayer {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            FirstPlayer::Seat(player) => serializer.serialize_u8(player.0),
            FirstPlayer::Random => serializer.serialize_str("random"),
        }
    }
}

impl<'de> Deserialize<'de> for FirstPlayer {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a seat or \"random\"")]
        enum Raw {
            Seat(u8),
            Word(String),
        }
        match Raw::deserialize(deserializer)? {
            Raw::Seat(seat) => Ok(FirstPlayer::Seat(Player(seat))),
            Raw::Word(word) if word == "random" => Ok(FirstPlayer::Random),
            Raw::Word(word) => {
                Err(serde::de::Error::custom(format!("'{word}' is neither a seat nor \"random\"")))
            }
        }
    }
}
