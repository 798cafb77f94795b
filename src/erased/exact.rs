//! Exact play of any game that has tables.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Value, json};

use super::game::AnyGame;
use super::position::AnyPosition;
use super::states::AnyStates;
use crate::base::control::Control;
use crate::base::error::BadRequest;
use crate::base::threads::{Plan, share_out};
use crate::exact::file::Fingerprint;
use crate::exact::layers;
use crate::exact::loaded::Loaded;
use crate::exact::retrograde::Effort;
use crate::exact::solve::{self, Event};
use crate::exact::verify::verify_folder;
use crate::exact::worth::Worth;
use crate::games::{self, VisitSolvable};
use crate::play::states::States;
use crate::rules::action::Action;
use crate::rules::game::FullGame;
use crate::rules::layered::Layered;
use crate::rules::position::Position;
use crate::rules::rule_book;

/// What stands in a column of turns where there are none.
pub const NO_TURNS: i16 = -1;

/// Any rule book that has tables.
pub trait AnySolvable: Send + Sync {
    /// See [`Fingerprint`].
    fn fingerprint(&self) -> Value;
    /// What is to be solved for so many pieces on each side, as a JSON list of groups with their pairs, places and memory.
    fn plan(&self, pieces: (u8, u8)) -> Value;
    /// See [`solve::solve_into`]; what is told is a JSON object.
    ///
    /// # Errors
    /// As there.
    fn solve(
        &self,
        folder: &Path,
        pieces: (u8, u8),
        threads: usize,
        control: &Control,
        tell: &mut dyn FnMut(Value),
    ) -> Result<bool, BadRequest>;
    /// See [`verify_folder`]; what is told is a JSON object for each table.
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
    /// See [`Loaded::open`].
    ///
    /// # Errors
    /// As there.
    fn load(&self, folder: &Path, check: bool) -> Result<Box<dyn AnyLoaded>, BadRequest>;
}

/// Any [`Loaded`].
pub trait AnyLoaded: Send + Sync {
    /// What the tables are of, and what each holds, as JSON.
    fn summary(&self) -> Value;
    /// See [`Loaded::value`], and where that has nothing [`layers::value_in`].
    ///
    /// # Errors
    /// As there, and where the position is of other rules.
    fn value(&self, position: &dyn AnyPosition) -> Result<Option<Worth>, BadRequest>;
    /// See [`Loaded::moves`].
    ///
    /// # Errors
    /// As there, and where the position is of other rules.
    fn moves(&self, position: &dyn AnyPosition) -> Result<Option<Vec<(Action, Worth)>>, BadRequest>;
    /// The value of each state and its turns, [`NO_TURNS`] where there are none.
    ///
    /// # Errors
    /// As [`Loaded::value`]; also names the first row that the tables do not have.
    fn values(
        &self,
        states: &dyn AnyStates,
        out: (&mut [i8], &mut [i16]),
        threads: usize,
    ) -> Result<(), BadRequest>;
}

/// The tables that a game may have.
///
/// # Errors
/// Names the games that have any.
///
/// ```
/// use sarai::erased::{exact, registry};
/// assert!(exact::solvable(&*registry::find("shah")?.make(None, "{}")?).is_ok());
/// assert!(exact::solvable(&*registry::find("sho")?.make(None, "{}")?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solvable(game: &dyn AnyGame) -> Result<Box<dyn AnySolvable>, BadRequest> {
    struct Find<'a> {
        game: &'a dyn AnyGame,
        found: Option<Box<dyn AnySolvable>>,
        names: Vec<&'static str>,
    }
    impl VisitSolvable for Find<'_> {
        fn game<G: FullGame + Layered>(&mut self) {
            self.names.push(G::NAME);
            if G::NAME == self.game.name() {
                let book = rule_book::game_from_json::<G>(None, &self.game.rules().to_string());
                self.found = book.ok().map(|book| Box::new(Book(book)) as Box<dyn AnySolvable>);
            }
        }
    }
    let mut find = Find { game, found: None, names: Vec::new() };
    games::visit_solvable(&mut find);
    let Find { found, names, .. } = find;
    found.ok_or_else(|| {
        BadRequest::new(format!(
            "there are no tables of '{}'; there are of {}",
            game.name(),
            names.join(", ")
        ))
    })
}

/// A rule book that has tables.
struct Book<G>(G);

impl<G: FullGame + Layered> AnySolvable for Book<G> {
    fn fingerprint(&self) -> Value {
        json!(Fingerprint::of(&self.0))
    }

    fn plan(&self, pieces: (u8, u8)) -> Value {
        let groups = solve::groups(&self.0.tables(pieces.0.max(pieces.1)), pieces);
        let group = |group: &solve::Group| {
            let pairs: Vec<[u8; 2]> = group.pairs.iter().map(|pair| [pair.own, pair.other]).collect();
            json!({"pairs": pairs, "places": group.places, "memory": group.memory})
        };
        Value::Array(groups.iter().map(group).collect())
    }

