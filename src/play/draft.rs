//! A position that somebody is setting up on a board, as JSON: what it looks like, and what is still wrong with it.

use serde_json::{Value, json};

use super::scene::points_told;
use crate::base::error::Error;
use crate::draw::Options;
use crate::rules::game::{Draw, FullGame, Game, Turn};
use crate::rules::keywords::{Given, Keyword, Misfit, Takes, Value as Seen};
use crate::rules::position::Position;

/// Pieces on the board: the index of the place, the colour, and how many.
pub type Pieces = Vec<[usize; 3]>;

/// The position with these pieces, or with its own, and with what else is given by keywords. Where the rules refuse that, it is
/// drawn all the same, if it can be, and "refused" says why; "position" is the line of text, where they do not.
///
/// # Errors
/// When it cannot even be drawn: what is refused then, and why.
pub(super) fn draft<G: FullGame>(
    position: &Position<G>,
    pieces: Option<Pieces>,
    given: Vec<(String, Seen)>,
    options: &Options,
) -> Result<Value, Error> {
    let (game, state) = (position.game(), position.state());
    let acting = given.iter().find_map(|(name, value)| match value {
        Seen::Number(player) if name == PLAYER => Some(*player as usize),
        _ => None,
    });
    let acting = acting.or(match position.turn() {
        Turn::Player(player) => Some(player.index()),
        Turn::Chance | Turn::Over => None,
    });
    let acting = acting.unwrap_or(0);
    let (places, colours) = (game.points(state, 0).len(), G::COLOURS.len().min(1 + last_colour(game)));
    let mut texts: Vec<(&str, String)> = Vec::new();
    let mut now = Pieces::new();
    for (place, colour) in (0..places).flat_map(|place| (0..colours).map(move |colour| (place, colour))) {
        let Some((keyword, name, there)) = game.setting(state, acting, place, colour) else { continue };
        let count = match &pieces {
            None => usize::from(there),
            Some(pieces) => {
                pieces.iter().find(|piece| piece[..2] == [place, colour]).map_or(0, |piece| piece[2])
            }
        };
        write(&mut texts, keyword, name, count);
        if count > 0 {
            now.push([place, colour, count]);
        }
    }
    if let Some(pieces) = &pieces
        && now.len() < pieces.len()
    {
        return Err(Error::new("no piece of this colour can be put there"));
    }
    let known = game.keywords();
    let set_up = |given: &[(String, Seen)]| -> Result<G::State, Misfit> {
        let texts = texts.iter().map(|(keyword, text)| ((*keyword).to_owned(), Seen::Text(text.clone())));
        let given = Given::new(G::NAME, &known, texts.chain(given.iter().cloned()))?;
        Ok(crate::SetUp::set_up(game, &given)?)
    };
    // What was said of whose turn it is and of the dice may not fit any more; the pieces must.
    let (state, refused) = match set_up(&given) {
        Ok(state) => (state, game.check(&state).err().map(|error| error.to_string())),
        Err(misfit) => (set_up(&[]).map_err(|_| said(&misfit))?, Some(said(&misfit).to_string())),
    };
    let picture = game.draw(&state, options)?;
    let text = refused.is_none().then(|| game.text(&state));
    let mut told = told(&known, &texts);
    told["picture"] = json!(picture.written());
    told["points"] = points_told(game.points(&state, options.orientation));
    told["position"] = json!(text);
    told["refused"] = json!(refused);
    told["pieces"] = json!(now);
    told["colours"] = json!(G::COLOURS[..colours]);
    Ok(told)
}

// What follows stands here once, and not for every game: pages load all of it.

/// The keyword for whose turn it is.
const PLAYER: &str = "player";

fn last_colour<G: Draw>(game: &G) -> usize {
    let seats = 0..Game::num_players(game) as u8;
    seats.map(|seat| game.colour(crate::Player(seat))).max().unwrap_or(0)
}

/// Adds pieces to the text of their keyword, which is there even where there are none.
fn write(texts: &mut Vec<(&'static str, String)>, keyword: &'static str, name: String, count: usize) {
    let at = texts.iter().position(|(known, _)| *known == keyword).unwrap_or_else(|| {
        texts.push((keyword, String::new()));
        texts.len() - 1
    });
    match count {
        0 => {}
        1 => texts[at].1 += &format!("{name} "),
        _ => texts[at].1 += &format!("{name}:{count} "),
    }
}

/// The keywords that are no pieces, with what they take.
fn told(known: &[Keyword], texts: &[(&str, String)]) -> Value {
    let others = known.iter().filter(|keyword| texts.iter().all(|(name, _)| *name != keyword.name));
    let others = others.map(|keyword| {
        let takes = match keyword.takes {
            Takes::Text => "text",
            Takes::Flag => "flag",
            Takes::Number(..) => "number",
            Takes::Numbers(..) => "numbers",
        };
        json!({"name": keyword.name, "takes": takes})
    });
    json!({"error": null, "keywords": others.collect::<Vec<_>>()})
}

fn said(misfit: &Misfit) -> Error {
    let (Misfit::Type(words) | Misfit::Value(words)) = misfit;
    Error::new(words.clone())
}
