//! Layers of turns before the tables of any game that has them.

use std::path::Path;

use serde_json::{Value, json};

use super::game::AnyGame;
use crate::base::control::Control;
use crate::base::error::BadRequest;
use crate::exact::layers::{self, Event, Stage};
use crate::exact::retrograde::Effort;
use crate::games::{self, VisitSolvable};
use crate::rules::game::FullGame;
use crate::rules::layered::Layered;
use crate::rules::rule_book;

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
    ) -> Result<bool, BadRequest>;
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
    ) -> Result<bool, BadRequest>;
    /// What the tables of layers in a folder hold, as a JSON list with layer, pair, summary and digest.
    ///
    /// # Errors
    /// See [`layers::headers_in`].
    fn summary(&self, folder: &Path) -> Result<Value, BadRequest>;
}

struct Book<G>(G);

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
    ) -> Result<bool, BadRequest> {
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
    ) -> Result<bool, BadRequest> {
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

    fn summary(&self, folder: &Path) -> Result<Value, BadRequest> {
        let headers = layers::headers_in(folder, &self.0)?;
        let one = |(layer, header): &(u16, crate::exact::file::Header)| json!({"layer": layer, "pair": header.pair, "summary": header.summary, "digest": header.digest});
        Ok(headers.iter().map(one).collect())
    }
}

/// The layers that a game may have.
///
/// # Errors
/// Names the games that have any.
///
/// ```
/// use sarai::erased::{layers, registry};
/// assert!(layers::layered(&*registry::find("shah")?.make(None, "{}")?).is_ok());
/// assert!(layers::layered(&*registry::find("sho")?.make(None, "{}")?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn layered(game: &dyn AnyGame) -> Result<Box<dyn AnyLayered>, BadRequest> {
    struct Find<'a> {
        game: &'a dyn AnyGame,
        found: Option<Box<dyn AnyLayered>>,
        names: Vec<&'static str>,
    }
    impl VisitSolvable for Find<'_> {
        fn game<G: FullGame + Layered>(&mut self) {
            self.names.push(G::NAME);
            if G::NAME == self.game.name() {
                let book = rule_book::game_from_json::<G>(None, &self.game.rules().to_string());
                self.found = book.ok().map(|book| Box::new(Book(book)) as Box<dyn AnyLayered>);
            }
        }
    }
    let mut find = Find { game, found: None, names: Vec::new() };
    games::visit_solvable(&mut find);
    let Find { found, names, .. } = find;
    found.ok_or_else(|| {
        let names = names.join(", ");
        BadRequest::new(format!(
            "'{}' has no phase that is solved before its tables; {names} has",
            game.name()
        ))
    })
}
