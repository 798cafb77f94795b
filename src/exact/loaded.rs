//! Tables in use: the files of a folder, each read when a position of its pair is first looked up.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use super::cell::Cell;
use super::file::{Fingerprint, Header, Stored, path_in};
use super::finished::Finished;
use super::worth::{Judge, Worth};
use crate::base::error::BadRequest;
use crate::rules::action::Action;
use crate::rules::solvable::{Pair, Solvable, Tables};

/// A pair's file, and its table once that was needed.
struct Entry {
    stored: Stored,
    table: OnceLock<Result<Finished, BadRequest>>,
}

/// The tables of one folder, for the states of any rule book whose values they hold.
pub struct Loaded<G: Solvable> {
    game: G,
    numbering: G::Tables,
    pairs: BTreeMap<Pair, Entry>,
}

impl<G: Solvable> Loaded<G> {
    /// Opens the tables of a folder, and where `check` is set looks through every file for damage.
    ///
    /// # Errors
    /// When there are none, or one cannot be read, is damaged or of other rules.
    pub fn open(folder: &Path, game: &G, check: bool) -> Result<Self, BadRequest> {
        let fingerprint = Fingerprint::of(game);
        let game = game.without_limits();
        let (least, most) = game.pieces();
        let mut pairs = BTreeMap::new();
        for own in least..=most {
            for other in least..=most {
                let pair = Pair { own, other };
                let path = path_in(folder, G::NAME, pair);
                if !path.exists() {
                    continue;
                }
                let stored = Stored::open(&path, &fingerprint, pair)?;
                if check {
                    stored.check()?;
                }
                pairs.insert(pair, Entry { stored, table: OnceLock::new() });
            }
        }
        let largest =
            pairs.keys().map(|pair| pair.own.max(pair.other)).max().ok_or_else(|| {
                BadRequest::new(format!("{} holds no table of {}", folder.display(), G::NAME))
            })?;
        Ok(Loaded { numbering: game.tables(largest), game, pairs })
    }

    /// What the tables are of.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.game)
    }

    /// What each file says about its table.
    pub fn headers(&self) -> impl Iterator<Item = &Header> {
        self.pairs.values().map(|entry| entry.stored.header())
    }

    /// Reads the table of a position's pair, unless it has been read.
    fn cell(&self, board: <G::Tables as Tables>::Board) -> Result<Option<Cell>, BadRequest> {
        let Some(entry) = self.pairs.get(&self.numbering.pair(board)) else { return Ok(None) };
        match entry.table.get_or_init(|| entry.stored.read(1)) {
            Ok(table) => Ok(Some(table.get(self.numbering.place(board)))),
            Err(error) => Err(error.clone()),
        }
    }

    /// Asks the judge, and tells a missing table from one that cannot be read.
    fn judged<R>(
        &self,
        ask: impl FnOnce(Judge<'_, G, &dyn Fn(<G::Tables as Tables>::Board) -> Option<Cell>>) -> Option<R>,
    ) -> Result<Option<R>, BadRequest> {
        let problem = OnceLock::new();
        let lookup = |board| {
            self.cell(board).unwrap_or_else(|error| {
                let _ = problem.set(error);
                None
            })
        };
        let found = ask(Judge { game: &self.game, lookup: &lookup });
        problem.into_inner().map_or(Ok(found), Err)
    }

    /// What a state is worth to who acts; `None` where the tables do not have it.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn value(&self, state: &G::State) -> Result<Option<Worth>, BadRequest> {
        if let Some((board, acts)) = self.game.board(state) {
            let worth = self.cell(board)?.map(|cell| Worth { value: cell.value(), turns: cell.turns() });
            return Ok(worth.map(|worth| if acts { worth } else { Worth { value: -worth.value, ..worth } }));
        }
        let state = self.game.key(state);
        self.judged(|judge| judge.state(&state))
    }

    /// What each action makes a state worth to who acts, the best first; `None` where the tables do not have all of them.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn moves(&self, state: &G::State) -> Result<Option<Vec<(Action, Worth)>>, BadRequest> {
        let state = self.game.key(state);
        self.judged(|judge| judge.moves(&state))
    }
}