    fn solve(
        &self,
        folder: &Path,
        pieces: (u8, u8),
        threads: usize,
        control: &Control,
        tell: &mut dyn FnMut(Value),
    ) -> Result<bool, BadRequest> {
        let effort = Effort { threads, control };
        solve::solve_into(folder, &self.0, pieces, effort, |event| {
            tell(match event {
                Event::Found(group) => json!({"event": "found", "places": group.places}),
                Event::Begun(group) => {
                    let names: Vec<String> = group.pairs.iter().map(ToString::to_string).collect();
                    json!({"event": "begun", "pairs": names, "places": group.places, "memory": group.memory})
                }
                Event::Written(pair, summary, digest) => {
                    json!({"event": "written", "pair": [pair.own, pair.other], "summary": summary, "digest": digest})
                }
                Event::Done(group, took) => {
                    json!({"event": "done", "places": group.places, "seconds": took.as_secs_f64()})
                }
            });
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
        verify_folder(folder, &self.0, every, Effort { threads, control }, |pair, checked| {
            let first = checked.first.as_ref().map(|(_, sentence)| sentence);
            tell(json!({
                "pair": [pair.own, pair.other],
                "positions": checked.positions,
                "wrong": checked.wrong,
                "first": first,
            }));
        })
    }

    fn load(&self, folder: &Path, check: bool) -> Result<Box<dyn AnyLoaded>, BadRequest> {
        let decisive = self.0.decisive_rules();
        let tables = Loaded::open(folder, &self.0, check)?;
        let (folder, book) = (folder.to_owned(), self.0.clone());
        Ok(Box::new(Open { tables, folder, book, layers: OnceLock::new(), decisive }))
    }
}

/// Loaded tables, and the rules on which their values depend.
struct Open<G: Layered> {
    tables: Loaded<G>,
    folder: PathBuf,
    book: G,
    /// Made when a state before the tables is first looked up.
    layers: OnceLock<G::Layers>,
    decisive: Vec<(&'static str, String)>,
}

impl<G: FullGame + Layered> Open<G> {
    fn same_rules(&self, game: &G) -> Result<(), BadRequest> {
        if game.decisive_rules() == self.decisive {
            return Ok(());
        }
        let rules: Vec<String> =
            self.decisive.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Err(BadRequest::new(format!("the tables are of {} with {}", G::NAME, rules.join(", "))))
    }

    fn position<'a>(&self, position: &'a dyn AnyPosition) -> Result<&'a Position<G>, BadRequest> {
        let position = position.as_any().downcast_ref::<Position<G>>().ok_or_else(|| {
            BadRequest::new(format!("the tables are of {}, the state of another game", G::NAME))
        })?;
        self.same_rules(position.game())?;
        Ok(position)
    }
}

impl<G: FullGame + Layered> AnyLoaded for Open<G> {
    fn summary(&self) -> Value {
        let tables = self
            .tables
            .headers()
            .map(|header| json!({"pair": header.pair, "summary": header.summary, "digest": header.digest}));
        json!({"fingerprint": self.tables.fingerprint(), "tables": tables.collect::<Vec<_>>()})
    }

    fn value(&self, position: &dyn AnyPosition) -> Result<Option<Worth>, BadRequest> {
        let position = self.position(position)?;
        match self.tables.value(position.state())? {
            // Layers go by more of the rules.
            None if position.game().layer_rules() == self.book.layer_rules() => {
                let layers = self.layers.get_or_init(|| self.book.layers());
                layers::value_in(&self.folder, &self.book, layers, position.state())
            }
            known => Ok(known),
        }
    }

    fn moves(&self, position: &dyn AnyPosition) -> Result<Option<Vec<(Action, Worth)>>, BadRequest> {
        self.tables.moves(self.position(position)?.state())
    }

    fn values(
        &self,
        states: &dyn AnyStates,
        out: (&mut [i8], &mut [i16]),
        threads: usize,
    ) -> Result<(), BadRequest> {
        let states = states.as_any().downcast_ref::<States<G>>().ok_or_else(|| {
            BadRequest::new(format!("the tables are of {}, the states of another game", G::NAME))
        })?;
        self.same_rules(states.game())?;
        let problem = std::sync::Mutex::new(None);
        let mut rows: Vec<_> = states.rows().iter().zip(out.0).zip(out.1).enumerate().collect();
        let plan = Plan { threads, piece: 1 << 12 };
        share_out(plan, &mut rows[..], None, |rows| {
            for (row, ((state, value), turns)) in rows {
                let worth = match self.tables.value(state) {
                    Ok(Some(worth)) => worth,
                    missing => {
                        let error = missing.err().unwrap_or_else(|| {
                            BadRequest::new(format!("row {row}: the tables do not have this position"))
                        });
                        let mut problem = crate::base::threads::lock(&problem);
                        if problem.as_ref().is_none_or(|&(earlier, _)| *row < earlier) {
                            *problem = Some((*row, error));
                        }
                        continue;
                    }
                };
                **value = worth.value;
                **turns = worth.turns.map_or(NO_TURNS, |turns| turns as i16);
            }
        })?;
        match problem.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }
}
