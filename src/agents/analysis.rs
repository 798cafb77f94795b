//! The analysis of a position by an agent.

use super::result::SearchResult;
use crate::rules::action::Action;
use crate::rules::game::{Evaluate, Game, Turn};
use crate::rules::player::{PerPlayer, Player};

/// The analysis of a position by an agent.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Who is to act.
    pub player: Player,
    /// What the agent would choose; `None` where a search was cancelled before it knew anything.
    pub best: Option<Action>,
    /// What each player may expect, in the units of [`crate::Game::returns`]; `None` where the agent has no values.
    pub values: Option<PerPlayer<f64>>,
    /// A line for each legal action, in the order of their ids.
    pub lines: Vec<Line>,
    /// The search depth: the actions of the longest line, moves or turns, as the agent counts.
    pub depth: u32,
    /// The number of simulations made, or of positions visited.
    pub work: u64,
}

/// How far a value can be trusted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// The value with perfect play.
    Exact,
    /// The most that the player to act may expect: the search was stopped before it knew more.
    Bound,
    /// An estimate, by the evaluation of later positions or by games played out.
    Judged,
}

impl ValueKind {
    /// [`Exact`](ValueKind::Exact) or [`Judged`](ValueKind::Judged).
    pub(crate) const fn exact_if(certain: bool) -> Self {
        if certain { ValueKind::Exact } else { ValueKind::Judged }
    }

    /// Its name: "exact", "bound" or "judged".
    pub const fn name(self) -> &'static str {
        match self {
            ValueKind::Exact => "exact",
            ValueKind::Bound => "bound",
            ValueKind::Judged => "judged",
        }
    }
}

/// The analysis of an action.
#[derive(Clone, Debug)]
pub struct Line {
    /// The action.
    pub action: Action,
    /// What the player to act may expect of it; `None` where the agent has no values.
    pub value: Option<f64>,
    /// How many simulations took it.
    pub visits: u64,
    /// How likely the agent would choose it, or for a search the share of its visits.
    pub probability: f64,
    /// How far the value can be trusted.
    pub kind: ValueKind,
    /// The number of turns to the end of the game, this one counted, where the value is exact: of the shortest win and the
    /// longest loss that was found. `None` where unknown, and in a draw.
    pub turns: Option<u16>,
    /// The action and what would follow it, as far as no chance comes between.
    pub actions: Vec<Action>,
}

/// The analysis of a search by depth.
pub(crate) fn from_search<G: Game>(game: &G, state: &G::State, found: SearchResult) -> Analysis {
    let Turn::Player(player) = game.turn(state) else {
        panic!("an analysis starts where a player chooses");
    };
    let line = |action| {
        let rated = found.actions.iter().find(|rated| rated.action == action);
        Line {
            action,
            value: rated.map(|rated| rated.values[player]),
            visits: 0,
            probability: f64::from(u8::from(action == found.action)),
            kind: rated.map_or(ValueKind::Judged, |rated| rated.kind),
            turns: rated.and_then(|rated| rated.turns),
            actions: rated.map_or_else(|| vec![action], |rated| rated.line.clone()),
        }
    };
    Analysis {
        player,
        best: Some(found.action),
        values: Some(found.values),
        lines: game.legal_actions(state).into_iter().map(line).collect(),
        depth: u32::from(found.depth),
        work: found.nodes,
    }
}

/// The legal actions, each with the evaluation of the position after it; `best` is left open.
///
/// # Panics
/// When it is no player's turn.
pub(crate) fn one_ply<G: Evaluate>(game: &G, state: &G::State) -> Analysis {
    let Turn::Player(player) = game.turn(state) else {
        panic!("an analysis starts where a player chooses");
    };
    let line = |action| {
        let mut after = *state;
        game.apply(&mut after, action, &mut ());
        let over = game.turn(&after) == Turn::Over;
        let values = if over { game.returns(&after) } else { game.evaluate(&after) };
        let value = Some(values[player]);
        let kind = ValueKind::exact_if(over);
        let turns = (over && values[player] != 0.0).then_some(1);
        Line { action, value, visits: 0, probability: 0.0, kind, turns, actions: vec![action] }
    };
    let lines: Vec<_> = game.legal_actions(state).into_iter().map(line).collect();
    let work = lines.len() as u64;
    Analysis { player, best: None, values: Some(game.evaluate(state)), lines, depth: 1, work }
}
