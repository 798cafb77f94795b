//! Exact play of any game that has tables.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::game::AnyGame;
use super::layers::{AnyLayered, Book};
use super::position::AnyPosition;
use super::states::AnyStates;
use crate::agents::perfect;
use crate::agents::rng::Stream;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::memory::room_for;
use crate::exact::header::{Fingerprint, Header};
use crate::exact::loaded::{Loaded, Opening, no_position};
use crate::exact::retrograde::Effort;
use crate::exact::solve::{self, Event};
use crate::exact::verify::verify_folder;
use crate::exact::worth::Worth;
use crate::games::{self, VisitSolvable};
use crate::play::states::States;
use crate::rules::action::Action;
use crate::rules::game::{FullGame, Turn};
use crate::rules::layered::Layered;
use crate::rules::position::Position;
use crate::rules::rule_book;
use crate::rules::solvable::{Pair, Solvable, Tables};

/// So many positions of a table are drawn for one in which somebody can move: more than any table needs that has some.
const MAX_TRIES: u32 = 1 << 16;

/// How often a row looks whether it is stopped, in positions drawn.
const TRIES_A_LOOK: u32 = 64;

/// Any rule book that has tables.
pub trait AnySolvable: Send + Sync {
    /// The turns before the tables.
    fn layers(&self) -> &dyn AnyLayered;
    /// See [`Fingerprint`].
    fn fingerprint(&self) -> Value;
    /// The folder of the package that has tables of these rules; `None` where none come with it.
    fn shipped(&self) -> Option<PathBuf>;
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
    ) -> Result<bool, Error>;
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
    ) -> Result<bool, Error>;
    /// See [`Loaded::open`].
    ///
    /// # Errors
    /// As there.
    fn load(&self, folder: &Path, opening: Opening) -> Result<Box<dyn AnyLoaded>, Error>;
}

/// Any [`Loaded`].
pub trait AnyLoaded: Send + Sync {
    /// What the tables are of, and what each holds, as JSON.
    fn summary(&self) -> Value;
    /// See [`Loaded::value`].
    ///
    /// # Errors
    /// As there, and where the position is of other rules.
    fn value(&self, position: &dyn AnyPosition) -> Result<Option<Worth>, Error>;
    /// See [`Loaded::moves`].
    ///
    /// # Errors
    /// As there, and where the position is of other rules.
    fn moves(&self, position: &dyn AnyPosition) -> Result<Option<Vec<(Action, Worth)>>, Error>;
    /// See [`Loaded::values`].
    ///
    /// # Errors
    /// As there, and where the states are of other rules.
    fn values(
        &self,
        states: &dyn AnyStates,
        out: (&mut [i8], &mut [i16]),
        threads: usize,
    ) -> Result<(), Error>;
    /// States of the tables, or of one pair's, each position as likely as any other: row `i` comes from this seed's stream
    /// `i`. The clock has just begun, and seat 0 is the side to move. `None` when it was stopped.
    ///
    /// # Errors
    /// When there is no such table, nobody can move in its positions, or there is no memory for them.
    fn sample(
        &self,
        rows: usize,
        pair: Option<Pair>,
        seed: u64,
        control: &Control,
    ) -> Result<Option<Box<dyn AnyStates>>, Error>;
    /// See [`Loaded::write_values`]; what is told is a JSON object.
    ///
    /// # Errors
    /// As there.
    fn write_values(
        &self,
        folder: &Path,
        threads: usize,
        control: &Control,
        tell: &mut dyn FnMut(Value),
    ) -> Result<bool, Error>;
    /// See [`Loaded::longest_win`]: a state with this position, the only row.
    ///
    /// # Errors
    /// As there, and where there is none.
    fn longest_win(&self, pair: Pair) -> Result<Box<dyn AnyStates>, Error>;
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
pub fn solvable(game: &dyn AnyGame) -> Result<Box<dyn AnySolvable>, Error> {
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
        Error::new(format!("there are no tables for '{}', only for {}", game.name(), names.join(", ")))
    })
}

impl<G: FullGame + Layered> AnySolvable for Book<G> {
    fn layers(&self) -> &dyn AnyLayered {
        self
    }

    fn fingerprint(&self) -> Value {
        json!(Fingerprint::of(&self.0))
    }

    fn shipped(&self) -> Option<PathBuf> {
        perfect::shipped(&Fingerprint::of(&self.0))
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
    ) -> Result<bool, Error> {
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
    ) -> Result<bool, Error> {
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

    fn load(&self, folder: &Path, opening: Opening) -> Result<Box<dyn AnyLoaded>, Error> {
        let (game, decisive) = (self.0.clone(), self.0.decisive_rules());
        let tables = Loaded::open(folder, &self.0, opening)?;
        Ok(Box::new(Open { tables, game, decisive }))
    }
}

/// Loaded tables, and the rules on which their values depend.
struct Open<G: Layered> {
    tables: Loaded<G>,
    game: G,
    decisive: Vec<(&'static str, String)>,
}

impl<G: FullGame + Layered> Open<G> {
    fn same_rules(&self, game: &G) -> Result<(), Error> {
        if game.decisive_rules() == self.decisive {
            return Ok(());
        }
        let rules: Vec<String> =
            self.decisive.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Err(Error::new(format!("the tables are of {} with {}", G::NAME, rules.join(", "))))
    }

