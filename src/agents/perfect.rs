//! The agent "perfect", which plays by tables of exact values.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt::{self, Debug, Display};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, Weak};

use super::analysis::{Analysis, Line};
use super::result::ValueKind;
use crate::base::{Error, lock, shorten, shorten_path};
use crate::exact::blocks::ROOM;
use crate::exact::file::fingerprint_in;
use crate::exact::header::Fingerprint;
pub(crate) use crate::exact::judge::ExactValue;
use crate::exact::loaded::Opening;
pub(crate) use crate::exact::loaded::Oracle;
use crate::exact::solvable::Pair;
use crate::games;
use crate::rules::{Action, Game, PerPlayer, Player, Turn};

/// The tables of a rule book, open: what a bound agent plays by.
pub struct Tables<G: Game> {
    rules: G::Rules,
    /// The folder that the agent names.
    folder: Option<String>,
    oracle: Arc<dyn Oracle<G>>,
    /// A position was missing: the next bind opens them again, in case more tables have been made.
    missed: AtomicBool,
}

impl<G: Game> Tables<G> {
    /// The value of a position to the player to move; `None` where they lack it.
    pub(super) fn value(&self, state: &G::State) -> Result<Option<ExactValue>, Error> {
        self.oracle.value(state)
    }

    /// The best action.
    pub(super) fn choose(&self, game: &G, state: &G::State) -> Result<Action, Error> {
        match self.oracle.best(state) {
            Ok(Some((action, _))) => Ok(action),
            Ok(None) => Err(self.missing(game, state)),
            Err(error) => Err(self.unreadable(&error)),
        }
    }

    /// The value of each action, and how the game goes on to its end.
    pub(super) fn analyse(&self, game: &G, state: &G::State) -> Result<Analysis, Error> {
        let Turn::Player(player) = game.turn(state) else {
            panic!("an analysis starts where a player chooses");
        };
        let moves = self.oracle.moves(state).map_err(|error| self.unreadable(&error))?.unwrap_or_default();
        let &(best, worth) = moves.first().ok_or_else(|| self.missing(game, state))?;
        let most = game.returns_range().1;
        let gain = |worth: ExactValue| f64::from(worth.value) * most;
        let line = |&(action, worth): &(Action, ExactValue)| Line {
            action,
            value: Some(gain(worth)),
            visits: 0,
            probability: f64::from(u8::from(action == best)),
            kind: ValueKind::Exact,
            turns: worth.turns,
            actions: follow(&*self.oracle, game, state, action, worth),
        };
        let mut lines: Vec<Line> = moves.iter().map(line).collect();
        lines.sort_by_key(|line| line.action.0);
        let mut values = PerPlayer::new(game.num_players(), -gain(worth));
        for seat in (0..game.num_players()).map(|seat| Player(seat as u8)) {
            if game.side(seat) == game.side(player) {
                values[seat] = gain(worth);
            }
        }
        let (depth, work) = (u32::from(worth.turns.unwrap_or(1)), lines.len() as u64);
        Ok(Analysis { player, best: Some(best), values: Some(values), lines, depth, work })
    }

    fn unreadable(&self, error: &Error) -> Error {
        Error::new(format!("agent '{}': {error}", Name(self.folder.as_deref())))
    }

    #[cold]
    fn missing(&self, game: &G, state: &G::State) -> Error {
        self.missed.store(true, Ordering::Release);
        let name = Name(self.folder.as_deref());
        let Some(Pair { own, other }) = self.oracle.missing(state) else {
            return Error::new(format!(
                "agent '{name}' does not know this position: it is of a part of {0} that no tables cover; let \
                 'alphabeta:6,tables' search there, which plays by tables too, or make those of the whole game: 'sarai solve {0} --all --out DIR' and then 'sarai solve {0} \
                 --placing --out DIR'{1} take hours, and say first how many; then give the agent DIR, as in \
                 'perfect:DIR'",
                G::NAME,
                for_these_rules(game)
            ));
        };
        Error::new(format!(
            "agent '{name}' does not know this position: the tables in {} do not reach {own} against {other}; {}",
            self.oracle.folder().display(),
            make(game, Some((own, other)))
        ))
    }
}

impl<G: Game> Debug for Tables<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// Where an agent looks values up: a folder, or the tables that come with the package. Agents of one folder share it, and
/// what was opened is closed with the last of them.
pub struct Source {
    folder: Option<String>,
    /// The [`Tables`] of each rule book that was asked for.
    open: Mutex<Vec<Arc<dyn Any + Send + Sync>>>,
}

/// The sources of folders that some agent has, each once.
static KNOWN: Mutex<BTreeMap<String, Weak<Source>>> = Mutex::new(BTreeMap::new());

/// The tables that come with the package, which stay open.
static OF_PACKAGE: LazyLock<Arc<Source>> = LazyLock::new(|| Arc::new(Source::new(None)));

/// Where the tables that come with the package are, a folder for each rule book.
static SHIPPED: OnceLock<PathBuf> = OnceLock::new();

/// Sets the folder with the tables that "perfect" plays by where it names none. Only the first call counts.
pub fn ship(folder: PathBuf) {
    let _ = SHIPPED.set(folder);
}

impl Source {
    /// Reads what follows "perfect": nothing, or a colon and a folder.
    pub(super) fn parse(name: &str, rest: Option<&str>) -> Result<Arc<Self>, Error> {
        if rest.is_some_and(str::is_empty) {
            return Err(Error::new(format!(
                "agent '{}' needs a folder of tables after the colon, as in \"perfect:tables\"; without a colon it takes \
                 the tables that come with the package",
                shorten(name)
            )));
        }
        Ok(rest.map_or_else(Source::shipped, Source::in_folder))
    }

