//! The error of the engine, and the wording that all errors share.
//!
//! Each error is a sentence that says what was given, what is allowed and, where it helps, what to do.

use std::fmt;

use thiserror::Error;

/// Why something was not done.
///
/// ```
/// use sarai::games::sho::{Rules, Sho};
/// use sarai::{Error, Game};
/// let error = Sho::new(Rules { players: 5, ..Rules::default() }).unwrap_err();
/// assert_eq!(error.to_string(), "option 'players' got 5; it takes an integer from 2 to 4");
/// assert!(matches!(error, Error::InvalidRules(_)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Error {
    /// A name, a size or a setting that is not one of those allowed.
    #[error("{0}")]
    Invalid(String),
    /// Options that no rule book of the game has.
    #[error("{0}")]
    InvalidRules(String),
    /// What describes no position, or one that breaks an invariant of its game.
    #[error("{0}")]
    InvalidPosition(String),
    /// An action or outcome that is not legal where it was played.
    #[error(transparent)]
    IllegalAction(#[from] IllegalAction),
    /// There is not enough memory.
    #[error("{0}")]
    OutOfMemory(String),
    /// The system starts no threads.
    #[error("{0}")]
    NoThreads(String),
    /// [`Control::cancel`](crate::base::control::Control::cancel) was called.
    #[error("it was cancelled; begin new games with reset()")]
    Cancelled,
    /// No game has begun yet.
    #[error("no game is under way; begin one with reset()")]
    NotBegun,
    /// An earlier step or reset of a batch ended midway: only a reset of all lanes comes next.
    #[error("an earlier step or reset of this environment was interrupted: call reset()")]
    Interrupted,
}

impl Error {
    /// For a name, a size or a setting that is not one of those allowed.
    pub fn new(sentence: impl Into<String>) -> Self {
        Error::Invalid(sentence.into())
    }

    /// For options that no rule book of the game has.
    pub fn rules(sentence: impl Into<String>) -> Self {
        Error::InvalidRules(sentence.into())
    }

    /// For what describes no position, or one that no game leads to.
    pub fn position(sentence: impl Into<String>) -> Self {
        Error::InvalidPosition(sentence.into())
    }

    /// For want of memory.
    pub fn no_memory(sentence: impl Into<String>) -> Self {
        Error::OutOfMemory(sentence.into())
    }

    /// The same of this lane, where it is about what was asked.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn in_lane(self, lane: usize) -> Self {
        match self {
            Error::Invalid(sentence) => Error::Invalid(format!("lane {lane}: {sentence}")),
            other => other,
        }
    }

    /// The same, where there is but one lane or game, which need not be named.
    pub fn without_place(self) -> Self {
        match self {
            Error::IllegalAction(error) => Error::IllegalAction(error.at("")),
            other => other,
        }
    }
}

/// An action or outcome that is not legal where it was played. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{place}{}action {} is not legal here; {legal}", if place.is_empty() { "" } else { ": " }, shown(*action))]
pub struct IllegalAction {
    /// What was played, as the caller gave it: any integer; [`i64::MIN`] stands for those that do not fit.
    pub action: i64,
    /// Where it was played, "lane 3" or "game 17"; empty for a single position.
    pub place: String,
    /// What is legal there, in words.
    pub legal: String,
}

fn shown(action: i64) -> String {
    if action == i64::MIN { "far out of range".to_owned() } else { action.to_string() }
}

impl IllegalAction {
    /// The error for `action` at one position, where `legal` says what may be played.
    pub fn new(action: i64, legal: impl Into<String>) -> Self {
        IllegalAction { action, place: String::new(), legal: legal.into() }
    }

    /// The same error, said of this lane or game.
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.place = place.into();
        self
    }
}

/// "the legal ones are 0, 5, 64": the sentence part that lists what may be played, cut after twenty.
pub fn list_legal(actions: impl IntoIterator<Item: fmt::Display>) -> String {
    let ids: Vec<String> = actions.into_iter().map(|action| action.to_string()).collect();
    match ids.len() {
        n if n > 20 => format!("the legal ones are {}, ... ({n} in all)", ids[..20].join(", ")),
        _ => format!("the legal ones are {}", ids.join(", ")),
    }
}

/// Bytes in hexadecimal digits, as digests are written.
///
/// ```
/// assert_eq!(sarai::base::error::hex(&[0, 171]), "00ab");
/// ```
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// At most the first 60 characters, for quoting what somebody gave.
///
/// ```
/// use sarai::base::error::shorten;
/// assert_eq!(shorten("sho"), "sho");
/// assert_eq!(shorten(&"x".repeat(1000)).len(), 63);
/// ```
pub fn shorten(text: &str) -> String {
    cut(text, 60)
}

/// At most the first 1,000 characters: for quoting a path, or the name of an agent that has one in it, where what comes late
/// tells it from others.
///
/// ```
/// use sarai::base::error::shorten_path;
/// assert_eq!(shorten_path("tables"), "tables");
/// assert_eq!(shorten_path("x".repeat(5000)).len(), 1003);
/// ```
pub fn shorten_path(path: impl fmt::Display) -> String {
    cut(&path.to_string(), 1000)
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// A number of things in words.
///
/// ```
/// use sarai::base::error::counted;
/// assert_eq!(counted(1, "entry", "entries"), "1 entry");
/// assert_eq!(counted(0, "entry", "entries"), "0 entries");
/// ```
pub fn counted(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

/// " (did you mean 'greedy'?)" where one of the names is close to what was given, else nothing.
///
/// ```
/// use sarai::base::error::did_you_mean;
/// assert_eq!(did_you_mean("gredy", ["random", "greedy"]), " (did you mean 'greedy'?)");
/// assert_eq!(did_you_mean("Sho", ["shah", "sho"]), " (did you mean 'sho'?)");
/// assert_eq!(did_you_mean("chess", ["shah", "sho"]), "");
/// ```
pub fn did_you_mean<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    meant(given, &names.into_iter().collect::<Vec<_>>())
}

/// The same, once for every kind of list: pages load all of it.
fn meant(given: &str, names: &[&str]) -> String {
    // What is much longer than any name is no typo, and would take its time.
    if given.len() > 60 {
        return String::new();
    }
    let given = given.to_ascii_lowercase();
    let distance = |name: &str| strsim::osa_distance(&given, &name.to_ascii_lowercase());
    let nearest = names.iter().map(|name| (distance(name), name)).min();
    match nearest {
        // A third of the letters may be wrong.
        Some((distance, name)) if distance * 3 <= name.len() => format!(" (did you mean '{name}'?)"),
        _ => String::new(),
    }
}
