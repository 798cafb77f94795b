//! What a board that is played on needs of a position, as JSON: the same for Python and for browsers.

use serde_json::{Value, json};

use crate::base::error::BadRequest;
use crate::draw::Options;
use crate::rules::game::{Draw, Game, Turn};
use crate::rules::position::Position;
use crate::rules::rule_book;

/// The scene of a position; the picture as these options say.
///
/// # Errors
/// As [`Draw::draw`].
pub(super) fn scene<G: Draw>(position: &Position<G>, options: &Options) -> Result<Value, BadRequest> {
    let (game, state) = (position.game(), position.state());
    let picture = game.draw(state, options)?;
    let turn = position.turn();
    let over = turn == Turn::Over;
    let points: Vec<Value> = game
        .points(state)
        .into_iter()
        .map(|place| {
            json!({"name": place.name, "x": place.x, "y": place.y, "r": place.r, "words": place.words})
        })
        .collect();
    let moves: Vec<Value> = position
        .legal_actions()
        .iter()
        .map(|action| {
            json!({
                "action": action.0,
                "name": game.action_name(state, action),
                "words": game.action_words(state, action),
                "places": game.places(state, action),
            })
        })
        .collect();
    let headline = game.headline(state);
    Ok(json!({
        "game": G::NAME,
        "preset": preset::<G>(Game::rules(game)),
        "rules": rule_book::to_value::<G>(Game::rules(game)),
        "svg": picture.written(),
        "width": picture.width,
        "height": picture.height,
        "headline": headline,
        "description": game.describe(state),
        "player": match turn {
            Turn::Player(player) => Some(player.0),
            Turn::Chance | Turn::Over => None,
        },
        "num_players": Game::num_players(game),
        "over": over,
        "result": over.then_some(headline),
        "points": points,
        "moves": moves,
    }))
}

/// The preset that these rules are; `None` where they are none.
fn preset<G: Game>(rules: &G::Rules) -> Option<&'static str> {
    G::PRESETS.iter().find(|preset| (preset.rules)() == *rules).map(|preset| preset.name)
}
