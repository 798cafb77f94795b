//! Layers of turns before the tables of any game that has them; see [`super::exact::AnySolvable::layers`].

use std::path::Path;

use serde_json::{Value, json};

use crate::base::control::Control;
use crate::base::error::Error;
use crate::exact::layers::{self, Event, Stage};
use crate::exact::retrograde::Effort;
use crate::rules::game::FullGame;
use crate::rules::layered::Layered;

/// Any rule book that has layers.
pub trait AnyLayered: Send + Sync {
    /// What is to be solved, as a JSON list of groups of one table each, with its layer, pair, places and memory.
    fn plan(&self) -> Value;
    /// See [`layers::solve_layers_into`]; what is told is a JSON object.
    ///
    /// # Errors
    /// As there.
    fn solve(
        &self,
        folder: &Path,
        threads: usize,
        control: &Control,
        tell: &mut dyn FnMut(Value),
    ) -> Result<bool, Error>;
    /// See [`layers::verify_layers`]; what is told is a JSON object for each table.
    ///
    /// # Errors
    /// As there.
    fn verify(
        &self,
        folder: &Path,
        every: u64,
        threads: usize,
        control: &Control,
        tell: &mut dyn FnMut(Value),
    ) -> Result<bool, Error>;
    /// What the tables of layers in a folder hold, as a JSON list with layer, pair, summary and digest.
    ///
    /// # Errors
    /// See [`layers::headers_in`].
    fn summary(&self, folder: &Path) -> Result<Value, Error>;
}

/// A rule book that has tables, and layers of turns before them.
pub(super) struct Book<G>(pub(super) G);

fn described(stage: &Stage) -> Value {
    json!({
        "layer": stage.layer,
        "pairs": [[stage.pair.own, stage.pair.other]],
        "places": stage.places,
        "memory": stage.memory,
    })
}

impl<G: FullGame + Layered> AnyLayered for Book<G> {
    fn plan(&self) -> Value {
        layers::stages(&self.0).iter().map(described).collect()
    }

    fn solve(
        &self,
        folder: &Path,
        threads: usize,
        control: &Control,
        tell: &mut dyn FnMut(Value),
    ) -> Result<bool, Error> {
        layers::solve_layers_into(folder, &self.0, Effort { threads, control }, |event| {
            let (name, stage, more) = match event {
                Event::Found(stage) => ("found", stage, json!({})),
                Event::Begun(stage) => ("begun", stage, json!({})),
                Event::Written(stage, summary, digest, took) => {
                    let more = json!({"summary": summary, "digest": digest, "seconds": took.as_secs_f64()});
                    ("written", stage, more)
                }
            };
            let mut told = json!({"event": name, "layer": stage.layer, "places": stage.places});
            told["pair"] = json!([stage.pair.own, stage.pair.other]);
            if let (Value::Object(told), Value::Object(more)) = (&mut told, more) {
                told.extend(more);
            }
            tell(told);
        })
    }

    fn verify(
        &self,
        folder: &Path,
        every: u64,
        threads: usize,
        control: &Control,
        tell: &mut dyn FnMut(Value),
    ) -> Result<bool, Error> {
        layers::verify_layers(folder, &self.0, every, Effort { threads, control }, |layer, pair, checked| {
            tell(json!({
                "layer": layer,
                "pair": [pair.own, pair.other],
                "positions": checked.positions,
                "wrong": checked.wrong,
                "first": checked.first.as_ref().map(|(_, sentence)| sentence),
            }));
        })
    }

    fn summary(&self, folder: &Path) -> Result<Value, Error> {
        let headers = layers::headers_in(folder, &self.0)?;
        let described = headers.iter().map(|(layer, header)| {
            json!({"layer": layer, "pair": header.pair, "summary": header.summary, "digest": header.digest})
        });
        Ok(described.collect())
    }
}
