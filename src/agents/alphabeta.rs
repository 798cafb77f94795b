//! Alpha-beta search for two sides without chance: iterative deepening, a transposition table on positions without their
//! clocks, killer moves and a history of good ones.
//!
//! Values are whole numbers, so that it chooses alike on every machine and whatever the table held before.

mod sure;

use std::cell::RefCell;
use std::sync::Arc;

use self::sure::{WIN, from_here, is_sure, to_keep};
use super::evaluator::Evaluator;
use super::perfect::{ExactValue, Source, Tables};
use super::result::{ActionValue, SearchResult, ValueKind};
use super::rng::Stream;
use super::transpositions::{AT_LEAST, AT_MOST, EXACT, Entry, Table};
use crate::base::control::Control;
use crate::base::cpu::multiversion;
use crate::base::error::Error;
use crate::base::hash::stable_hash;
use crate::rules::action::{Action, MAX_ACTIONS};
use crate::rules::game::{Evaluate, Heuristic, Turn};
use crate::rules::player::{PerPlayer, Player};

/// The most moves that may be looked ahead.
pub const MAX_DEPTH: u8 = 64;

/// The most megabytes that a table may have.
pub const MAX_TABLE_MB: u16 = 4096;

/// The default megabytes of a table. Every thread that has searched keeps a table of at most this size.
pub const TABLE_MB: u16 = 64;

/// The largest value of a position that is not decided.
const MOST: f64 = 100_000_000.0;
/// More than any value.
const INFINITE: i32 = i32::MAX;
/// The most steps of a line beyond its depth: further actions of the same seat are free.
const MORE_STEPS: usize = 32;
/// The number of nodes between two checks for cancellation.
const CANCEL_EVERY: u64 = 1024;

thread_local! {
    /// A thread searches one position at a time, and making a table takes longer than many searches: so one of at most
    /// [`TABLE_MB`] stays until the next.
    static TABLE: RefCell<Table> = RefCell::default();
}

/// How an agent searches. `T` is how it holds its tables: see [`Agent`](super::Agent).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings<T = Arc<Source>> {
    /// How many moves it looks ahead.
    pub depth: u8,
    /// The megabytes of its table, for each thread.
    pub table_mb: u16,
    /// Who judges positions.
    pub evaluator: Evaluator,
    /// Where it looks up the value of a position instead of searching on; where a table has none, it searches.
    pub tables: Option<T>,
}

impl<T> Settings<T> {
    /// The default settings.
    pub const fn new(depth: u8, table_mb: u16) -> Self {
        Settings { depth, table_mb, evaluator: Evaluator::Heuristic, tables: None }
    }
}

/// Settings bound to a game.
type Bound<G> = Settings<Arc<Tables<G>>>;

/// Looks up to [`Settings::depth`] moves ahead. When it is cancelled it returns what the last finished depth found.
///
/// # Errors
/// When there is no memory for the table, or exact tables cannot be read.
///
/// # Panics
/// When it is no player's turn, or the game has chance.
pub fn search<G: Heuristic + Evaluate>(
    game: &G,
    state: &G::State,
    settings: &Bound<G>,
    rng: &mut Stream,
    control: &Control,
) -> Result<SearchResult, Error> {
    with_table(game, state, settings, rng, control, |_, found| found)
}

/// [`search`], and then the value of every other action, searched as deep, or until it is known to win or lose. This takes
/// several times as long.
///
/// An action that it did not reach before it was cancelled has the bound from the search; if not even the first depth was
/// finished, there are no actions.
///
/// # Errors
/// As [`search`].
///
/// # Panics
/// As [`search`].
///
/// ```
/// use sarai::Game;
/// use sarai::agents::{ValueKind, alphabeta, rng::Stream};
/// use sarai::games::shah::Shah;
/// let game = Shah::new(Default::default())?;
/// let settings = alphabeta::Settings::new(2, 1);
/// let (state, mut rng) = (game.initial_state(), Stream::new(0, 0));
/// let found = alphabeta::analyse(&game, &state, &settings, &mut rng, &Default::default())?;
/// assert_eq!((found.depth, found.actions.len()), (2, 24));
/// let best = found.actions.iter().find(|one| one.action == found.action).expect("a legal action");
/// assert!(best.kind == ValueKind::Judged && best.values == found.values);
/// assert_eq!(best.line.len(), 2);
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn analyse<G: Heuristic + Evaluate>(
    game: &G,
    state: &G::State,
    settings: &Bound<G>,
    rng: &mut Stream,
    control: &Control,
) -> Result<SearchResult, Error> {
    with_table(game, state, settings, rng, control, |search, found| {
        search.rate_actions(state, found, settings.depth)
    })
}

