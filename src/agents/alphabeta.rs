//! Alpha-beta search for two sides without chance: iterative deepening, a transposition table on positions without their
//! clocks, killer moves and a history of good ones.
//!
//! Values are whole numbers, so that it chooses alike on every machine and whatever the table held before.

use std::cell::RefCell;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::found::{Found, Weighed};
use crate::base::control::Control;
use crate::rules::action::{Action, MAX_ACTIONS};
use crate::rules::game::{Evaluate, Turn};
use crate::rules::player::{PerPlayer, Player};

/// The most moves that may be looked ahead.
pub const MAX_DEPTH: u8 = 64;

/// The most megabytes that a table may have.
pub const MAX_TABLE_MB: u16 = 4096;

/// The megabytes of a table where nothing else is said.
pub const TABLE_MB: u16 = 64;

/// A sure win now; each step to it takes one away.
const WIN: i32 = 1_000_000_000;
/// Above this a value is a sure win.
const SURE: i32 = WIN - 10_000;
/// The largest value of a position that is not decided.
const MOST: f64 = 100_000_000.0;
/// More than any value.
const INFINITE: i32 = i32::MAX;
/// How many steps a line may have beyond its depth: those of a seat that goes on acting are free.
const MORE_STEPS: usize = 32;
/// How often it looks whether it is cancelled, in nodes.
const CANCEL_EVERY: u64 = 1024;

/// What is known of a position.
#[derive(Clone, Copy, Default)]
struct Entry {
    hash: u64,
    value: i32,
    /// The search it is of: what an earlier one left is nothing to a later one.
    search: u32,
    best: u16,
    depth: u8,
    bound: u8,
}

const EXACT: u8 = 0;
const AT_LEAST: u8 = 1;
const AT_MOST: u8 = 2;

/// A table and the number of the search that uses it.
#[derive(Default)]
struct Table {
    entries: Vec<Entry>,
    search: u32,
}

thread_local! {
    /// A thread searches one position at a time, and making a table takes longer than many searches.
    static TABLE: RefCell<Table> = const { RefCell::new(Table { entries: Vec::new(), search: 0 }) };
}

impl Table {
    /// A table of about this size, in which nothing is known; `None` where there is no memory for it.
    fn ready(&mut self, megabytes: u16) -> Option<()> {
        let entries = ((megabytes as usize) << 20) / size_of::<Entry>();
        let entries = 1 << entries.max(1).ilog2();
        if self.entries.len() != entries {
            self.entries = Vec::new();
            let mut all = Vec::new();
            all.try_reserve_exact(entries).ok()?;
            all.resize(entries, Entry::default());
            (self.entries, self.search) = (all, 0);
        }
        if self.search == u32::MAX {
            self.entries.fill(Entry::default());
            self.search = 0;
        }
        self.search += 1;
        Some(())
    }

    fn find(&self, hash: u64) -> Option<Entry> {
        let entry = self.entries[hash as usize & (self.entries.len() - 1)];
        (entry.hash == hash && entry.search == self.search).then_some(entry)
    }

    fn keep(&mut self, entry: Entry) {
        let place = entry.hash as usize & (self.entries.len() - 1);
        let known = &mut self.entries[place];
        // What was searched deeper is worth more, unless it is of an earlier search.
        if known.search != self.search || known.hash == entry.hash || known.depth <= entry.depth {
            *known = Entry { search: self.search, ..entry };
        }
    }
}

/// Looks up to `depth` moves ahead. `None` when there is no memory for the table.
///
/// When it is cancelled it gives what the last finished depth found.
///
/// # Panics
/// When it is no player's turn, or chance is due on the way.
pub fn search<G: Evaluate>(
    game: &G,
    state: &G::State,
    depth: u8,
    table_mb: u16,
    control: &Control,
) -> Option<Found> {
    with_table(game, state, depth, table_mb, control, |_, found| found)
}

/// [`search`], and then the value of every other action, which takes some times as long.
///
/// An action that it did not come to before it was cancelled has the bound from the search; where not even the first depth
/// was finished, none is weighed.
///
/// # Panics
/// As [`search`].
///
/// ```
/// use sarai::Game;
/// use sarai::agents::alphabeta;
/// use sarai::games::shah::Shah;
/// let game = Shah::new(Default::default())?;
/// let found = alphabeta::analyse(&game, &game.initial_state(), 2, 1, &Default::default()).expect("some memory");
/// assert_eq!((found.depth, found.actions.len()), (2, 24));
/// let best = found.actions.iter().find(|weighed| weighed.action == found.action).expect("a legal action");
/// assert!(best.exact && best.values == found.values);
/// assert_eq!(best.line.len(), 2);
/// # Ok::<(), sarai::rules::error::RulesError>(())
/// ```
pub fn analyse<G: Evaluate>(
    game: &G,
    state: &G::State,
    depth: u8,
    table_mb: u16,
    control: &Control,
) -> Option<Found> {
    with_table(game, state, depth, table_mb, control, |search, found| search.weigh(state, found))
}

