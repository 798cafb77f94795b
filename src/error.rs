//! What can be wrong with what a caller gives: rules, positions, actions, sizes.
//!
//! Each error is a sentence that says what was given, what is allowed and, where it helps, what to do.

use std::error::Error;
use std::fmt;

use crate::action::Action;

macro_rules! sentence {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $name(String);

        impl $name {
            /// An error with this sentence.
            pub fn new(sentence: impl Into<String>) -> Self {
                $name(sentence.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Error for $name {}
    };
}

sentence! {
    /// Options that no rule book has: an unknown one, a value out of range, or a forbidden combination.
    RulesError
}

sentence! {
    /// A position that breaks an invariant of its game, or a text that is no position at all.
    Broken
}

/// What keeps a request from being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// A name, a size or a setting that is not one of those allowed.
    Request,
    /// There is no memory for it.
    Memory,
    /// The system starts no threads for it.
    Threads,
}

/// A request that cannot be done, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadRequest {
    cause: Cause,
    sentence: String,
}

impl BadRequest {
    /// For a name, a size or a setting that is not one of those allowed.
    pub fn new(sentence: impl Into<String>) -> Self {
        BadRequest { cause: Cause::Request, sentence: sentence.into() }
    }

    /// For want of memory.
    pub fn no_memory(sentence: impl Into<String>) -> Self {
        BadRequest { cause: Cause::Memory, sentence: sentence.into() }
    }

    /// For want of threads.
    pub fn no_threads(sentence: impl Into<String>) -> Self {
        BadRequest { cause: Cause::Threads, sentence: sentence.into() }
    }

    /// What keeps it from being done.
    pub fn cause(&self) -> Cause {
        self.cause
    }
}

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl Error for BadRequest {}

/// An action or outcome that is not legal where it was played. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IllegalAction {
    /// What was played, as the caller gave it: any integer.
    pub action: i64,
    /// Where it was played, "lane 3" or "game 17"; empty for a single position.
    pub place: String,
    /// What is legal there, in words.
    pub legal: String,
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

impl fmt::Display for IllegalAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "action {} is not legal here; {}", self.action, self.legal)
    }
}

impl Error for IllegalAction {}

/// "legal are 0, 5, 64": the sentence part that lists what may be played, cut after twenty.
pub fn list_legal<I: IntoIterator<Item = Action>>(actions: I) -> String {
    let ids: Vec<String> = actions.into_iter().map(|action| action.to_string()).collect();
    match ids.len() {
        0 => "nothing is legal".into(),
        n if n > 20 => format!("legal are {}, ... ({n} in all)", ids[..20].join(", ")),
        _ => format!("legal are {}", ids.join(", ")),
    }
}

/// At most the first 60 characters, for quoting what somebody gave.
///
/// ```
/// use sarai::error::shorten;
/// assert_eq!(shorten("sho"), "sho");
/// assert_eq!(shorten(&"x".repeat(1000)).len(), 63);
/// ```
pub fn shorten(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// " (did you mean 'greedy'?)" where one of the names is close to what was given, else nothing.
///
/// ```
/// use sarai::error::did_you_mean;
/// assert_eq!(did_you_mean("gredy", ["random", "greedy"]), " (did you mean 'greedy'?)");
/// assert_eq!(did_you_mean("Sho", ["shah", "sho"]), " (did you mean 'sho'?)");
/// assert_eq!(did_you_mean("chess", ["shah", "sho"]), "");
/// ```
pub fn did_you_mean<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    // What is much longer than any name is no typo, and would take its time.
    if given.len() > 60 {
        return String::new();
    }
    let given = given.to_lowercase();
    let distance = |name: &str| strsim::osa_distance(&given, &name.to_lowercase());
    let nearest = names.into_iter().map(|name| (distance(name), name)).min();
    match nearest {
        // A third of the letters may be wrong.
        Some((distance, name)) if distance * 3 <= name.len() => format!(" (did you mean '{name}'?)"),
        _ => String::new(),
    }
}