/// Deepens step by step, and passes the search and its result on while the table is at hand.
fn with_table<G: Heuristic + Evaluate>(
    game: &G,
    state: &G::State,
    settings: &Bound<G>,
    rng: &mut Stream,
    control: &Control,
    then: impl FnOnce(&mut Search<'_, G>, SearchResult) -> SearchResult,
) -> Result<SearchResult, Error> {
    let Turn::Player(player) = game.turn(state) else {
        panic!("a search starts where a player chooses");
    };
    // Taken away while it is in use: a signal that is looked at on the way may well begin another search.
    let mut table = TABLE.take();
    table.clear(settings.table_mb)?;
    let range = game.returns_range();
    let mut search = Search {
        game,
        table: &mut table,
        rng,
        control,
        evaluator: &settings.evaluator,
        tables: settings.tables.as_deref(),
        scale: MOST / range.1.max(-range.0).max(f64::MIN_POSITIVE),
        killers: [[u16::MAX; 2]; MAX_DEPTH as usize + MORE_STEPS + 1],
        history: [[0; MAX_ACTIONS]; 2],
        root: [(0, false); MAX_ACTIONS],
        order: Vec::with_capacity(MAX_ACTIONS),
        nodes: 0,
        look_at: CANCEL_EVERY,
        cancelled: false,
        unreadable: None,
    };
    let found = search.deepen(state, player, settings.depth);
    let found = then(&mut search, found);
    let unreadable = search.unreadable.take();
    table.free_above(TABLE_MB);
    TABLE.set(table);
    unreadable.map_or(Ok(found), Err)
}

struct Search<'a, G: Heuristic + Evaluate> {
    game: &'a G,
    table: &'a mut Table,
    control: &'a Control,
    evaluator: &'a Evaluator,
    rng: &'a mut Stream,
    /// Where values are looked up.
    tables: Option<&'a Tables<G>>,
    /// What a return is multiplied with.
    scale: f64,
    /// For each step from the root, two actions that were too good elsewhere.
    killers: [[u16; 2]; MAX_DEPTH as usize + MORE_STEPS + 1],
    /// For each seat and action, how often it was too good, deeper searches counting more.
    history: [[u32; MAX_ACTIONS]; 2],
    /// For each action at the root, its value to who plays it, and whether that is exact or the most it can be.
    root: [(i32, bool); MAX_ACTIONS],
    /// The actions still to be tried at each node on the way, those of one node after those of another, the best the
    /// largest: see [`ranked`].
    order: Vec<u64>,
    nodes: u64,
    /// The node count at the next check for cancellation.
    look_at: u64,
    cancelled: bool,
    /// Why a table could not be read.
    unreadable: Option<Error>,
}

