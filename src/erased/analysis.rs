//! What an agent thinks of a position, with the names of its moves.

use serde_json::{Value, json};

use crate::agents::{Analysis, Line};
use crate::rules::game::FullGame;
use crate::rules::position::Position;

/// An analysis of this position as JSON: player, best, values, depth, work, and lines, each with action, name, value,
/// visits, probability, proven, turns, actions and names.
pub(super) fn to_json<G: FullGame>(position: &Position<G>, analysis: &Analysis) -> Value {
    let Analysis { player, best, values, lines, depth, work } = analysis;
    let lines: Vec<Value> = lines.iter().map(|line| line_to_json(position, line)).collect();
    json!({
        "player": player.0,
        "best": best.map(|action| action.0),
        "values": values.as_ref().map(|values| values.as_slice().to_vec()),
        "depth": depth,
        "work": work,
        "lines": lines,
    })
}

fn line_to_json<G: FullGame>(position: &Position<G>, line: &Line) -> Value {
    let Line { action, value, visits, probability, proven, turns, actions } = line;
    let (game, mut state) = (position.game(), *position.state());
    let mut names = Vec::new();
    for &action in actions {
        names.push(game.action_name(&state, action));
        game.apply(&mut state, action, &mut ());
    }
    json!({
        "action": action.0,
        "name": game.action_name(position.state(), *action),
        "value": value,
        "visits": visits,
        "probability": probability,
        "proven": proven,
        "turns": turns,
        "actions": actions.iter().map(|action| action.0).collect::<Vec<_>>(),
        "names": names,
    })
}
