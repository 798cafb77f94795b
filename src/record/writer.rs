//! Records as text, byte for byte as the Python package writes them; docs/records.md describes both forms.

use serde_json::{Value, json};

use super::json::dumps;
use super::{CHANCE, Record, Step, VERSION};
use crate::api::registry::find;
use crate::base::error::Error;

impl Record {
    /// The record as JSON.
    pub fn to_json(&self) -> String {
        let steps: Vec<Value> =
            self.steps.iter().map(|step| json!([step.player, step.id, step.name])).collect();
        let mut record = json!({
            "format": "sarai.record",
            "version": VERSION,
            "game": self.game.name(),
            "rules": self.game.rules(),
            "seed": self.origin.seed,
            "number": self.origin.number,
            "agents": self.origin.agents,
            "steps": steps,
            "result": self.result(),
        });
        if let Some(start) = &self.start {
            record["start"] = json!(start.text());
        }
        dumps(&record)
    }

    /// The record as text for people.
    ///
    /// # Errors
    /// When the name of a step has letters that part names in this form.
    pub fn to_text(&self) -> Result<String, Error> {
        let game = &self.game;
        let usual =
            find(game.name())?.make(None, "{}").map_err(|error| Error::new(error.to_string()))?.rules();
        let mut lines = vec![format!("sarai record {VERSION}"), format!("game: {}", game.name())];
        let rules: serde_json::Map<String, Value> = match game.rules() {
            Value::Object(rules) => rules.into_iter().filter(|(name, value)| usual[name] != *value).collect(),
            _ => serde_json::Map::new(),
        };
        let origin = &self.origin;
        lines.extend((!rules.is_empty()).then(|| format!("rules: {}", dumps(&Value::Object(rules)))));
        lines.extend(self.start.as_ref().map(|start| format!("start: {}", start.text())));
        lines.extend(origin.seed.map(|seed| format!("seed: {seed}")));
        lines.extend(origin.number.map(|number| format!("number: {number}")));
        lines.extend(origin.agents.as_ref().map(|agents| format!("agents: {}", dumps(&json!(agents)))));
        lines.push(format!("result: {}", self.result().map_or("unfinished".into(), |result| dumps(&result))));
        lines.push(String::new());
        turns(&self.steps, &mut lines)?;
        lines.push(String::new());
        Ok(lines.join("\n"))
    }

    /// The result as it is written; `None` while there is none.
    pub fn result(&self) -> Option<Value> {
        if self.to_act().is_some() {
            return None;
        }
        let winner = self.position.winner().map_or(-1, |side| i64::from(side.0));
        Some(json!({"returns": self.position.returns().as_slice(), "winner": winner}))
    }
}

/// The numbered lines: each begins with a chance outcome, or where another player goes on without one.
fn turns(steps: &[Step], lines: &mut Vec<String>) -> Result<(), Error> {
    let (mut line, mut seat, mut count) = (String::new(), CHANCE, 0);
    for (index, Step { player, name, .. }) in steps.iter().enumerate() {
        if name.is_empty() || name.trim() != name || name.contains(['[', ']', ',', '\n', '\r']) {
            return Err(Error::new(format!("step {index}: '{name}' cannot be written as text; write JSON")));
        }
        if *player == CHANCE || line.is_empty() || (seat != CHANCE && seat != *player) {
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            count += 1;
            (line, seat) = (format!("{count}."), CHANCE);
        }
        if *player == CHANCE {
            line += &format!(" [{name}]");
        } else if seat == CHANCE {
            line += &format!(" {player}: {name}");
            seat = *player;
        } else {
            line += &format!(", {name}");
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    Ok(())
}