    fn new(folder: Option<String>) -> Self {
        Source { folder, open: Mutex::default() }
    }

    fn in_folder(folder: &str) -> Arc<Self> {
        let mut known = lock(&KNOWN);
        if let Some(source) = known.get(folder).and_then(Weak::upgrade) {
            return source;
        }
        known.retain(|_, source| source.strong_count() > 0);
        let source = Arc::new(Source::new(Some(folder.to_owned())));
        known.insert(folder.to_owned(), Arc::downgrade(&source));
        source
    }

    /// The tables that come with the package.
    pub(crate) fn shipped() -> Arc<Self> {
        Arc::clone(&OF_PACKAGE)
    }

    /// The folder, where it is not that of the package.
    pub(super) fn folder(&self) -> Option<&str> {
        self.folder.as_deref()
    }

    /// Opens the tables of a rule book for the agent of this name, unless they are open and have lacked nothing.
    pub(super) fn bind<G: Game>(&self, game: &G, name: &dyn Display) -> Result<Arc<Tables<G>>, Error> {
        self.open(game).map_err(|why| Error::new(format!("agent '{}' {why}", shorten_path(name))))
    }

    /// The tables of a rule book, to learn from.
    pub(crate) fn tables<G: Game>(&self, game: &G) -> Result<Arc<dyn Oracle<G>>, Error> {
        self.open(game)
            .map(|tables| Arc::clone(&tables.oracle))
            .map_err(|why| Error::new(format!("cannot learn from tables: the agent 'perfect' {why}")))
    }

    /// The tables of a rule book. An error continues a sentence whose subject is the agent.
    fn open<G: Game>(&self, game: &G) -> Result<Arc<Tables<G>>, Error> {
        let mut all = lock(&self.open);
        let of_game = |open: &Arc<dyn Any + Send + Sync>| {
            let tables = Arc::clone(open).downcast::<Tables<G>>().ok()?;
            (tables.rules == *game.rules()).then_some(tables)
        };
        if let Some(known) = all.iter().find_map(of_game)
            && !known.missed.load(Ordering::Acquire)
        {
            return Ok(known);
        }
        let oracle = self.opened(game)?;
        let (rules, folder) = (game.rules().clone(), self.folder.clone());
        let tables = Arc::new(Tables { rules, folder, oracle, missed: AtomicBool::new(false) });
        all.retain(|open| of_game(open).is_none());
        all.push(Arc::clone(&tables) as Arc<dyn Any + Send + Sync>);
        Ok(tables)
    }

    fn opened<G: Game>(&self, game: &G) -> Result<Arc<dyn Oracle<G>>, Error> {
        let solvable = games::solvable(game).map_err(|names| {
            Error::new(format!(
                "plays by tables of exact values, which exist only for {names}, not for {}",
                G::NAME
            ))
        })?;
        let folder = match &self.folder {
            Some(folder) => std::path::absolute(folder).ok(),
            None => shipped(&solvable.fingerprint()),
        };
        let missing = |why: String| {
            let make = make(game, None);
            Error::new(format!("has no tables: {why}; {make}"))
        };
        let folder = folder
            .ok_or_else(|| missing(format!("none of these rules of {} come with the package", G::NAME)))?;
        if !folder.is_dir() {
            return Err(missing(format!("there is no folder {}", shorten_path(folder.display()))));
        }
        // Blocks are checked when they are read.
        let opening = Opening { check: false, room: ROOM, threads: 1, pass_over: self.folder.is_none() };
        let oracle = solvable
            .oracle(&folder, opening)
            .map_err(|error| Error::new(format!("cannot use its tables: {error}")))?;
        Ok(*oracle.downcast().expect("an oracle of the game"))
    }
}

/// What to type to have tables.
fn make<G: Game>(game: &G, stones: Option<(u8, u8)>) -> String {
    let stones =
        stones.map_or("N".to_owned(), |(own, other)| format!("{},{}", own.max(other), own.min(other)));
    format!(
        "'sarai solve {} --stones {stones} --out DIR'{} makes them, in seconds to hours, and says first how long it \
         takes; then give the agent DIR, as in 'perfect:DIR'",
        G::NAME,
        for_these_rules(game)
    )
}

/// What to add to a command where the rules are not the usual ones.
fn for_these_rules<G: Game>(game: &G) -> &'static str {
    if *game.rules() == G::Rules::default() { "" } else { " with --preset or --option for these rules" }
}

/// The folder of the package that has these tables.
pub fn shipped(due: &Fingerprint) -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(SHIPPED.get()?).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    folders.into_iter().find(|folder| fingerprint_in(folder).is_ok_and(|found| found == *due))
}

/// An action, and how both sides go on at their best up to the end of the game; in a draw there is no end.
fn follow<G: Game>(
    oracle: &dyn Oracle<G>,
    game: &G,
    state: &G::State,
    first: Action,
    worth: ExactValue,
) -> Vec<Action> {
    let (mut line, mut state) = (vec![first], *state);
    game.apply(&mut state, first, &mut ());
    // Every turn brings the end nearer; a turn has a few actions.
    let most = worth.turns.map_or(0, |turns| 8 * (usize::from(turns) + 1));
    while line.len() < most
        && matches!(game.turn(&state), Turn::Player(_))
        && let Ok(Some((action, _))) = oracle.best(&state)
    {
        line.push(action);
        game.apply(&mut state, action, &mut ());
    }
    line
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.folder == other.folder
    }
}

impl Eq for Source {}

impl Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Name(self.folder()).fmt(f)
    }
}

/// The name of the agent that plays by the tables in a folder.
struct Name<'a>(Option<&'a str>);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("perfect"),
            Some(folder) => write!(f, "perfect:{folder}"),
        }
    }
}
