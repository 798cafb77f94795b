//! What keeps a request from being done, and the wording that all errors share.
//!
//! Each error is a sentence that says what was given, what is allowed and, where it helps, what to do.

use std::error::Error;
use std::fmt;

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
