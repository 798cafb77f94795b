//! What the tests share that know the games through the registry only.

pub mod arrays;
pub mod exact;

use std::sync::Arc;

use sarai::agents::playout::sample;
use sarai::agents::rng::Stream;
use sarai::api::AnyGame;
use sarai::api::registry;
use sarai::api::registry::Entry;
use sarai::play::position::AnyPosition;
use sarai::{ActionSet, Turn};
use serde_json::{Map, Value, json};

/// More steps than any game under test takes; a game that takes more does not end.
pub const MAX_STEPS: usize = 3_000_000;

/// A rule book with a name for messages, "sho/basic" or "sho {"players":2}".
pub struct Case {
    /// Which rule book it is.
    pub label: String,
    /// The rule book.
    pub game: Arc<dyn AnyGame>,
}

/// The names of a game's presets, the default first.
pub fn presets(entry: &Entry) -> Vec<String> {
    let presets = entry.presets();
    presets.as_object().expect("presets are an object").keys().cloned().collect()
}

/// Every game with each of its presets.
pub fn preset_cases() -> Vec<Case> {
    cases_with("{}")
}

/// Every game with each of its presets and a limit of turns, where it has one: games that end soon.
pub fn short_cases(max_turns: u32) -> Vec<Case> {
    let mut cases = Vec::new();
    for entry in registry::all() {
        let limited = option_names(entry).iter().any(|name| name == "max_turns");
        let options = if limited { json!({ "max_turns": max_turns }) } else { json!({}) };
        for preset in presets(entry) {
            cases.push(case(entry, &preset, &options));
        }
    }
    cases
}

fn cases_with(options: &str) -> Vec<Case> {
    let options: Value = serde_json::from_str(options).expect("valid JSON");
    let mut cases = Vec::new();
    for entry in registry::all() {
        for preset in presets(entry) {
            cases.push(case(entry, &preset, &options));
        }
    }
    cases
}

fn case(entry: &Entry, preset: &str, options: &Value) -> Case {
    let game = entry.make(Some(preset), &options.to_string()).expect("a preset makes a game");
    Case { label: format!("{}/{preset}", entry.name), game }
}

/// The names of a game's options.
pub fn option_names(entry: &Entry) -> Vec<String> {
    let described = entry.describe();
    let options = described["options"].as_array().expect("a list");
    options.iter().map(|option| option["name"].as_str().expect("a name").to_owned()).collect()
}

/// Every game with each of its options changed alone, and with `mixes` random mixes of all of them; what the rules
/// refuse is left out.
pub fn mixed_cases(mixes: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    for entry in registry::all() {
        let described = entry.describe();
        let options: Vec<(String, Vec<Value>)> = described["options"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|option| (option["name"].as_str().expect("a name").to_owned(), values(option)))
            .collect();
        let mut add = |given: Value| {
            if let Ok(game) = entry.make(None, &given.to_string()) {
                cases.push(Case { label: format!("{} {given}", entry.name), game });
                return true;
            }
            false
        };
        for (name, values) in &options {
            for value in values {
                add(json!({ name: value }));
            }
        }
        let mut rng = Stream::new(20, 26);
        let mut made = 0;
        for _ in 0..mixes * 20 {
            let mut given = Map::new();
            for (name, values) in &options {
                // Half of the options stay as they are, or contradictions would leave little over.
                let choice = rng.below(2 * values.len() as u32) as usize;
                if let Some(value) = values.get(choice) {
                    given.insert(name.clone(), value.clone());
                }
            }
            made += add(Value::Object(given)) as usize;
            if made == mixes {
                break;
            }
        }
        assert_eq!(made, mixes, "{}: hardly any mix of options is allowed", entry.name);
    }
    cases
}

/// Values that an option takes, read from what it says of itself.
fn values(option: &Value) -> Vec<Value> {
    let takes = option["takes"].as_str().expect("what it takes");
    if takes == "true or false" {
        return vec![json!(true), json!(false)];
    }
    if let Some(range) = takes.strip_prefix("an integer from ") {
        let (min, max) = range.split_once(" to ").expect("two ends");
        let (min, max): (i64, i64) = (min.parse().expect("a number"), max.parse().expect("a number"));
        return vec![json!(min), json!(min + (max - min) / 3), json!(max)];
    }
    if takes.starts_with("a seat") {
        return vec![json!("random"), json!(0), json!(1)];
    }
    if takes.starts_with("a number") {
        return vec![json!(0.1), json!(3)];
    }
    let values = takes.split(" or ").map(|word| serde_json::from_str(word).expect("a word or an integer"));
    values.collect()
}

/// The ids that may be played: actions on a player's turn, outcomes at a chance node, none at the end.
pub fn playable(position: &dyn AnyPosition) -> Vec<i64> {
    match position.turn() {
        Turn::Player(_) => position.legal_actions().iter().map(|action| action.0 as i64).collect(),
        Turn::Chance => {
            let chance = position.chance().expect("a chance node has outcomes");
            (0..chance.weights().len() as i64).collect()
        }
        Turn::Over => Vec::new(),
    }
}

/// One of the ids that may be played, outcomes by their weights; `None` at the end.
pub fn pick(position: &dyn AnyPosition, rng: &mut Stream) -> Option<i64> {
    match position.turn() {
        Turn::Player(_) => {
            let legal: ActionSet = position.legal_actions();
            let action = legal.nth(rng.below(legal.len() as u32) as usize).expect("a legal action");
            Some(action.0 as i64)
        }
        Turn::Chance => Some(sample(position.chance().expect("a chance node"), rng).0 as i64),
        Turn::Over => None,
    }
}
