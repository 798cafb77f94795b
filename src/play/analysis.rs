//! What an agent thinks of a position, with the names of its moves.

use std::cmp::Reverse;

use serde_json::{Value, json};

use crate::agents::{Analysis, Line};
use crate::rules::action::Action;
use crate::rules::game::FullGame;
use crate::rules::position::Position;

/// An analysis of this position as JSON: player, best, values, depth, work, and lines, each with action, name, value,
/// visits, probability, kind, turns, actions and names. The best comes first; of others, what was visited more, is worth
/// more, wins sooner or loses later.
pub(super) fn to_json<G: FullGame>(position: &Position<G>, analysis: &Analysis) -> Value {
    let (best, lines) = (analysis.best, &analysis.lines);
    let best = best.or(lines.first().map(|line| line.action));
    let lines: Vec<Value> = ranked(lines, best).into_iter().map(|line| line_of(position, line)).collect();
    told(analysis, best, &lines)
}

// What follows stands here once, and not for every game: pages load all of it.

fn told(analysis: &Analysis, best: Option<Action>, lines: &[Value]) -> Value {
    let Analysis { player, values, depth, work, .. } = analysis;
    json!({
        "player": player.0,
        "best": best.map(|action| action.0),
        "values": values.as_ref().map(|values| values.as_slice().to_vec()),
        "depth": depth,
        "work": work,
        "lines": lines,
    })
}

/// The lines in the order in which they are told. There are few of them, so that each is simply put in its place.
fn ranked(lines: &[Line], best: Option<Action>) -> Vec<&Line> {
    let is_before = |one: &Line, other: &Line| {
        // 0 added makes one zero of the two.
        let value = |line: &Line| line.value.unwrap_or(f64::NEG_INFINITY) + 0.0;
        let turns = |line: &Line| line.turns.map_or(0, i64::from) * if value(line) > 0.0 { 1 } else { -1 };
        let rank = |line: &Line| (Some(line.action) != best, Reverse(line.visits));
        let (first, then) = (rank(one).cmp(&rank(other)), value(other).total_cmp(&value(one)));
        first.then(then).then((turns(one), one.action.0).cmp(&(turns(other), other.action.0))).is_lt()
    };
    let mut ranked: Vec<&Line> = Vec::with_capacity(lines.len());
    for line in lines {
        let place = ranked.iter().take_while(|before| is_before(before, line)).count();
        ranked.insert(place, line);
    }
    ranked
}

fn line_of<G: FullGame>(position: &Position<G>, line: &Line) -> Value {
    let (game, mut state) = (position.game(), *position.state());
    let mut names = Vec::new();
    for &action in &line.actions {
        names.push(game.action_name(&state, action));
        game.apply(&mut state, action, &mut ());
    }
    line_told(line, game.action_name(position.state(), line.action), &names)
}

fn line_told(line: &Line, name: String, names: &[String]) -> Value {
    let Line { action, value, visits, probability, kind, turns, actions } = line;
    json!({
        "action": action.0,
        "name": name,
        "value": value,
        "visits": visits,
        "probability": probability,
        "kind": kind.name(),
        "turns": turns,
        "actions": actions.iter().map(|action| action.0).collect::<Vec<_>>(),
        "names": names,
    })
}
