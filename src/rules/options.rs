//! What options a rule book has, and what each of them takes.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::player::FirstPlayer;
use crate::base::error::{Error, did_you_mean, shorten};

/// One option of a rule book.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The name, which is the field of the rules struct and the keyword in Python.
    pub name: &'static str,
    /// What values it takes.
    pub takes: Takes,
    /// What it does, with the number of its rule.
    pub meaning: &'static str,
}

/// The values that an option takes. For programs that ask people for one, it is written as an object with a kind:
///
/// ```
/// use sarai::rules::options::Takes;
/// let told = serde_json::to_value(Takes::integers(2, 4)).unwrap();
/// assert_eq!(told, serde_json::json!({"kind": "integer", "min": 2, "max": 4}));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Takes {
    /// `true` or `false`.
    Flag,
    /// An integer in a range, both ends included.
    Integer {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of these integers.
    OneOf {
        /// Which.
        values: &'static [i64],
    },
    /// A number in a range, both ends included.
    Number {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// One of these words.
    Word {
        /// Which.
        values: &'static [&'static str],
    },
    /// A seat, or the word "random".
    FirstPlayer,
}

/// Declares the options of a rule book, each once: what it does, its name and type, its default, and what it takes where
/// that does not follow from its type. This makes the struct `Rules` and the table `OPTIONS`.
macro_rules! options {
    ($(#[$about:meta])* pub struct Rules { $(
        $(#[doc = $meaning:literal])+
        $name:ident: $type:ty = $default:expr $(=> $takes:expr)?,
    )* }) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Rules { $( $(#[doc = $meaning])+ pub $name: $type, )* }

        impl Default for Rules {
            fn default() -> Self {
                Rules { $($name: $default),* }
            }
        }

        pub(super) const OPTIONS: &[$crate::rules::options::OptionSpec] = &[
            $($crate::rules::options::OptionSpec {
                name: stringify!($name),
                takes: $crate::rules::options::options!(@takes $type $(, $takes)?),
                meaning: concat!($($meaning),+).trim_ascii_start(),
            }),*
        ];
    };
    (@takes $type:ty, $takes:expr) => { $takes };
    (@takes $type:ty) => { <$type as $crate::rules::options::Chosen>::TAKES };
}
pub(crate) use options;

/// Declares options whose values are words.
macro_rules! words {
    ($(
        $(#[$about:meta])*
        pub enum $name:ident { $( $(#[$meaning:meta])* $variant:ident = $word:literal, )* }
    )*) => { $(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
        pub enum $name { $( $(#[$meaning])* #[serde(rename = $word)] $variant, )* }

        impl $crate::rules::options::Chosen for $name {
            const TAKES: $crate::rules::options::Takes = $crate::rules::options::Takes::Word { values: &[$($word),*] };
        }
    )* };
}
pub(crate) use words;

/// A type that says what options of it take.
pub trait Chosen {
    /// What they take.
    const TAKES: Takes;
}

impl Chosen for bool {
    const TAKES: Takes = Takes::Flag;
}

impl Chosen for FirstPlayer {
    const TAKES: Takes = Takes::FirstPlayer;
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Takes::Flag => f.write_str("true or false"),
            Takes::Integer { min, max } => write!(f, "an integer from {min} to {max}"),
            Takes::OneOf { values } => {
                let values: Vec<String> = values.iter().map(i64::to_string).collect();
                f.write_str(&values.join(" or "))
            }
            Takes::Number { min, max } => write!(f, "a number from {min:e} to {max:e}"),
            Takes::Word { values: words } => {
                let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                f.write_str(&words.join(" or "))
            }
            Takes::FirstPlayer => f.write_str("a seat at the table (0, 1, ...) or \"random\""),
        }
    }
}

impl Takes {
    /// Integers in a range, both ends included.
    pub const fn integers(min: i64, max: i64) -> Self {
        Takes::Integer { min, max }
    }

    fn accepts(&self, value: &Value) -> bool {
        match self {
            Takes::Flag => value.is_boolean(),
            Takes::Integer { min, max } => value.as_i64().is_some_and(|v| (*min..=*max).contains(&v)),
            Takes::OneOf { values } => value.as_i64().is_some_and(|v| values.contains(&v)),
            Takes::Number { min, max } => value.as_f64().is_some_and(|v| (*min..=*max).contains(&v)),
            Takes::Word { values: words } => value.as_str().is_some_and(|v| words.contains(&v)),
            Takes::FirstPlayer => {
                value.as_str() == Some("random") || value.as_u64().is_some_and(|v| v <= u8::MAX as u64)
            }
        }
    }
}

impl OptionSpec {
    /// Refuses a value that the option does not take.
    ///
    /// # Errors
    /// Names the option, what it got and what it takes.
    pub fn check(&self, value: &Value) -> Result<(), Error> {
        if self.takes.accepts(value) {
            return Ok(());
        }
        let hint = match (self.takes, value.as_str()) {
            (Takes::Word { values: words }, Some(word)) => did_you_mean(word, words.iter().copied()),
            _ => String::new(),
        };
        Err(self.out_of_range(&format!("{}{hint}", shorten(&value.to_string())), &self.takes.to_string()))
    }

    fn out_of_range(&self, got: &str, takes: &str) -> Error {
        Error::rules(format!("option '{}' got {got}; it takes {takes}", self.name))
    }
}

/// Refuses rules with an option out of its range, or a first player who has no seat.
///
/// # Errors
/// Names the first such option, what it got and what it takes. An option that the rules have no field for got null.
///
/// # Panics
/// When the rules cannot be written as JSON.
///
/// ```
/// use sarai::games::shah::Rules;
/// use sarai::rules::options::{OptionSpec, Takes, check_ranges};
/// let pieces = OptionSpec { name: "pieces", takes: Takes::Integer { min: 3, max: 12 }, meaning: "stones a player" };
/// assert!(check_ranges(&[pieces], &Rules::default(), 2).is_ok());
/// let error = check_ranges(&[pieces], &Rules { pieces: 13, ..Rules::default() }, 2).unwrap_err();
/// assert_eq!(error.to_string(), "option 'pieces' got 13; it takes an integer from 3 to 12");
/// ```
pub fn check_ranges<R: Serialize>(options: &[OptionSpec], rules: &R, seats: usize) -> Result<(), Error> {
    let values = serde_json::to_value(rules).expect("rules are plain data");
    for option in options {
        let value = &values[option.name];
        option.check(value)?;
        if let (Takes::FirstPlayer, Some(seat)) = (option.takes, value.as_u64())
            && seat >= seats as u64
        {
            let all = if seats == 2 { "0, 1".into() } else { format!("0 to {}", seats - 1) };
            let takes = format!("{all} or \"random\"");
            return Err(option.out_of_range(&seat.to_string(), &takes));
        }
    }
    Ok(())
}
