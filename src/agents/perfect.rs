//! The agent "perfect": what tables of exact values hold to be best.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt::{self, Debug, Display};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, RwLock, Weak};

use super::analysis::{Analysis, Line};
use crate::base::error::{Error, shorten, shorten_path};
use crate::base::lock::lock;
use crate::exact::blocks::ROOM;
use crate::exact::file::fingerprint_in;
use crate::exact::header::Fingerprint;
use crate::exact::loaded::Opening;
pub(crate) use crate::exact::loaded::Oracle;
use crate::exact::solvable::Pair;
use crate::exact::worth::Worth;
use crate::games;
use crate::rules::action::Action;
use crate::rules::game::{Game, Turn};
use crate::rules::player::{PerPlayer, Player};

/// Tables that were opened for a rule book.
struct Open<G: Game> {
    rules: G::Rules,
    oracle: Arc<dyn Oracle<G>>,
    /// A position was looked up that they do not have: somebody may have made more since.
    missed: AtomicBool,
}

/// Where an agent looks values up: a folder, or the tables that come with the package. Agents of one folder share it, and
/// what was opened is closed with the last of them.
pub struct Source {
    folder: Option<String>,
    /// An [`Open`] for each rule book that was asked for. Whoever reads tables holds them, so that others may be opened in
    /// their place.
    open: RwLock<Vec<Arc<dyn Any + Send + Sync>>>,
    opening: Mutex<()>,
    /// Why a search could not read a table.
    failure: Mutex<Option<Error>>,
}

/// The sources of folders that some agent has, each once.
static KNOWN: Mutex<BTreeMap<String, Weak<Source>>> = Mutex::new(BTreeMap::new());

/// That of the package, which stays open.
static OF_PACKAGE: LazyLock<Arc<Source>> = LazyLock::new(|| Arc::new(Source::new(None)));

/// Where the tables that come with the package are, a folder for each rule book.
static SHIPPED: OnceLock<PathBuf> = OnceLock::new();

/// Says where the tables are that "perfect" plays by where it is given none: in folders of this one. Only the first call
/// counts.
pub fn ship(folder: PathBuf) {
    let _ = SHIPPED.set(folder);
}

impl Source {
    /// Reads what stands behind "perfect": nothing, or a colon and a folder.
    ///
    /// # Errors
    /// When the folder has no name.
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
        Source { folder, open: RwLock::default(), opening: Mutex::default(), failure: Mutex::default() }
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

    /// The folder, where it is not that of the package.
    pub(super) fn folder(&self) -> Option<&str> {
        self.folder.as_deref()
    }

    /// What was opened for a rule book.
    fn known<G: Game>(&self, game: &G) -> Option<Arc<Open<G>>> {
        let all = self.open.read().unwrap_or_else(PoisonError::into_inner);
        let found = all.iter().find(|open| is_of(open, game))?;
        Arc::clone(found).downcast().ok()
    }

    /// The same, opened where it was not.
    fn at_hand<G: Game>(&self, game: &G) -> Option<Arc<Open<G>>> {
        self.known(game).or_else(|| self.open(game).ok())
    }

    /// Opens the tables of a rule book, unless they are open; looks once more what there is if some were missed before.
    ///
    /// # Errors
    /// When there are none, or one cannot be read; it says that of the agent with this name.
    pub(super) fn ready<G: Game>(&self, game: &G, name: &dyn Display) -> Result<(), Error> {
        let refusal = |why| Error::new(format!("agent '{}' {why}", shorten_path(name)));
        self.open(game).map(drop).map_err(refusal)
    }

    /// The tables of a rule book, or what is to be said of an agent that has none.
    fn open<G: Game>(&self, game: &G) -> Result<Arc<Open<G>>, Error> {
        let _one_at_a_time = lock(&self.opening);
        let known = self.known(game);
        if let Some(open) = &known
            && !open.missed.swap(false, Ordering::AcqRel)
        {
            return Ok(Arc::clone(open));
        }
        let oracle = self.opened(game)?;
        if let Some(open) = known {
            let there = |oracle: &dyn Oracle<G>| {
                (oracle.pairs().to_vec(), oracle.tables_before(), oracle.folder().to_owned())
            };
            if there(&*open.oracle) == there(&*oracle) {
                return Ok(open);
            }
        }
        let open = Arc::new(Open { rules: game.rules().clone(), oracle, missed: AtomicBool::new(false) });
        let mut all = self.open.write().unwrap_or_else(PoisonError::into_inner);
        all.retain(|known| !is_of(known, game));
        all.push(Arc::clone(&open) as Arc<dyn Any + Send + Sync>);
        Ok(open)
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
        let opening = Opening { check: false, room: ROOM, threads: 1 };
        let oracle = solvable
            .oracle(&folder, opening)
            .map_err(|error| Error::new(format!("cannot use its tables: {error}")))?;
        Ok(*oracle.downcast().expect("an oracle of the game"))
    }

