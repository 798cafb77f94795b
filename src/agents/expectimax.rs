//! Expectimax: every end of a turn is rated, the dice after it averaged exactly, and so on for some turns.
//!
//! With more than two sides each player takes what is best for itself (max^n). Only additions, multiplications and
//! divisions decide, in a fixed order, so that it chooses alike on every machine.

use super::evaluator::Evaluator;
use super::result::{ActionValue, SearchResult, ValueKind};
use super::rng::Stream;
use super::turns::TurnEnds;
use crate::base::control::Control;
use crate::rules::action::Action;
use crate::rules::chance::Outcome;
use crate::rules::game::{Evaluate, Heuristic, Turn};
use crate::rules::player::{PerPlayer, Player};

/// The most turns that may be looked ahead.
pub const MAX_DEPTH: u8 = 4;

/// How many ends of a turn are looked at beyond the first glance, at the first turn and at every later one.
pub const FILTER: (u16, u16) = (8, 4);

/// The most ends that a turn is searched for.
const MOST_ENDS: usize = 1 << 16;

/// How an agent searches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How many turns it looks ahead.
    pub depth: u8,
    /// How many ends of a turn are looked at beyond the first glance: of the first turn, and of every later one.
    pub filter: (u16, u16),
    /// Who judges positions.
    pub evaluator: Evaluator,
}

impl Settings {
    /// The default settings.
    pub const fn new(depth: u8) -> Self {
        Settings { depth, filter: FILTER, evaluator: Evaluator::Heuristic }
    }
}

/// Looks [`Settings::depth`] turns ahead and chooses the action that leads to the best end of this one; of equals the one with fewer
/// actions, then with smaller ids first.
///
/// When it is cancelled it may choose any, soon.
///
/// # Panics
/// When it is no player's turn.
pub fn search<G: Heuristic + Evaluate>(
    game: &G,
    state: &G::State,
    settings: &Settings,
    rng: &mut Stream,
    control: &Control,
) -> SearchResult {
    let Turn::Player(player) = game.turn(state) else {
        panic!("a search starts where a player chooses");
    };
    Search::new(game, settings, rng, control).found(state, player, settings.depth)
}

/// [`search`] with each depth in turn, and the value of every action: of the best end that was looked into after it. Where
/// the filter left none of its ends over, the one that looks best at a glance is looked into as deep.
///
/// When it is cancelled it gives what the last finished depth found, or the first.
///
/// # Panics
/// As [`search`].
///
/// ```
/// use sarai::agents::{expectimax, rng::Stream};
/// use sarai::games::shuanglu::Shuanglu;
/// use sarai::{Game, Outcome, Turn};
/// let game = Shuanglu::new(Default::default())?;
/// let mut state = game.initial_state();
/// while game.turn(&state) == Turn::Chance {
///     game.resolve(&mut state, Outcome(1), &mut ());
/// }
/// let (settings, mut rng) = (expectimax::Settings::new(2), Stream::new(0, 0));
/// let found = expectimax::analyse(&game, &state, &settings, &mut rng, &Default::default());
/// assert_eq!(found.actions.len(), game.legal_actions(&state).len());
/// let best = found.actions.iter().find(|rated| rated.action == found.action).expect("a legal action");
/// assert!(best.depth == 2 && best.values == found.values);
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn analyse<G: Heuristic + Evaluate>(
    game: &G,
    state: &G::State,
    settings: &Settings,
    rng: &mut Stream,
    control: &Control,
) -> SearchResult {
    let Turn::Player(player) = game.turn(state) else {
        panic!("a search starts where a player chooses");
    };
    let mut search = Search::new(game, settings, rng, control);
    let mut last = search.found(state, player, 1);
    last.actions = search.rate_actions(state, player, 1);
    for depth in 2..=settings.depth {
        let found = search.found(state, player, depth);
        if control.is_cancelled() {
            break;
        }
        last = SearchResult { actions: search.rate_actions(state, player, depth), ..found };
    }
    search.reach(state, last)
}