/// Deepens step by step, and hands the search and what it found on while the table is at hand.
fn with_table<G: Evaluate>(
    game: &G,
    state: &G::State,
    depth: u8,
    table_mb: u16,
    control: &Control,
    then: impl FnOnce(&mut Search<'_, G>, Found) -> Found,
) -> Option<Found> {
    let Turn::Player(player) = game.turn(state) else {
        panic!("a search starts where a player chooses");
    };
    // Taken away while it is in use: a signal that is looked at on the way may well begin another search.
    let mut table = TABLE.take();
    let found = table.ready(table_mb).map(|()| {
        let range = game.returns_range();
        let mut search = Search {
            game,
            table: &mut table,
            control,
            scale: MOST / range.1.max(-range.0).max(f64::MIN_POSITIVE),
            killers: [[u16::MAX; 2]; MAX_DEPTH as usize + MORE_STEPS + 1],
            history: [[0; MAX_ACTIONS]; 2],
            root: [(0, false); MAX_ACTIONS],
            nodes: 0,
            cancelled: false,
        };
        let found = search.deepen(state, player, depth);
        then(&mut search, found)
    });
    TABLE.set(table);
    found
}

struct Search<'a, G: Evaluate> {
    game: &'a G,
    table: &'a mut Table,
    control: &'a Control,
    /// What a return is multiplied with.
    scale: f64,
    /// For each step from the root, two actions that were too good elsewhere.
    killers: [[u16; 2]; MAX_DEPTH as usize + MORE_STEPS + 1],
    /// For each seat and action, how often it was too good, deeper searches counting more.
    history: [[u32; MAX_ACTIONS]; 2],
    /// For each action at the root, its value to who plays it, and whether that is exact or the most it can be.
    root: [(i32, bool); MAX_ACTIONS],
    nodes: u64,
    cancelled: bool,
}