impl<G: Heuristic + Evaluate> Search<'_, G> {
    /// Looks one move ahead, then two, and so on, each search putting the moves in order for the next.
    fn deepen(&mut self, state: &G::State, player: Player, depth: u8) -> SearchResult {
        let first = self.game.legal_actions(state).nth(0).expect("a player to act has an action");
        let values = self.evaluator.evaluate(self.game, state, self.rng);
        let mut found = SearchResult { action: first, values, depth: 0, nodes: 0, actions: Vec::new() };
        let mut root = self.root;
        for depth in 1..=depth {
            let (value, action) = node(self, state, player, depth, 0, -INFINITE, INFINITE);
            if self.cancelled {
                break;
            }
            root = self.root;
            let (action, values) = (action.unwrap_or(first), self.values(player, value));
            found = SearchResult { action, values, depth, ..found };
            if is_sure(value) {
                break;
            }
        }
        self.root = root;
        SearchResult { nodes: self.nodes, ..found }
    }

    /// Adds the value of each action.
    fn rate_actions(&mut self, state: &G::State, found: SearchResult, depth: u8) -> SearchResult {
        let Turn::Player(player) = self.game.turn(state) else { return found };
        let most = self.root[found.action.index()].0;
        let actions: Vec<ActionValue> = self
            .game
            .legal_actions(state)
            .iter()
            .filter(|_| found.depth != 0)
            .map(|action| self.rate(state, player, action, (found.depth, depth), most))
            .collect();
        // Where the best wins early, the others are searched deeper than it was.
        let depth = actions.iter().map(|rated| rated.depth).max().unwrap_or(found.depth);
        SearchResult { nodes: self.nodes, actions, depth, ..found }
    }

    /// The value of one action: from the depth that the search has finished to the deepest, until it is sure. Nothing is
    /// better than the best, though the table may have known a position from deeper.
    fn rate(
        &mut self,
        state: &G::State,
        player: Player,
        action: Action,
        depths: (u8, u8),
        most: i32,
    ) -> ActionValue {
        let mut child = *state;
        self.game.apply(&mut child, action, &mut ());
        let known = match self.game.turn(&child) {
            Turn::Over => {
                let value = self.over(&child, player, 0);
                Some((value, (value != 0).then_some(1)))
            }
            Turn::Player(next) if next != player => self
                .worth(&child)
                .map(|worth| (-i32::from(worth.value) * WIN, worth.turns.map(|turns| turns + 1))),
            _ => None,
        };
        if let Some((value, turns)) = known {
            let (values, kind) = (self.values(player, value), ValueKind::Exact);
            return ActionValue { action, values, depth: depths.1, kind, turns, line: vec![action] };
        }
        let (mut value, exact) = self.root[action.index()];
        let mut kind = if exact { ValueKind::Judged } else { ValueKind::Bound };
        let mut reached = depths.0;
        for depth in depths.0 + u8::from(exact)..=depths.1 {
            if kind == ValueKind::Judged && is_sure(value) {
                break;
            }
            let searched = self.after(state, player, action, depth, 0, -INFINITE, INFINITE);
            if self.cancelled {
                break;
            }
            (value, kind, reached) = (searched.min(most), ValueKind::Judged, depth);
        }
        let (line, turns) = match kind {
            ValueKind::Judged if is_sure(value) => {
                kind = ValueKind::Exact;
                self.line_to_the_end(state, player, action, reached)
            }
            _ => (self.line(state, action, reached), None),
        };
        ActionValue { action, values: self.values(player, value), depth: reached, kind, turns, line }
    }

    /// An action that wins or loses for sure, the best of both sides after it, and how many turns that takes; the line ends
    /// where tables count the rest.
    fn line_to_the_end(
        &mut self,
        state: &G::State,
        mover: Player,
        action: Action,
        depth: u8,
    ) -> (Vec<Action>, Option<u16>) {
        let (mut line, mut state, mut mover, mut left, mut turns) = (vec![action], *state, mover, depth, 1);
        self.game.apply(&mut state, action, &mut ());
        while line.len() + 1 < self.killers.len() {
            let Turn::Player(next) = self.game.turn(&state) else { return (line, Some(turns)) };
            if next != mover {
                if let Some(worth) = self.worth(&state) {
                    return (line, worth.turns.map(|rest| turns + rest));
                }
                (mover, left, turns) = (next, left.saturating_sub(1), turns + 1);
            }
            // As deep as is left; deeper where the table knew the end from a deeper search.
            let best = (left.max(1)..=depth).find_map(|depth| {
                let (value, best) = node(self, &state, mover, depth, line.len(), -INFINITE, INFINITE);
                best.filter(|&best| is_sure(value) && self.game.legal_actions(&state).contains(best))
            });
            let Some(best) = best else { break };
            line.push(best);
            self.game.apply(&mut state, best, &mut ());
        }
        (line, None)
    }

    /// An action, and what the table holds to be best after it, for as long as that is known exactly.
    fn line(&self, state: &G::State, action: Action, depth: u8) -> Vec<Action> {
        let mut line = vec![action];
        let mut state = *state;
        self.game.apply(&mut state, action, &mut ());
        while line.len() < depth as usize
            && let Some(known) = self.table.find(stable_hash(&self.game.key(&state)))
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
    #[cfg_attr(fast, inline(always))]
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
        let turn = self.game.turn(&child);
        if self.tables.is_some()
            && let Turn::Player(next) = turn
            && next != player
            && let Some(value) = self.certain(&child, step)
        {
            return -value;
        }
        match turn {
            Turn::Over => self.over(&child, player, step),
            // The same seat finishes its move.
            Turn::Player(next) if next == player => {
                node(self, &child, player, depth, step + 1, alpha, beta).0
            }
            // Most positions are looked at here, where a call would take as long as the glance.
            Turn::Player(next) if depth == 1 => {
                self.nodes += 1;
                -self.glance(&child, next)
            }
            Turn::Player(next) => -node(self, &child, next, depth - 1, step + 1, -beta, -alpha).0,
            Turn::Chance => panic!("alpha-beta is for games without chance"),
        }
    }

    /// Puts the legal actions at the end of the order.
    #[cfg_attr(fast, inline(always))]
    fn rank_actions(&mut self, state: &G::State, player: Player, step: usize, first: u16) {
        let killers = self.killers[step];
        for Action(id) in self.game.legal_actions(state) {
            let rank = if id == first {
                u32::MAX
            } else if killers.contains(&id) {
                u32::MAX - 1
            } else {
                self.history[player.index() & 1][id as usize]
            };
            self.order.push(ranked(rank, id));
        }
    }

    /// Takes the best action out of the order from `from` on. Only the best is looked for, not the order of all: most nodes
    /// need the first few.
    #[cfg_attr(fast, inline(always))]
    fn next_action(&mut self, from: usize) -> Option<u16> {
        let rest = &mut self.order[from..];
        let mut best = 0;
        for (at, &ranked) in rest.iter().enumerate() {
            if ranked > rest[best] {
                best = at;
            }
        }
        let id = !rest.get(best)? as u16;
        self.order.swap_remove(from + best);
        Some(id)
    }

    /// The table value of a position to the player to move there, after so many steps and one more.
    #[cold]
    #[inline(never)]
    fn certain(&mut self, state: &G::State, step: usize) -> Option<i32> {
        self.nodes += 1;
        self.worth(state).map(|worth| {
            // As if every turn to come were a step: a quick win before a slow one.
            let ahead = step as i32 + 1 + i32::from(worth.turns.unwrap_or(0));
            i32::from(worth.value) * (WIN - ahead)
        })
    }

    /// What tables know of a position at the start of a turn.
    fn worth(&mut self, state: &G::State) -> Option<ExactValue> {
        self.tables?.value(state).unwrap_or_else(|error| {
            (self.cancelled, self.unreadable) = (true, Some(error));
            None
        })
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

    #[cfg_attr(fast, inline(always))]
    fn glance(&mut self, state: &G::State, player: Player) -> i32 {
        let value = self.evaluator.evaluate(self.game, state, self.rng)[player] * self.scale;
        value.clamp(-MOST, MOST) as i32
    }
}