/// What each player may expect in any position, [`Settings::depth`] turns ahead: at a chance node the mean over its outcomes,
/// where the game is over its returns.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn expected_returns<G: Heuristic + Evaluate>(
    game: &G,
    state: &G::State,
    settings: &Settings,
    control: &Control,
) -> PerPlayer<f64> {
    // The evaluators of this search draw nothing.
    let mut rng = Stream::new(0, 0);
    Search::new(game, settings, &mut rng, control).value(state, settings.depth)
}

/// The ends of a turn and what is known of them; used again from turn to turn.
struct Ends<S> {
    turns: TurnEnds<S>,
    /// For each end what each player may expect, and how many turns from the start of this one it was looked into.
    seen: Vec<(PerPlayer<f64>, u8)>,
    /// The ends, those first that look best.
    order: Vec<usize>,
}

impl<S> Default for Ends<S> {
    fn default() -> Self {
        Ends { turns: TurnEnds::default(), seen: Vec::new(), order: Vec::new() }
    }
}

struct Search<'a, G: Heuristic + Evaluate> {
    game: &'a G,
    settings: &'a Settings,
    rng: &'a mut Stream,
    control: &'a Control,
    /// One for each depth.
    ends: Vec<Ends<G::State>>,
    nodes: u64,
}

impl<'a, G: Heuristic + Evaluate> Search<'a, G> {
    fn new(game: &'a G, settings: &'a Settings, rng: &'a mut Stream, control: &'a Control) -> Self {
        let mut ends = Vec::new();
        ends.resize_with(settings.depth as usize + 1, Ends::default);
        Search { game, settings, rng, control, ends, nodes: 0 }
    }

    /// What it finds from the position in which it starts.
    fn found(&mut self, state: &G::State, player: Player, depth: u8) -> SearchResult {
        let best = self.best(state, player, depth, self.settings.filter.0);
        let first = self.game.legal_actions(state).nth(0).expect("a player to act has an action");
        let (action, values) = match best {
            Some((end, values)) => {
                (self.ends[depth as usize].turns.actions_back(end).last().unwrap_or(first), values)
            }
            None => (first, self.evaluate(state)),
        };
        SearchResult { action, values, depth, nodes: self.nodes, actions: Vec::new() }
    }

    /// What each action is worth, by the ends that the search has just found.
    fn rate_actions(&mut self, state: &G::State, player: Player, depth: u8) -> Vec<ActionValue> {
        let mut after = TurnEnds::default();
        let mut all = Vec::new();
        for action in self.game.legal_actions(state) {
            let mut next = *state;
            self.game.apply(&mut next, action, &mut ());
            let values = self.glance(&next);
            let goes_on = self.game.turn(&next) == Turn::Player(player);
            let most = self.game.returns_range().1;
            let kind = ValueKind::Judged;
            let mut rated = ActionValue { action, values, depth: 0, kind, turns: None, line: vec![action] };
            let Ends { turns, seen, .. } = &self.ends[depth as usize];
            let mut consider = |end: &G::State, line: &mut dyn Iterator<Item = Action>| {
                let Some(&(values, depth)) = turns.find(&self.game.key(end)).and_then(|at| seen.get(at))
                else {
                    return;
                };
                if (depth, values[player]) > (rated.depth, rated.values[player]) {
                    (rated.values, rated.depth) = (values, depth);
                    // The player may still avoid an end that is not the best of all.
                    let over = self.game.turn(end) == Turn::Over && (!goes_on || values[player] == most);
                    rated.kind = ValueKind::exact_if(over);
                    rated.turns = (over && values[player] != 0.0).then_some(1);
                    rated.line.truncate(1);
                    rated.line.extend(line);
                    rated.line[1..].reverse();
                }
            };
            if goes_on {
                // Where there are too many, those found first.
                let _ = after.list(self.game, &next, MOST_ENDS);
                for end in 0..after.len() {
                    consider(after.end(end), &mut after.actions_back(end));
                }
            } else {
                consider(&next, &mut std::iter::empty());
            }
            all.push(rated);
        }
        all
    }