    /// The first state of the turns before the tables, where those are of other rules: they depend on more of them.
    fn first_of_others(&self, game: &G, states: &[G::State]) -> Option<usize> {
        let first = states.iter().position(|state| !game.is_tabled(state))?;
        (game.layer_rules() != self.game.layer_rules()).then_some(first)
    }

    fn position<'a>(&self, position: &'a dyn AnyPosition) -> Result<&'a Position<G>, Error> {
        let position = position
            .as_any()
            .downcast_ref::<Position<G>>()
            .ok_or_else(|| Error::new(format!("the tables are of {}, the state of another game", G::NAME)))?;
        self.same_rules(position.game())?;
        Ok(position)
    }
}

impl<G: FullGame + Layered> AnyLoaded for Open<G> {
    fn summary(&self) -> Value {
        let tables = self
            .tables
            .headers()
            .map(|header| json!({"pair": header.pair, "summary": header.summary, "digest": header.digest, "has_turns": header.has_turns()}));
        json!({"fingerprint": self.tables.fingerprint(), "tables": tables.collect::<Vec<_>>()})
    }

    fn value(&self, position: &dyn AnyPosition) -> Result<Option<Worth>, Error> {
        let position = self.position(position)?;
        if self.first_of_others(position.game(), std::slice::from_ref(position.state())).is_some() {
            return Ok(None);
        }
        self.tables.value(position.state())
    }

    fn moves(&self, position: &dyn AnyPosition) -> Result<Option<Vec<(Action, Worth)>>, Error> {
        let position = self.position(position)?;
        if self.first_of_others(position.game(), std::slice::from_ref(position.state())).is_some() {
            return Ok(None);
        }
        self.tables.moves(position.state())
    }

    fn values(
        &self,
        states: &dyn AnyStates,
        out: (&mut [i8], &mut [i16]),
        threads: usize,
    ) -> Result<(), Error> {
        let states = states.as_any().downcast_ref::<States<G>>().ok_or_else(|| {
            Error::new(format!("the tables are of {}, the states of another game", G::NAME))
        })?;
        self.same_rules(states.game())?;
        if let Some(row) = self.first_of_others(states.game(), states.rows()) {
            return Err(no_position(row));
        }
        self.tables.values(states.rows(), out, threads)
    }

    fn write_values(
        &self,
        folder: &Path,
        threads: usize,
        control: &Control,
        tell: &mut dyn FnMut(Value),
    ) -> Result<bool, Error> {
        self.tables.write_values(folder, threads, control, |header| {
            tell(json!({"pair": header.pair, "places": header.summary.places}));
        })
    }

    fn longest_win(&self, pair: Pair) -> Result<Box<dyn AnyStates>, Error> {
        let board = self
            .tables
            .longest_win(pair)?
            .ok_or_else(|| Error::new(format!("{} has no win of {pair}", self.tables.folder().display())))?;
        Ok(Box::new(States::of(self.game.clone(), vec![Solvable::state(&self.game, board)])))
    }

    fn sample(
        &self,
        rows: usize,
        pair: Option<Pair>,
        seed: u64,
        control: &Control,
    ) -> Result<Option<Box<dyn AnyStates>>, Error> {
        let headers: Vec<_> =
            self.tables.headers().filter(|header| pair.is_none_or(|pair| header.pair() == pair)).collect();
        let largest =
            headers.iter().map(|header| header.pair().own.max(header.pair().other)).max().ok_or_else(
                || {
                    Error::new(format!(
                        "{} has no table {}",
                        self.tables.folder().display(),
                        pair.map_or(String::new(), |pair| pair.to_string())
                    ))
                },
            )?;
        let tables = self.game.tables(largest);
        // How many positions the rows of each table stand for, up to and with each row.
        let upto = |header: &&Header| {
            let mut all = 0;
            let weights = (0..tables.rows(header.pair())).map(|row| {
                all += tables.weight(header.pair(), row) as u64 * header.columns as u64;
                all
            });
            weights.collect::<Vec<u64>>()
        };
        let upto: Vec<Vec<u64>> = headers.iter().map(upto).collect();
        let total: u64 = upto.iter().filter_map(|rows| rows.last()).sum();
        let mut states = room_for(rows)?;
        for number in 0..rows {
            let mut rng = Stream::of_samples(seed, number as u64);
            let mut tries = 0;
            let state = loop {
                if tries == MAX_TRIES {
                    return Err(Error::new(format!(
                        "nobody can move in {MAX_TRIES} positions drawn{}, so there is no state to give",
                        pair.map_or(String::new(), |pair| format!(" of {pair}"))
                    )));
                }
                if tries % TRIES_A_LOOK == 0 && control.is_cancelled() {
                    return Ok(None);
                }
                tries += 1;
                let mut drawn = ((u128::from(rng.next_u64()) * u128::from(total)) >> 64) as u64;
                let mut at = 0;
                while drawn >= upto[at][upto[at].len() - 1] {
                    drawn -= upto[at][upto[at].len() - 1];
                    at += 1;
                }
                let row = upto[at].partition_point(|&before| before <= drawn) as u32;
                let row = tables.row(headers[at].pair(), row);
                let state = Solvable::state(&self.game, tables.board(&row, rng.below(headers[at].columns)));
                // Where nobody can move there is no state.
                if matches!(self.game.turn(&state), Turn::Player(_))
                    && !self.game.legal_actions(&state).is_empty()
                {
                    break state;
                }
            };
            states.push(state);
        }
        Ok(Some(Box::new(States::of(self.game.clone(), states))))
    }
}
