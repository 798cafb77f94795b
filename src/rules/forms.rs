//! Helpers for the dict and text forms of states, for every game.

use std::str::{FromStr, SplitWhitespace};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use crate::base::error::{Error, shorten};

/// Reads a field that may be null but must be there: `#[serde(deserialize_with = "crate::rules::forms::required")]`.
///
/// Without it serde reads a missing optional field as null, and a dict with a forgotten key would pass.
///
/// # Errors
/// When the value is neither null nor a `T`.
pub fn required<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

/// The word that serde writes for a variant without fields, "roll" for `Phase::Roll`.
///
/// # Panics
/// When the value is not written as a string.
pub fn word<T: Serialize>(variant: &T) -> String {
    match serde_json::to_value(variant) {
        Ok(serde_json::Value::String(word)) => word,
        other => panic!("a variant without fields is written as a string, not {other:?}"),
    }
}

/// The variant that serde reads from a word: what [`word`] writes. `None` where no variant is written so.
///
/// ```
/// use sarai::rules::forms::variant;
/// use sarai::games::sho::Phase;
/// assert_eq!(variant("roll"), Some(Phase::Roll));
/// assert_eq!(variant::<Phase>("sleep"), None);
/// ```
pub fn variant<T: DeserializeOwned>(word: &str) -> Option<T> {
    serde_json::from_value(word.into()).ok()
}

/// A line of text, read from left to right: a word for the phase, then `name=value` in a fixed order; groups of more words
/// may follow, each after a "|".
///
/// ```
/// use sarai::games::sho::Phase;
/// use sarai::rules::forms::{Line, number};
/// let (phase, mut line) = Line::begin::<Phase>("roll player=1 dice=3,4 | hand=5 7 | hand=6")?;
/// assert_eq!((phase, line.field("player")?, line.field("dice")?), (Phase::Roll, Some(1u8), vec![3u8, 4]));
/// let mut hands = Vec::new();
/// for mut group in line.groups()? {
///     hands.push(group.field::<u8>("hand")?);
///     for word in group.words() {
///         assert_eq!(number::<u8>(word)?, 7);
///     }
/// }
/// assert_eq!(hands, [5, 6]);
/// assert!(Line::begin::<Phase>("sleep").is_err());
/// # Ok::<(), sarai::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Line<'a> {
    words: SplitWhitespace<'a>,
    /// Each with the "|" before it.
    groups: &'a str,
}

impl<'a> Line<'a> {
    /// A line and the phase with which it begins.
    ///
    /// # Errors
    /// When it begins with no phase.
    pub fn begin<P: DeserializeOwned>(text: &'a str) -> Result<(P, Self), Error> {
        let head = text.split('|').next().unwrap_or(text);
        let mut line = Line { words: head.split_whitespace(), groups: &text[head.len()..] };
        let phase = line.words.next().unwrap_or_default();
        let read = variant(phase).ok_or_else(|| {
            Error::position(format!("a position must begin with its phase, not '{}'", shorten(phase)))
        })?;
        Ok((read, line))
    }

    /// The value of the next word, which must be `name=value`, as text.
    ///
    /// # Errors
    /// Says which field was due where.
    pub fn text(&mut self, name: &str) -> Result<&'a str, Error> {
        let word = self.words.next().unwrap_or("the end of the text");
        word.strip_prefix(name)
            .and_then(|rest| rest.strip_prefix('='))
            .ok_or_else(|| Error::position(format!("expected '{name}=...', but found '{}'", shorten(word))))
    }

    /// The same, read.
    ///
    /// # Errors
    /// When it is not in the form that [`Field::written`] gives.
    pub fn field<T: Field>(&mut self, name: &str) -> Result<T, Error> {
        T::read(name, self.text(name)?)
    }

    /// The words that are left.
    pub fn words(self) -> impl Iterator<Item = &'a str> {
        self.words
    }

    /// The groups, where nothing is left before them.
    ///
    /// # Errors
    /// When a word is left.
    pub fn groups(mut self) -> Result<impl Iterator<Item = Line<'a>>, Error> {
        if let Some(word) = self.words.next() {
            return Err(Error::position(format!("unexpected word '{}'", shorten(word))));
        }
        let groups = self.groups.split('|').skip(1);
        Ok(groups.map(|group| Line { words: group.split_whitespace(), groups: "" }))
    }
}

/// A number or a flag.
///
/// # Errors
/// When the text is none, or is out of the type's range.
pub fn number<T: FromStr>(text: &str) -> Result<T, Error> {
    // There is one way to write a number, and Rust would read another with a sign.
    let number = if text.starts_with('+') { None } else { text.parse().ok() };
    number.ok_or_else(|| Error::position(format!("'{}' is not a valid value there", shorten(text))))
}

/// What can stand behind a name in a line.
pub trait Field: Sized {
    /// Its form.
    fn written(&self) -> String;

