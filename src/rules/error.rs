//! What can be wrong with what a caller gives of a game: options, positions, actions.
//!
//! Each error is a sentence that says what was given, what is allowed and, where it helps, what to do; and a kind, to
//! match on.

use std::error::Error;
use std::fmt;

use super::action::Action;

/// What is wrong with options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RulesErrorKind {
    /// They are no object of options at all.
    Unreadable,
    /// The game has no option or preset of this name.
    Unknown,
    /// An option does not take this value.
    OutOfRange,
    /// Two options contradict each other.
    Contradiction,
}

/// Options that no rule book has.
///
/// ```
/// use sarai::games::sho::{Rules, Sho};
/// use sarai::rules::error::RulesErrorKind;
/// use sarai::Game;
/// let error = Sho::new(Rules { players: 5, ..Rules::default() }).unwrap_err();
/// assert_eq!(error.kind(), RulesErrorKind::OutOfRange);
/// assert_eq!(error.to_string(), "option 'players' got 5; it takes an integer from 2 to 4");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesError {
    kind: RulesErrorKind,
    sentence: String,
}

impl RulesError {
    /// An error of this kind with this sentence.
    pub fn new(kind: RulesErrorKind, sentence: impl Into<String>) -> Self {
        RulesError { kind, sentence: sentence.into() }
    }

    /// For two options that contradict each other.
    pub fn contradiction(sentence: impl Into<String>) -> Self {
        RulesError::new(RulesErrorKind::Contradiction, sentence)
    }

    /// What is wrong.
    pub fn kind(&self) -> RulesErrorKind {
        self.kind
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl Error for RulesError {}

/// What is wrong with a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BrokenKind {
    /// The text or dict describes no position.
    Unreadable,
    /// The position breaks an invariant of its game: no game leads there.
    Impossible,
}

/// A position that breaks an invariant of its game, or a text that is no position at all.
///
/// ```
/// use sarai::erased::registry;
/// use sarai::rules::error::BrokenKind;
/// let sho = registry::find("sho").unwrap().make(None, "{}").unwrap();
/// assert_eq!(sho.parse("here and there").unwrap_err().kind(), BrokenKind::Unreadable);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    kind: BrokenKind,
    sentence: String,
}

impl Broken {
    /// For what describes no position.
    pub fn unreadable(sentence: impl Into<String>) -> Self {
        Broken { kind: BrokenKind::Unreadable, sentence: sentence.into() }
    }

    /// For a position that no game leads to.
    pub fn impossible(sentence: impl Into<String>) -> Self {
        Broken { kind: BrokenKind::Impossible, sentence: sentence.into() }
    }

    /// What is wrong.
    pub fn kind(&self) -> BrokenKind {
        self.kind
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl Error for Broken {}

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

/// "the legal ones are 0, 5, 64": the sentence part that lists what may be played, cut after twenty.
pub fn list_legal<I: IntoIterator<Item = Action>>(actions: I) -> String {
    let ids: Vec<String> = actions.into_iter().map(|action| action.to_string()).collect();
    match ids.len() {
        n if n > 20 => format!("the legal ones are {}, ... ({n} in all)", ids[..20].join(", ")),
        _ => format!("the legal ones are {}", ids.join(", ")),
    }
}