    /// Looks as deep into what the filter left out: into the end that looks best after each action.
    fn reach(&mut self, state: &G::State, mut found: SearchResult) -> SearchResult {
        for rated in &mut found.actions {
            if rated.depth == found.depth || rated.kind == ValueKind::Exact {
                continue;
            }
            let mut end = *state;
            for &action in &rated.line {
                self.game.apply(&mut end, action, &mut ());
            }
            let values = self.value(&end, found.depth - 1);
            if self.control.is_cancelled() {
                break;
            }
            (rated.values, rated.depth) = (values, found.depth);
        }
        SearchResult { nodes: self.nodes, ..found }
    }

    /// The best end of the player's turn and its values; the ends stay in `ends[depth]`. `None` where there are too many to
    /// list.
    fn best(
        &mut self,
        state: &G::State,
        player: Player,
        depth: u8,
        keep: u16,
    ) -> Option<(usize, PerPlayer<f64>)> {
        let at = depth as usize;
        let mut ends = std::mem::take(&mut self.ends[at]);
        ends.seen.clear();
        let listed = ends.turns.list(self.game, state, MOST_ENDS);
        let found = listed.ok().and_then(|()| self.best_of(&mut ends, player, depth, keep));
        self.ends[at] = ends;
        found
    }

    fn best_of(
        &mut self,
        ends: &mut Ends<G::State>,
        player: Player,
        depth: u8,
        keep: u16,
    ) -> Option<(usize, PerPlayer<f64>)> {
        let Ends { turns, seen, order } = ends;
        for end in 0..turns.len() {
            seen.push((self.glance(turns.end(end)), 1));
        }
        self.nodes += turns.len() as u64;
        if depth > 1 {
            order.clear();
            order.extend(0..turns.len());
            // A stable sort: of equals the first stays first.
            order.sort_by(|&one, &other| seen[other].0[player].total_cmp(&seen[one].0[player]));
            order.truncate(keep.max(1) as usize);
            for &end in &*order {
                seen[end] = (self.value(turns.end(end), depth - 1), depth);
            }
        }
        let mut best: Option<(usize, PerPlayer<f64>)> = None;
        for (end, &(values, looked)) in seen.iter().enumerate() {
            if looked == depth && best.is_none_or(|(_, known)| values[player] > known[player]) {
                best = Some((end, values));
            }
        }
        best
    }

    /// What each player may expect in a position that is not over, at a glance.
    fn evaluate(&mut self, state: &G::State) -> PerPlayer<f64> {
        self.settings.evaluator.evaluate(self.game, state, self.rng)
    }

    /// The same in any position.
    fn glance(&mut self, state: &G::State) -> PerPlayer<f64> {
        match self.game.turn(state) {
            Turn::Over => self.game.returns(state),
            _ => self.evaluate(state),
        }
    }

    /// What each player may expect after so many more turns.
    fn value(&mut self, state: &G::State, depth: u8) -> PerPlayer<f64> {
        match self.game.turn(state) {
            Turn::Over => self.game.returns(state),
            _ if depth == 0 || self.control.is_cancelled() => self.evaluate(state),
            Turn::Player(player) => {
                let best = self.best(state, player, depth, self.settings.filter.1);
                best.map_or_else(|| self.evaluate(state), |(_, values)| values)
            }
            Turn::Chance => {
                let chance = self.game.chance(state);
                let mut mean = PerPlayer::new(self.game.num_players(), 0.0);
                for outcome in (0..chance.weights().len() as u8).map(Outcome) {
                    let mut next = *state;
                    self.game.resolve(&mut next, outcome, &mut ());
                    // A throw that leaves nothing to play passes the turn on: that is a turn too.
                    let left = depth - u8::from(self.game.turn(&next) == Turn::Chance);
                    let values = self.value(&next, left);
                    let probability = chance.probability(outcome);
                    for (sum, value) in mean.as_mut_slice().iter_mut().zip(values.as_slice()) {
                        *sum += probability * value;
                    }
                }
                mean
            }
        }
    }
}