multiversion! {
    /// The value of a position for the player to act, and the best action. Each node by itself is compiled for this
    /// processor: what calls itself cannot be inlined into one function.
    fn node[G: Heuristic + Evaluate](
        search: &mut Search<'_, G>,
        state: &G::State,
        player: Player,
        depth: u8,
        step: usize,
        alpha: i32,
        beta: i32,
    ) -> (i32, Option<Action>) {
        let mut alpha = alpha;
        search.nodes += 1;
        if search.nodes >= search.look_at {
            search.look_at = search.nodes + CANCEL_EVERY;
            search.cancelled |= search.control.is_cancelled();
        }
        if search.cancelled {
            return (0, None);
        }
        if depth == 0 || step + 1 >= search.killers.len() {
            return (search.glance(state, player), None);
        }
        let hash = stable_hash(&search.game.key(state));
        let known = search.table.find(hash);
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
        let from = search.order.len();
        search.rank_actions(state, player, step, known.map_or(u16::MAX, |entry| entry.best));
        let lowest = alpha;
        let mut best = (-INFINITE, None);
        while let Some(id) = search.next_action(from) {
            let value = search.after(state, player, Action(id), depth, step, alpha, beta);
            if search.cancelled {
                break;
            }
            if step == 0 {
                search.root[id as usize] = (value, value > alpha);
            }
            if value > best.0 {
                best = (value, Some(Action(id)));
                alpha = alpha.max(value);
                if alpha >= beta {
                    let killers = &mut search.killers[step];
                    if killers[0] != id {
                        *killers = [id, killers[0]];
                    }
                    let history = &mut search.history[player.index() & 1][id as usize];
                    *history = history.saturating_add(u32::from(depth) * u32::from(depth)).min(u32::MAX - 2);
                    break;
                }
            }
        }
        search.order.truncate(from);
        if search.cancelled {
            return (0, None);
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
        search.table.keep(Entry { hash, value, search: 0, best: best_id, depth, bound });
        best
    }
}

/// A rank and an action as one number: of two it is the larger that comes first, by its rank or, of equals, its smaller id.
#[cfg_attr(fast, inline(always))]
fn ranked(rank: u32, id: u16) -> u64 {
    u64::from(rank) << 16 | u64::from(!id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::shah::Shah;
    use crate::rules::game::Game;

    #[test]
    fn a_thread_keeps_no_table_above_the_usual_size() {
        let game = Shah::new(Default::default()).expect("the default rules");
        let kept = |table_mb| {
            let (state, mut rng) = (game.initial_state(), Stream::new(0, 0));
            search(&game, &state, &Settings::new(1, table_mb), &mut rng, &Control::default())
                .expect("memory");
            let table = TABLE.take();
            let bytes = table.bytes();
            TABLE.set(table);
            bytes
        };
        let usual = kept(TABLE_MB);
        assert!(usual > 0 && usual <= usize::from(TABLE_MB) << 20);
        assert_eq!(kept(1), usual, "it is of use to the next search");
        assert_eq!(kept(TABLE_MB + 64), 0);
    }
}
