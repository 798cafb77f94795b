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
/// assert_eq!((phase, line.optional("player")?, line.list("dice")?), (Phase::Roll, Some(1u8), vec![3u8, 4]));
/// let mut hands = Vec::new();
/// for mut group in line.groups()? {
///     hands.push(group.number::<u8>("hand")?);
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

    /// The same as a number or a flag.
    ///
    /// # Errors
    /// When it is none, or is out of the type's range.
    pub fn number<T: FromStr>(&mut self, name: &str) -> Result<T, Error> {
        number(self.text(name)?)
    }

    /// The same, `None` for "-".
    ///
    /// # Errors
    /// When it is neither.
    pub fn optional<T: FromStr>(&mut self, name: &str) -> Result<Option<T>, Error> {
        let text = self.text(name)?;
        if text == "-" { Ok(None) } else { number(text).map(Some) }
    }

    /// Numbers with commas between them, none for "-".
    ///
    /// # Errors
    /// When one is none.
    pub fn list<T: FromStr>(&mut self, name: &str) -> Result<Vec<T>, Error> {
        let text = self.text(name)?;
        if text == "-" { Ok(Vec::new()) } else { text.split(',').map(number).collect() }
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

/// A number, or "-" for `None`: what [`Line::optional`] reads.
pub fn dash<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// Numbers with commas between them, "-" for none: what [`Line::list`] reads.
pub fn list<T: ToString>(values: &[T]) -> String {
    if values.is_empty() {
        return "-".to_owned();
    }
    values.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

/// Refuses a dict that names a player in a phase in which it is nobody's turn, or none in another.
///
/// # Errors
/// Names the player and the phase.
pub fn check_player<P: Serialize>(player: Option<u8>, phase: &P, nobody: bool) -> Result<(), Error> {
    if player.is_none() == nobody {
        return Ok(());
    }
    let player = player.map_or("null".into(), |player| player.to_string());
    Err(Error::position(format!("player is {player} in phase {}", word(phase))))
}