    /// What was written.
    ///
    /// # Errors
    /// When it is not in that form; `name` is that of the field.
    fn read(name: &str, text: &str) -> Result<Self, Error>;
}

macro_rules! numbers {
    ($($type:ty),*) => { $(
        impl Field for $type {
            fn written(&self) -> String {
                self.to_string()
            }
            fn read(_: &str, text: &str) -> Result<Self, Error> {
                number(text)
            }
        }
    )* };
}
numbers!(u8, u16, u32, bool);

impl Field for String {
    fn written(&self) -> String {
        self.clone()
    }
    fn read(_: &str, text: &str) -> Result<Self, Error> {
        Ok(text.to_owned())
    }
}

/// "-" for `None`.
impl<T: Field> Field for Option<T> {
    fn written(&self) -> String {
        self.as_ref().map_or_else(|| "-".to_owned(), T::written)
    }
    fn read(name: &str, text: &str) -> Result<Self, Error> {
        (text != "-").then(|| T::read(name, text)).transpose()
    }
}

/// With commas between them, "-" for none.
impl<T: Field> Field for Vec<T> {
    fn written(&self) -> String {
        if self.is_empty() {
            return "-".to_owned();
        }
        self.iter().map(T::written).collect::<Vec<_>>().join(",")
    }
    fn read(name: &str, text: &str) -> Result<Self, Error> {
        if text == "-" { Ok(Vec::new()) } else { text.split(',').map(|one| T::read(name, one)).collect() }
    }
}

impl<T: Field> Field for [T; 2] {
    fn written(&self) -> String {
        format!("{},{}", self[0].written(), self[1].written())
    }
    fn read(name: &str, text: &str) -> Result<Self, Error> {
        let (one, other) = text.split_once(',').ok_or_else(|| {
            Error::position(format!("{name} is written '{name}=3,4', not '{name}={}'", shorten(text)))
        })?;
        Ok([T::read(name, one)?, T::read(name, other)?])
    }
}

/// Declares which keys of a state dict stand behind the phase in the line of text, in order; what is read of others, which
/// are groups of the line, is left empty. This makes `head`, which writes the line up to its groups, and `read`.
macro_rules! line {
    ($dict:ident: $($name:ident),*; $($group:ident),*) => {
        impl $dict {
            fn head(&self) -> String {
                let mut line = $crate::rules::forms::word(&self.phase);
                $(
                    line += concat!(" ", stringify!($name), "=");
                    line += &$crate::rules::forms::Field::written(&self.$name);
                )*
                line
            }

            fn read(
                text: &str,
            ) -> Result<(Self, impl Iterator<Item = $crate::rules::forms::Line<'_>>), Error> {
                let (phase, mut line) = $crate::rules::forms::Line::begin(text)?;
                let dict = $dict {
                    phase,
                    $($name: line.field(stringify!($name))?,)*
                    $($group: Vec::new(),)*
                };
                Ok((dict, line.groups()?))
            }
        }
    };
}
pub(crate) use line;

/// Returns the error that this is no position of the game, in a sentence written as for `format!`.
macro_rules! bail {
    ($($sentence:tt)*) => { return Err($crate::base::error::Error::position(format!($($sentence)*))) };
}
pub(crate) use bail;

/// Does the same unless a condition holds.
macro_rules! ensure {
    ($holds:expr, $($sentence:tt)*) => {
        if !$holds {
            $crate::rules::forms::bail!($($sentence)*);
        }
    };
}
pub(crate) use ensure;

/// A number, or "null" as in JSON.
pub fn null(value: Option<u8>) -> String {
    value.map_or("null".into(), |value| value.to_string())
}

/// Refuses a turn past the limit, or won at it; and a phase that is over without that or a winner, or is not with one.
///
/// # Errors
/// Names the turn, the phase and the winner.
pub fn check_end<P: Serialize>(
    (turn, max_turns): (u16, u16),
    (phase, is_over): (&P, bool),
    winner: Option<u8>,
) -> Result<(), Error> {
    let exhausted = turn == max_turns;
    ensure!(
        turn <= max_turns && !(exhausted && winner.is_some()),
        "turn is {turn}; max_turns is {max_turns}"
    );
    let (phase, winner_is) = (word(phase), null(winner));
    ensure!(
        is_over == (exhausted || winner.is_some()),
        "phase is {phase} with turn {turn} and winner {winner_is}"
    );
    Ok(())
}

/// Refuses a dict that names a player in a phase in which it is nobody's turn, or none in another.
///
/// # Errors
/// Names the player and the phase.
pub fn check_player<P: Serialize>(player: Option<u8>, phase: &P, nobody: bool) -> Result<(), Error> {
    if player.is_none() == nobody {
        return Ok(());
    }
    bail!("player is {} in phase {}", null(player), word(phase))
}
