//! Options as users give them: keyword arguments, dicts and JSON, checked against what each option takes.

use std::fmt;

use serde_json::{Map, Value};

use crate::error::{RulesError, did_you_mean, shorten};
use crate::game::Game;
use crate::player::{FirstPlayer, MAX_PLAYERS};

/// The longest JSON text of options that is read, in bytes.
pub const MAX_TEXT: usize = 16 * 1024;

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

/// The values that an option takes.
#[derive(Clone, Copy, PartialEq, Debug)]
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
    OneOf(&'static [i64]),
    /// A number in a range, both ends included.
    Number {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// One of these words.
    Word(&'static [&'static str]),
    /// A seat, or the word "random".
    FirstPlayer,
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Takes::Flag => f.write_str("true or false"),
            Takes::Integer { min, max } => write!(f, "an integer from {min} to {max}"),
            Takes::OneOf(values) => {
                let values: Vec<String> = values.iter().map(i64::to_string).collect();
                f.write_str(&values.join(" or "))
            }
            Takes::Number { min, max } => write!(f, "a number from {min:e} to {max:e}"),
            Takes::Word(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                f.write_str(&words.join(" or "))
            }
            Takes::FirstPlayer => f.write_str("a seat at the table (0, 1, ...) or \"random\""),
        }
    }
}

impl Takes {
    fn accepts(&self, value: &Value) -> bool {
        match self {
            Takes::Flag => value.is_boolean(),
            Takes::Integer { min, max } => value.as_i64().is_some_and(|v| (*min..=*max).contains(&v)),
            Takes::OneOf(values) => value.as_i64().is_some_and(|v| values.contains(&v)),
            Takes::Number { min, max } => value.as_f64().is_some_and(|v| (*min..=*max).contains(&v)),
            Takes::Word(words) => value.as_str().is_some_and(|v| words.contains(&v)),
            Takes::FirstPlayer => {
                value.as_str() == Some("random") || value.as_u64().is_some_and(|v| v < MAX_PLAYERS as u64)
            }
        }
    }
}

/// The game whose options are those of a preset (the default one where `None`) with the options of a JSON object on top.
///
/// # Errors
/// Names the preset or option, what it got and what it takes; or says which options contradict each other.
///
/// ```
/// use sarai::games::sho::Sho;
/// use sarai::{Game, options};
/// let game: Sho = options::game_from_json(Some("lhasa"), r#"{"players": 2}"#)?;
/// assert_eq!(game.num_players(), 2);
/// let error = options::game_from_json::<Sho>(None, r#"{"players": 5}"#).unwrap_err();
/// assert_eq!(error.to_string(), "option 'players' got 5; it takes an integer from 2 to 4");
/// # Ok::<(), sarai::error::RulesError>(())
/// ```
pub fn game_from_json<G: Game>(preset: Option<&str>, json: &str) -> Result<G, RulesError> {
    let given = object_from_json(json)?;
    for (name, value) in &given {
        let Some(option) = G::OPTIONS.iter().find(|option| option.name == name) else {
            let known: Vec<&str> = G::OPTIONS.iter().map(|option| option.name).collect();
            return Err(RulesError::new(format!(
                "unknown option '{}'{}; {} takes {}",
                shorten(name),
                did_you_mean(name, known.iter().copied()),
                G::NAME,
                known.join(", ")
            )));
        };
        if !option.takes.accepts(value) {
            let hint = match (option.takes, value.as_str()) {
                (Takes::Word(words), Some(word)) => did_you_mean(word, words.iter().copied()),
                _ => String::new(),
            };
            return Err(RulesError::new(format!(
                "option '{name}' got {}{hint}; it takes {}",
                shorten(&value.to_string()),
                option.takes
            )));
        }
    }
    let base = match preset {
        None => G::Rules::default(),
        Some(name) => match G::PRESETS.iter().find(|preset| preset.name == name) {
            Some(preset) => (preset.rules)(),
            None => {
                let known: Vec<&str> = G::PRESETS.iter().map(|preset| preset.name).collect();
                return Err(RulesError::new(format!(
                    "unknown preset '{}'{}; {} has {}",
                    shorten(name),
                    did_you_mean(name, known.iter().copied()),
                    G::NAME,
                    known.join(", ")
                )));
            }
        },
    };
    let mut merged = serde_json::to_value(base).expect("rules are plain data");
    let fields = merged.as_object_mut().expect("rules are a struct with named fields");
    fields.extend(given);
    from_value(merged)
}

/// The same rule book begun by each of these in turn; `None` where the rules have no option for who begins.
///
/// # Errors
/// When the rules refuse one of them.
///
/// ```
/// use sarai::games::sho::Sho;
/// use sarai::{FirstPlayer, Game, Player, options};
/// let game = Sho::new(Default::default())?;
/// let books = options::begun_by_each(&game, [FirstPlayer::Seat(Player(2))])?.expect("sho has the option");
/// assert_eq!(books[0].rules().first_player, FirstPlayer::Seat(Player(2)));
/// assert!(options::begun_by_each(&game, [FirstPlayer::Seat(Player(3))]).is_err());
/// # Ok::<(), sarai::error::RulesError>(())
/// ```
pub fn begun_by_each<G: Game>(
    game: &G,
    who: impl IntoIterator<Item = FirstPlayer>,
) -> Result<Option<Vec<G>>, RulesError> {
    let Some(option) = G::OPTIONS.iter().find(|option| option.takes == Takes::FirstPlayer) else {
        return Ok(None);
    };
    let mut rules = serde_json::to_value(game.rules()).expect("rules are plain data");
    let begun_by = |first: FirstPlayer| {
        rules[option.name] = serde_json::to_value(first).expect("a seat is plain data");
        from_value::<G>(rules.clone())
    };
    who.into_iter().map(begun_by).collect::<Result<_, _>>().map(Some)
}

fn from_value<G: Game>(rules: Value) -> Result<G, RulesError> {
    let rules = serde_json::from_value(rules)
        .map_err(|error| RulesError::new(format!("the options of {}: {error}", G::NAME)))?;
    G::new(rules)
}

fn object_from_json(json: &str) -> Result<Map<String, Value>, RulesError> {
    if json.len() > MAX_TEXT {
        return Err(RulesError::new(format!(
            "the options are a text of {} bytes; at most {MAX_TEXT} are read",
            json.len()
        )));
    }
    match serde_json::from_str(json) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(other) => Err(RulesError::new(format!(
            "options are a JSON object such as {{\"players\": 2}}, not {}",
            shorten(&other.to_string())
        ))),
        Err(error) => Err(RulesError::new(format!("the options are not valid JSON: {error}"))),
    }
}

/// The options of a rule book as a JSON object.
pub(crate) fn to_value<G: Game>(rules: &G::Rules) -> Value {
    serde_json::to_value(rules).expect("rules are plain data")
}
