//! Helpers for the dict and text forms of states, for every game.

use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use crate::rules::error::Broken;

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

/// The value of the next word of a line, which must be `name=value`.
///
/// # Errors
/// Says which field was due where.
///
/// ```
/// use sarai::rules::forms::{field, number};
/// let mut words = "turn=12 player=1".split_whitespace();
/// assert_eq!(number::<u16>(field(&mut words, "turn")?)?, 12);
/// assert!(field(&mut words, "pool").is_err());
/// # Ok::<(), sarai::rules::error::Broken>(())
/// ```
pub fn field<'a>(words: &mut impl Iterator<Item = &'a str>, name: &str) -> Result<&'a str, Broken> {
    let word = words.next().unwrap_or("the end of the text");
    word.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')).ok_or_else(|| {
        Broken::unreadable(format!(
            "'{name}=...' is due where '{}' stands",
            crate::base::error::shorten(word)
        ))
    })
}

/// A number or a flag.
///
/// # Errors
/// When the text is none, or is out of the type's range.
pub fn number<T: FromStr>(text: &str) -> Result<T, Broken> {
    text.parse().map_err(|_| {
        Broken::unreadable(format!(
            "'{}' is no value that can stand there",
            crate::base::error::shorten(text)
        ))
    })
}

/// A number, or `None` where the text is "-".
///
/// # Errors
/// When the text is neither.
pub fn optional<T: FromStr>(text: &str) -> Result<Option<T>, Broken> {
    if text == "-" { Ok(None) } else { number(text).map(Some) }
}

/// A number, or "-" for `None`: what [`optional`] reads.
pub fn dash<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}
