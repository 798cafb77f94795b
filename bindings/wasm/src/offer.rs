//! What can be chosen for a game in a browser: games, presets, options, and agents.

use serde_json::{Value, json};

use sarai::agents::Agent;
use sarai::base::error::{BadRequest, shorten};
use sarai::erased::registry::{self, Entry};

/// Agents that somebody at a board may like to meet, where they play the game.
const OFFERED: [&str; 6] =
    ["greedy", "random", "mcts:200", "mcts:2000,evaluator=heuristic", "expectimax:1", "alphabeta:6"];

/// The longest name of an agent.
const MAX_NAME: usize = 200;

/// Every game, with what can be chosen for it.
pub(crate) fn catalogue() -> Value {
    json!({"games": registry::all().iter().map(entry).collect::<Vec<_>>()})
}

fn entry(entry: &Entry) -> Value {
    let told = entry.describe();
    let rules = entry.presets();
    let presets = told["presets"].as_array().into_iter().flatten().map(|preset| {
        let name = preset["name"].as_str().unwrap_or_default();
        let players = entry.make(Some(name), "{}").map(|game| game.num_players()).ok();
        json!({"name": name, "meaning": preset["meaning"], "rules": rules[name], "num_players": players})
    });
    let agents: Vec<&str> = match entry.make(None, "{}") {
        Ok(game) => OFFERED
            .into_iter()
            .filter(|name| agent(name).is_ok_and(|agent| game.seats(agent).is_ok()))
            .collect(),
        Err(_) => Vec::new(),
    };
    json!({
        "name": entry.name,
        "title": entry.title(),
        "num_actions": told["num_actions"],
        "presets": presets.collect::<Vec<_>>(),
        "options": told["options"],
        "agents": agents,
    })
}

/// An agent that plays in a browser.
pub(crate) fn agent(name: &str) -> Result<Agent, BadRequest> {
    let reads_files = ["net:", "net=", "perfect", "tables"].iter().any(|word| name.contains(word));
    if reads_files || name.len() > MAX_NAME {
        return Err(BadRequest::new(format!(
            "agent '{}' does not play here, where there are no files of networks or tables: choose random, greedy, \
             mcts:N, expectimax:N or alphabeta:N",
            shorten(name)
        )));
    }
    name.parse()
}
