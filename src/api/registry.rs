//! Games by their names: what can be said of one, and made, without knowing it at compile time.

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};

use super::game::AnyGame;
use crate::base::{Error, did_you_mean, shorten};
use crate::games::{self, Visit};
use crate::play::AnyPosition;
use crate::rules::{FullGame, rule_book};

/// Makes a game from a preset's name and a JSON object of options.
type Make = fn(Option<&str>, &str) -> Result<Arc<dyn AnyGame>, Error>;

/// A game in the registry.
#[derive(Debug)]
pub struct Entry {
    /// The name users type.
    pub name: &'static str,
    make: Make,
    presets: fn() -> Value,
    describe: fn() -> Value,
    head: &'static [u8],
}

impl Entry {
    fn of<G: FullGame>() -> Self {
        let head = &Head::<G>::TEXT;
        Entry { name: G::NAME, make: make::<G>, presets: presets::<G>, describe: describe::<G>, head }
    }

    /// What people call the game.
    ///
    /// ```
    /// assert_eq!(sarai::api::registry::find("shuanglu")?.title(), "Shuanglu");
    /// # Ok::<(), sarai::Error>(())
    /// ```
    pub fn title(&self) -> String {
        let head = String::from_utf8_lossy(self.head);
        head.split([':', ',', '(', '\n']).next().unwrap_or_default().trim().to_owned()
    }

    /// The game with a preset's options (the default one's for `None`) and those of a JSON object on top.
    ///
    /// # Errors
    /// As [`rule_book::game_from_json`].
    pub fn make(&self, preset: Option<&str>, json: &str) -> Result<Arc<dyn AnyGame>, Error> {
        (self.make)(preset, json)
    }

    /// Every preset with all its options, as a JSON object of objects.
    pub fn presets(&self) -> Value {
        (self.presets)()
    }

    /// What can be said about the game without choosing rules: options, presets, statistics, observation.
    pub fn describe(&self) -> Value {
        (self.describe)()
    }
}

/// Every game, in the order in which users see them.
pub fn all() -> &'static [Entry] {
    struct Entries(Vec<Entry>);
    impl Visit for Entries {
        fn game<G: FullGame>(&mut self) {
            self.0.push(Entry::of::<G>());
        }
    }
    static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let mut entries = Entries(Vec::new());
        games::visit(&mut entries);
        entries.0
    });
    &ALL
}

/// The registered game with this name.
///
/// # Errors
/// Names the games there are.
///
/// ```
/// assert_eq!(sarai::api::registry::find("sho")?.name, "sho");
/// assert!(sarai::api::registry::find("chess").is_err());
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn find(name: &str) -> Result<&'static Entry, Error> {
    all().iter().find(|entry| entry.name == name).ok_or_else(|| {
        let known: Vec<&str> = all().iter().map(|entry| entry.name).collect();
        let hint = did_you_mean(name, known.iter().copied());
        Error::new(format!("unknown game '{}'{hint}; the games are {}", shorten(name), known.join(", ")))
    })
}

/// The position that a text describes, in the first game, by its presets, that has it. No text is of two games: each names
/// the parts of its own.
///
/// ```
/// let game = sarai::api::registry::all()[1].make(None, "{}")?;
/// let (found, position) = sarai::api::registry::parse(&game.new_position().text()).unwrap();
/// assert_eq!(found.name(), game.name());
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn parse(text: &str) -> Option<(Arc<dyn AnyGame>, Box<dyn AnyPosition>)> {
    all().iter().find_map(|entry| {
        let presets = entry.presets();
        presets.as_object()?.keys().find_map(|preset| {
            let game = entry.make(Some(preset), "{}").ok()?;
            let position = game.parse(text).ok()?;
            Some((game, position))
        })
    })
}

fn make<G: FullGame>(preset: Option<&str>, json: &str) -> Result<Arc<dyn AnyGame>, Error> {
    Ok(Arc::new(rule_book::game_from_json::<G>(preset, json)?))
}

fn presets<G: FullGame>() -> Value {
    let presets = G::PRESETS.iter().map(|p| (p.name.to_owned(), rule_book::to_value::<G>(&(p.rules)())));
    Value::Object(presets.collect())
}

fn describe<G: FullGame>() -> Value {
    let defaults = rule_book::to_value::<G>(&G::Rules::default());
    let options: Vec<Value> = G::OPTIONS
        .iter()
        .map(|option| {
            json!({
                "name": option.name,
                "takes": option.takes.to_string(),
                "range": option.takes,
                "default": defaults[option.name],
                "meaning": option.meaning,
            })
        })
        .collect();
    let named = |name: &str, meaning: &str| json!({"name": name, "meaning": meaning});
    let described = json!({
        "name": G::NAME,
        "id": G::ID,
        "how_to_play": for_players(G::HOW_TO_PLAY),
        "rule_book": for_players(G::RULE_BOOK),
        "num_actions": G::NUM_ACTIONS,
        "options": options,
        "presets": G::PRESETS.iter().map(|p| named(p.name, p.meaning)).collect::<Vec<_>>(),
    });
    // Nobody learns in a page.
    #[cfg(not(target_family = "wasm"))]
    let described = for_programs::<G>(described);
    described
}

/// Adds what programs that learn from games ask for.
#[cfg(not(target_family = "wasm"))]
fn for_programs<G: FullGame>(mut described: Value) -> Value {
    let statistics = G::STATISTICS.iter().map(|s| json!({"name": s.name, "meaning": s.meaning}));
    let observation = G::OBSERVATION.iter().map(|part| {
        json!({
            "name": part.name,
            "start": part.start,
            "stop": part.start + part.len,
            "low": part.low,
            "high": part.high,
            "meaning": part.meaning,
        })
    });
    described["statistics"] = statistics.collect();
    described["observation"] = observation.collect();
    described
}

/// The part of a text that players read: what follows in a rule book is for programs.
#[cfg(not(target_family = "wasm"))]
fn for_players(rule_book: &'static str) -> &'static str {
    rule_book.split("\n# Making a game\n").next().unwrap_or(rule_book).trim_end()
}

/// The rule books would be a tenth of all that a page loads, and stand in the documentation.
#[cfg(target_family = "wasm")]
fn for_players(_: &str) -> Option<&'static str> {
    None
}

/// How a rule book begins.
struct Head<G>(std::marker::PhantomData<G>);

impl<G: FullGame> Head<G> {
    /// A copy, without which the whole rule book would be kept in place of it.
    const TEXT: [u8; 48] = {
        let (book, mut head, mut at) = (G::RULE_BOOK.as_bytes(), [b'\n'; 48], 0);
        while at < head.len() && at < book.len() {
            head[at] = book[at];
            at += 1;
        }
        head
    };
}
