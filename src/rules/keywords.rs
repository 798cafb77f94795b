//! Positions from what a person sees: the keywords by which a game takes one, and what was given for them.

use std::collections::BTreeMap;

use super::forms::{bail, ensure};
use crate::base::error::{Error, did_you_mean, shorten};

/// The most numbers that any keyword takes.
pub const MAX_NUMBERS: usize = 8;

/// The most places that a text names, more than any board has with its hand and what is off.
const MAX_PLACES: usize = 80;

/// A keyword for a part of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keyword {
    /// The name, as users type it.
    pub name: &'static str,
    /// What values it takes.
    pub takes: Takes,
}

/// The values that a keyword takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// A text, which the game reads.
    Text,
    /// True or false.
    Flag,
    /// A number from the first to the second.
    Number(i64, i64),
    /// Numbers from the first to the second; at most as many as the third says.
    Numbers(i64, i64, usize),
}

/// What is given for a keyword.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A text.
    Text(String),
    /// True or false.
    Flag(bool),
    /// A number.
    Number(i64),
    /// Some numbers.
    Numbers(Vec<i64>),
    /// A value of another type, by the type's name: no keyword takes it.
    Other(String),
}

/// What is wrong with what was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// There is no such keyword, or it takes no values of this type.
    Type(String),
    /// The value is out of range, or describes no position of the game.
    Value(String),
}

impl From<Error> for Misfit {
    fn from(broken: Error) -> Self {
        Misfit::Value(broken.to_string())
    }
}

impl Keyword {
    /// A keyword that takes a text.
    pub const fn text(name: &'static str) -> Self {
        Keyword { name, takes: Takes::Text }
    }

    /// A keyword that takes true or false.
    pub const fn flag(name: &'static str) -> Self {
        Keyword { name, takes: Takes::Flag }
    }

    /// A keyword that takes a number.
    pub const fn number(name: &'static str, min: i64, max: i64) -> Self {
        Keyword { name, takes: Takes::Number(min, max) }
    }

    /// A keyword that takes some numbers.
    pub const fn numbers(name: &'static str, min: i64, max: i64, most: usize) -> Self {
        assert!(most <= MAX_NUMBERS, "no keyword takes so many numbers");
        Keyword { name, takes: Takes::Numbers(min, max, most) }
    }

    fn check(&self, value: &Value) -> Result<(), Misfit> {
        let Keyword { name, takes } = self;
        let out_of_range = |given: &[i64], min: i64, max: i64| {
            given.iter().copied().find(|given| !(min..=max).contains(given))
        };
        let sentence = match (*takes, value) {
            (Takes::Text, Value::Text(_)) | (Takes::Flag, Value::Flag(_)) => return Ok(()),
            (Takes::Number(min, max), &Value::Number(given)) => match out_of_range(&[given], min, max) {
                None => return Ok(()),
                Some(given) => format!("{name} got {given}; it takes {min} to {max}"),
            },
            (Takes::Numbers(.., most), Value::Numbers(given)) if given.len() > most => {
                format!("{name} has more than {most} numbers")
            }
            (Takes::Numbers(min, max, _), Value::Numbers(given)) => match out_of_range(given, min, max) {
                None => return Ok(()),
                Some(given) => format!("{name} has {given}; it takes numbers from {min} to {max}"),
            },
            (takes, value) => {
                return Err(Misfit::Type(format!("{name} must be {}, not {}", takes.told(), value.told())));
            }
        };
        Err(Misfit::Value(sentence))
    }
}

impl Takes {
    fn told(&self) -> &'static str {
        match self {
            Takes::Text => "a str",
            Takes::Flag => "True or False",
            Takes::Number(..) => "a whole number",
            Takes::Numbers(..) => "a tuple or list of whole numbers",
        }
    }
}

impl Value {
    fn told(&self) -> &str {
        match self {
            Value::Text(_) => "str",
            Value::Flag(_) => "bool",
            Value::Number(_) => "int",
            Value::Numbers(_) => "tuple or list",
            Value::Other(name) => name,
        }
    }
}