impl<G: Evaluate> Search<'_, G> {
    /// Looks one move ahead, then two, and so on, each search putting the moves in order for the next.
    fn deepen(&mut self, state: &G::State, player: Player, depth: u8) -> Found {
        let first = self.game.legal_actions(state).nth(0).expect("a player to act has an action");
        let values = self.game.evaluate(state);
        let mut found = Found { action: first, values, depth: 0, nodes: 0, actions: Vec::new() };
        let mut root = self.root;
        for depth in 1..=depth {
            let (value, action) = self.node(state, player, depth, 0, -INFINITE, INFINITE);
            if self.cancelled {
                break;
            }
            root = self.root;
            found =
                Found { action: action.unwrap_or(first), values: self.values(player, value), depth, ..found };
            if value.abs() > SURE {
                break;
            }
        }
        self.root = root;
        Found { nodes: self.nodes, ..found }
    }

    /// Adds what each action is worth.
    fn weigh(&mut self, state: &G::State, found: Found) -> Found {
        let Turn::Player(player) = self.game.turn(state) else { return found };
        let mut actions = Vec::new();
        for action in self.game.legal_actions(state).iter().filter(|_| found.depth != 0) {
            let (mut value, mut exact) = self.root[action.index()];
            if !exact {
                let searched = self.after(state, player, action, found.depth, 0, -INFINITE, INFINITE);
                if !self.cancelled {
                    // The table may have known a position from deeper: still nothing is better than the best.
                    (value, exact) = (searched.min(self.root[found.action.index()].0), true);
                }
            }
            actions.push(Weighed {
                action,
                values: self.values(player, value),
                depth: found.depth,
                exact,
                line: self.line(state, action, found.depth),
            });
        }
        Found { nodes: self.nodes, actions, ..found }
    }

    /// An action, and what the table holds to be best after it, for as long as that is known exactly.
    fn line(&self, state: &G::State, action: Action, depth: u8) -> Vec<Action> {
        let mut line = vec![action];
        let mut state = *state;
        self.game.apply(&mut state, action, &mut ());
        while line.len() < depth as usize
            && let Some(known) = self.table.find(FixedState::default().hash_one(self.game.key(&state)))
            && known.bound == EXACT
            && self.game.legal_actions(&state).contains(Action(known.best))
        {
            line.push(Action(known.best));
            self.game.apply(&mut state, Action(known.best), &mut ());
        }
        line
    }

    /// A value to a player as what each may expect.
    fn values(&self, player: Player, value: i32) -> PerPlayer<f64> {
        let value = f64::from(value).clamp(-MOST, MOST) / self.scale;
        let mut values = PerPlayer::new(2, -value);
        values[player] = value;
        values
    }

    /// The value to a player of what an action leads to.
    #[expect(clippy::too_many_arguments, reason = "what a node takes, and the action")]
    fn after(
        &mut self,
        state: &G::State,
        player: Player,
        action: Action,
        depth: u8,
        step: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let mut child = *state;
        self.game.apply(&mut child, action, &mut ());
        match self.game.turn(&child) {
            Turn::Over => self.over(&child, player, step),
            // A seat that goes on acting finishes its move.
            Turn::Player(next) if next == player => self.node(&child, player, depth, step + 1, alpha, beta).0,
            Turn::Player(next) => -self.node(&child, next, depth - 1, step + 1, -beta, -alpha).0,
            Turn::Chance => panic!("alpha-beta is for games without chance"),
        }
    }

    /// The value of a position for the player to act, and the best action.
    fn node(
        &mut self,
        state: &G::State,
        player: Player,
        depth: u8,
        step: usize,
        mut alpha: i32,
        beta: i32,
    ) -> (i32, Option<Action>) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CANCEL_EVERY) && self.control.is_cancelled() {
            self.cancelled = true;
        }
        if self.cancelled {
            return (0, None);
        }
        if depth == 0 || step + 1 >= self.killers.len() {
            return (self.glance(state, player), None);
        }
        let hash = FixedState::default().hash_one(self.game.key(state));
        let known = self.table.find(hash);
        if let Some(entry) = known
            && entry.depth >= depth
            && step > 0
        {
            // Sure wins are counted from the position itself.
            let value = from_here(entry.value, step);
            let fits = match entry.bound {
                EXACT => true,
                AT_LEAST => value >= beta,
                _ => value <= alpha,
            };
            if fits {
                return (value, Some(Action(entry.best)));
            }
        }
        let first = known.map_or(u16::MAX, |entry| entry.best);
        let mut order = [(0u32, 0u16); MAX_ACTIONS];
        let mut actions = 0;
        for Action(id) in self.game.legal_actions(state) {
            let rank = if id == first {
                u32::MAX
            } else if self.killers[step].contains(&id) {
                u32::MAX - 1
            } else {
                self.history[player.index()][id as usize]
            };
            order[actions] = (rank, id);
            actions += 1;
        }
        let lowest = alpha;
        let mut best = (-INFINITE, None);
        for at in 0..actions {
            // The next best of the rest: most nodes need the first few only.
            let mut next = at;
            for other in at + 1..actions {
                let ((rank, id), (known, known_id)) = (order[other], order[next]);
                if rank > known || (rank == known && id < known_id) {
                    next = other;
                }
            }
            order.swap(at, next);
            let id = order[at].1;
            let value = self.after(state, player, Action(id), depth, step, alpha, beta);
            if self.cancelled {
                return (0, None);
            }
            if step == 0 {
                self.root[id as usize] = (value, value > alpha);
            }
            if value > best.0 {
                best = (value, Some(Action(id)));
                alpha = alpha.max(value);
                if alpha >= beta {
                    let killers = &mut self.killers[step];
                    if killers[0] != id {
                        *killers = [id, killers[0]];
                    }
                    let history = &mut self.history[player.index()][id as usize];
                    *history = history.saturating_add(u32::from(depth) * u32::from(depth)).min(u32::MAX - 2);
                    break;
                }
            }
        }
        let bound = if best.0 >= beta {
            AT_LEAST
        } else if best.0 > lowest {
            EXACT
        } else {
            AT_MOST
        };
        let best_id = best.1.map_or(u16::MAX, |Action(id)| id);
        let value = to_keep(best.0, step);
        self.table.keep(Entry { hash, value, search: 0, best: best_id, depth, bound });
        best
    }

    /// A position that is over, after the step that ended it.
    fn over(&self, state: &G::State, player: Player, step: usize) -> i32 {
        let gain = self.game.returns(state)[player];
        let sure = WIN - step as i32 - 1;
        if gain > 0.0 {
            sure
        } else if gain < 0.0 {
            -sure
        } else {
            0
        }
    }

    fn glance(&self, state: &G::State, player: Player) -> i32 {
        let value = self.game.evaluate(state)[player] * self.scale;
        value.clamp(-MOST, MOST) as i32
    }
}

/// A value as it is from a position that is so many steps from the root, where it was counted from the root.
fn to_keep(value: i32, step: usize) -> i32 {
    match value {
        _ if value > SURE => value + step as i32,
        _ if value < -SURE => value - step as i32,
        _ => value,
    }
}

/// The way back.
fn from_here(value: i32, step: usize) -> i32 {
    match value {
        _ if value > SURE => value - step as i32,
        _ if value < -SURE => value + step as i32,
        _ => value,
    }
}
