//! What can be chosen for a new game: games, presets, options, and agents that play them.

use serde_json::{Value, json};

use crate::agents::Agent;
use crate::api::AnyGame;
use crate::api::registry::{self, Entry};
use crate::base::error::{Error, shorten};
use crate::nets::shipped;

/// In a browser there are no files of networks or tables.
const HAS_FILES: bool = cfg!(not(target_family = "wasm"));

/// Agents that somebody at a board may like to meet, where they play the game.
const OFFERED: [&str; 8] = [
    "greedy",
    "random",
    "mcts:200",
    "mcts:2000,evaluator=heuristic",
    "expectimax:1",
    "expectimax:2",
    "alphabeta:8",
    "perfect",
];

/// How strong some of them are, in words that everybody knows: each is the first of its agents that plays the game. A search
/// of 200 games that are played at random is the weakest of all that mean to win (`docs/agents.md`).
const LEVELS: [(&str, &[&str]); 3] =
    [("easy", &["mcts:200"]), ("medium", &["greedy"]), ("strong", &["alphabeta:8", "expectimax:2"])];

/// Every game, with what can be chosen for it.
pub fn catalogue() -> Vec<Value> {
    registry::all().iter().map(entry).collect()
}

fn entry(entry: &Entry) -> Value {
    let told = entry.describe();
    let rules = entry.presets();
    let presets = told["presets"].as_array().into_iter().flatten().map(|preset| {
        let name = preset["name"].as_str().unwrap_or_default();
        let players = entry.make(Some(name), "{}").map(|game| game.seat_names()).ok();
        json!({"name": name, "meaning": preset["meaning"], "rules": rules[name], "players": players})
    });
    let nets = shipped().into_iter().map(|name| format!("net:{name}"));
    let offered = OFFERED.iter().map(|&name| name.to_owned()).chain(nets);
    let agents: Vec<String> = match entry.make(None, "{}") {
        Ok(game) => offered.filter(|name| harmless(name).is_ok() && plays(&*game, name).is_ok()).collect(),
        Err(_) => Vec::new(),
    };
    let knows = |agent: &&&str| agents.iter().any(|known| known == **agent);
    let levels = LEVELS.iter().filter_map(|(level, names)| {
        names.iter().find(knows).map(|agent| json!({"name": level, "agent": agent}))
    });
    json!({
        "levels": levels.collect::<Vec<_>>(),
        "name": entry.name,
        "title": entry.title(),
        "num_actions": told["num_actions"],
        "presets": presets.collect::<Vec<_>>(),
        "options": told["options"],
        "agents": agents,
    })
}

/// The agent of a name, if it plays the game.
///
/// # Errors
/// When there is none, or it does not.
pub fn plays(game: &dyn AnyGame, name: &str) -> Result<Agent, Error> {
    let agent: Agent = name.parse()?;
    game.seats(&agent).map(|()| agent)
}

/// Refuses agents that whoever asks over a connection may not have: they read files, or take very long.
///
/// # Errors
/// When it is one of these.
///
/// ```
/// use sarai::session::harmless;
/// assert!(harmless("mcts:200").is_ok());
/// assert!(harmless("net:/etc/passwd").is_err());
/// ```
pub fn harmless(name: &str) -> Result<(), Error> {
    let digits = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let (kind, settings) = name.split_once(':').unwrap_or((name, ""));
    let allowed = match kind {
        "random" | "greedy" => name == kind,
        "perfect" => name == kind && HAS_FILES,
        "mcts" => digits(settings.strip_suffix(",evaluator=heuristic").unwrap_or(settings), 4),
        "expectimax" => matches!(settings, "1" | "2"),
        "alphabeta" => digits(settings, 1) && (1..=8).any(|depth| settings == depth.to_string()),
        "net" => HAS_FILES && shipped().iter().any(|shipped| shipped == settings),
        _ => false,
    };
    if allowed {
        return Ok(());
    }
    let more = if HAS_FILES { ", perfect, or net: and the name of a network of the package" } else { "" };
    Err(Error::new(format!(
        "agent '{}' cannot play here: choose greedy, random, mcts:N with N up to 9999, expectimax:1 or expectimax:2, \
         alphabeta:N with N up to 8{more}",
        shorten(name)
    )))
}