    /// Those that come with the package.
    pub(crate) fn shipped() -> Arc<Self> {
        Arc::clone(&OF_PACKAGE)
    }

    /// The tables of a rule book.
    ///
    /// # Errors
    /// When there are none, or one cannot be read.
    pub(crate) fn tables<G: Game>(&self, game: &G) -> Result<Arc<dyn Oracle<G>>, Error> {
        self.open(game)
            .map(|open| Arc::clone(&open.oracle))
            .map_err(|why| Error::new(format!("cannot learn from tables: the agent 'perfect' {why}")))
    }

    /// The tables of a rule book, for a search; `None` where there are none.
    pub(super) fn oracle<G: Game>(&self, game: &G) -> Option<Arc<dyn Oracle<G>>> {
        Some(Arc::clone(&self.at_hand(game)?.oracle))
    }

    /// Notes why a search could not read a table.
    pub(super) fn failed(&self, why: Error) {
        *lock(&self.failure) = Some(why);
    }

    /// Why a search could not read a table, if that happened.
    pub(super) fn failure(&self) -> Option<Error> {
        lock(&self.failure).take()
    }

    /// What to do best; `None` where [`Source::why_not`] says why.
    pub(super) fn choose<G: Game>(&self, game: &G, state: &G::State) -> Option<Action> {
        let open = self.at_hand(game)?;
        open.oracle.best(state).ok()?.map(|(action, _)| action)
    }

    /// What each action is worth, and how the game goes on to its end; `None` where [`Source::why_not`] says why.
    pub(super) fn analyse<G: Game>(&self, game: &G, state: &G::State) -> Option<Analysis> {
        let open = self.at_hand(game)?;
        let moves = open.oracle.moves(state).ok()??;
        let Turn::Player(player) = game.turn(state) else { return None };
        let (best, worth) = *moves.first()?;
        let most = game.returns_range().1;
        let gain = |worth: Worth| f64::from(worth.value) * most;
        let line = |&(action, worth): &(Action, Worth)| Line {
            action,
            value: Some(gain(worth)),
            visits: 0,
            probability: f64::from(u8::from(action == best)),
            proven: true,
            turns: worth.turns,
            actions: follow(&*open.oracle, game, state, action, worth),
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
        Some(Analysis { player, best: Some(best), values: Some(values), lines, depth, work })
    }

    /// Why there is nothing to choose, where [`Source::choose`] says so. What is missing is looked for again before the next
    /// game.
    pub(super) fn why_not<G: Game>(&self, game: &G, state: &G::State) -> Error {
        let open = match self.known(game).map_or_else(|| self.open(game), Ok) {
            Ok(open) => open,
            Err(why) => return Error::new(format!("agent '{}' {why}", shorten_path(self))),
        };
        if let Err(error) = open.oracle.best(state) {
            return Error::new(format!("agent '{self}': {error}"));
        }
        open.missed.store(true, Ordering::Release);
        let Some(Pair { own, other }) = open.oracle.missing(state) else {
            return Error::new(format!(
                "agent '{self}' does not know this position: it is of a part of {0} that no tables cover; begin where \
                 they do, or make those of the turns before them: 'sarai solve {0} --placing'",
                G::NAME
            ));
        };
        Error::new(format!(
            "agent '{self}' does not know this position: the tables in {} do not reach {own} against {other}; {}",
            open.oracle.folder().display(),
            make(game, Some((own, other)))
        ))
    }
}

/// Whether this is an [`Open`] for a rule book.
fn is_of<G: Game>(open: &Arc<dyn Any + Send + Sync>, game: &G) -> bool {
    open.downcast_ref::<Open<G>>().is_some_and(|open| open.rules == *game.rules())
}

/// What to type to have tables.
fn make<G: Game>(game: &G, stones: Option<(u8, u8)>) -> String {
    let stones =
        stones.map_or("N".to_owned(), |(own, other)| format!("{},{}", own.max(other), own.min(other)));
    let usual = G::Rules::default();
    let other_rules = if *game.rules() == usual { "" } else { " with --preset or --option for these rules" };
    format!(
        "'sarai solve {} --stones {stones} --out DIR'{other_rules} makes them; then give the agent DIR, as in \
         'perfect:DIR'",
        G::NAME
    )
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
    worth: Worth,
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

/// The name of the agent.
impl Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.folder {
            None => f.write_str("perfect"),
            Some(folder) => write!(f, "perfect:{folder}"),
        }
    }
}
