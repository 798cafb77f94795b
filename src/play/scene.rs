//! What a board that is played on needs of a position, as JSON: the same for Python and for browsers.

use serde_json::{Value, json};

use crate::base::Error;
use crate::draw::{Options, Picture, Place};
use crate::rules::{Action, Draw, Game, Position, Turn, rule_book};

/// The scene of a position; the picture as these options say.
pub(super) fn scene<G: Draw>(position: &Position<G>, options: &Options) -> Result<Value, Error> {
    let (game, state) = (position.game(), position.state());
    let picture = game.draw(state, options)?;
    let moves: Vec<Move> = position
        .legal_actions()
        .iter()
        .map(|action| Move {
            action,
            name: game.action_name(state, action),
            words: game.action_words(state, action),
            places: game.places(state, action),
        })
        .collect();
    let mut told = told(position.turn(), picture, game.points(state, options.orientation), moves);
    told["game"] = json!(G::NAME);
    told["preset"] = json!(preset::<G>(Game::rules(game)));
    told["rules"] = rule_book::to_value::<G>(Game::rules(game));
    told["num_players"] = json!(Game::num_players(game));
    told["headline"] = json!(game.headline(state));
    told["description"] = json!(game.describe(state));
    if position.turn() == Turn::Over {
        told["result"] = told["headline"].clone();
    }
    Ok(told)
}

struct Move {
    action: Action,
    name: String,
    words: String,
    places: Vec<usize>,
}

/// What is told in the same way of every game, in the order of all that is told. It stands here once, and not for every game:
/// pages load all of it.
fn told(turn: Turn, picture: Picture, points: Vec<Place>, moves: Vec<Move>) -> Value {
    let moves: Vec<Value> = moves
        .into_iter()
        .map(|Move { action, name, words, places }| {
            json!({"action": action.0, "name": name, "words": words, "places": places})
        })
        .collect();
    json!({
        "game": null,
        "preset": null,
        "rules": null,
        "svg": picture.written(),
        "width": picture.width,
        "height": picture.height,
        "headline": null,
        "description": null,
        "player": match turn {
            Turn::Player(player) => Some(player.0),
            Turn::Chance | Turn::Over => None,
        },
        "num_players": null,
        "over": turn == Turn::Over,
        "result": null,
        "points": points_told(points),
        "moves": moves,
    })
}

/// The places as JSON.
pub(super) fn points_told(points: Vec<Place>) -> Value {
    let told = points.into_iter().map(
        |place| json!({"name": place.name, "x": place.x, "y": place.y, "r": place.r, "words": place.words}),
    );
    told.collect()
}

/// The preset that these rules are; `None` where they are none.
fn preset<G: Game>(rules: &G::Rules) -> Option<&'static str> {
    G::PRESETS.iter().find(|preset| (preset.rules)() == *rules).map(|preset| preset.name)
}