/// What was given for a position, checked against the keywords of its game.
///
/// ```
/// use sarai::rules::keywords::{Given, Keyword, Misfit, Value};
/// let known = [Keyword::text("own"), Keyword::number("turn", 0, 99)];
/// let given = Given::new("go", &known, [("turn".to_owned(), Value::Number(3))]).unwrap();
/// assert_eq!((given.number::<u8>("turn"), given.text("own")), (Some(3), None));
/// let error = Given::new("go", &known, [("turn".to_owned(), Value::Number(100))]).unwrap_err();
/// assert_eq!(error, Misfit::Value("turn got 100; it takes 0 to 99".into()));
/// assert!(matches!(Given::new("go", &known, [("turm".to_owned(), Value::Number(1))]), Err(Misfit::Type(_))));
/// ```
#[derive(Clone, Debug)]
pub struct Given(BTreeMap<&'static str, Value>);

impl Given {
    /// What was given to a game with these keywords.
    ///
    /// # Errors
    /// Names the keyword, what it got and what it takes; or the keywords that there are.
    pub fn new(
        game: &str,
        known: &[Keyword],
        values: impl IntoIterator<Item = (String, Value)>,
    ) -> Result<Self, Misfit> {
        let mut given = BTreeMap::new();
        for (name, value) in values {
            let keyword = known.iter().find(|keyword| keyword.name == name).ok_or_else(|| {
                let names: Vec<&str> = known.iter().map(|keyword| keyword.name).collect();
                let (given, hint) = (shorten(&name), did_you_mean(&name, names.iter().copied()));
                Misfit::Type(format!(
                    "a position of {game} has no '{given}'{hint}; it takes {}",
                    names.join(", ")
                ))
            })?;
            keyword.check(&value)?;
            given.insert(keyword.name, value);
        }
        Ok(Given(given))
    }

    /// Whether nothing was given.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether something was given for this keyword.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The text that was given.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.0.get(name)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The flag that was given.
    pub fn flag(&self, name: &str) -> Option<bool> {
        match self.0.get(name)? {
            Value::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    /// The number that was given.
    ///
    /// # Panics
    /// When the keyword's range is larger than that of the type.
    pub fn number<T: TryFrom<i64>>(&self, name: &str) -> Option<T> {
        match self.0.get(name)? {
            Value::Number(number) => Some(fitting(*number)),
            _ => None,
        }
    }

    /// The numbers that were given.
    ///
    /// # Panics
    /// When the keyword's range is larger than that of a byte.
    pub fn numbers(&self, name: &str) -> Option<Vec<u8>> {
        match self.0.get(name)? {
            Value::Numbers(numbers) => Some(numbers.iter().map(|&number| fitting(number)).collect()),
            _ => None,
        }
    }

    /// Refuses what says who is to do what, in a position in which the game is over.
    ///
    /// # Errors
    /// When one of these was given.
    pub fn nothing_to_do(&self, names: &[&str]) -> Result<(), Error> {
        if let Some(name) = names.iter().find(|name| self.has(name)) {
            bail!("the game is over in this position, so leave {name} out");
        }
        Ok(())
    }
}

fn fitting<T: TryFrom<i64>>(number: i64) -> T {
    T::try_from(number).unwrap_or_else(|_| panic!("a keyword's range is one of its type"))
}

/// The places of a text such as "24:2 13:5 bar", each with its number, 1 where none is written; `what` is the keyword.
///
/// # Errors
/// When a number is none, or 0, a place is written twice, or there are more places than any board has.
///
/// ```
/// use sarai::rules::keywords::piles;
/// assert_eq!(piles("own", "24:2 bar")?, [("24", 2), ("bar", 1)]);
/// assert_eq!(
///     piles("own", "24:x").unwrap_err().to_string(),
///     "own has '24:x'; write places with spaces between them, each alone or with a number from 1 to 255, as in 24:2 13"
/// );
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn piles<'a>(what: &str, text: &'a str) -> Result<Vec<(&'a str, u8)>, Error> {
    let mut piles: Vec<(&str, u8)> = Vec::new();
    for word in text.split_whitespace() {
        let (place, number) = word.split_once(':').unwrap_or((word, "1"));
        let Ok(number @ 1..) = number.parse() else {
            bail!(
                "{what} has '{}'; write places with spaces between them, each alone or with a number from 1 to 255, \
                 as in 24:2 13",
                shorten(word)
            );
        };
        ensure!(piles.iter().all(|&(before, _)| before != place), "{what} has {} twice", shorten(place));
        ensure!(piles.len() < MAX_PLACES, "{what} has more than {MAX_PLACES} places");
        piles.push((place, number));
    }
    Ok(piles)
}
