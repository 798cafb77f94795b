//! What can be asked for: a verb, its fields, and the answer.

use serde_json::{Value, json};

use crate::course::{CHANCE, Course, Origin, Step};
use crate::desk::Desk;
use crate::offer::{agent, catalogue};
use crate::request::Request;
use crate::{reader, writer};
use sarai::agents::playout::sample;
use sarai::agents::rng::{Stream, Streams};
use sarai::base::control::Control;
use sarai::base::error::{BadRequest, did_you_mean, shorten};
use sarai::draw::Options;
use sarai::draw::theme::named;
use sarai::erased::AnyGame;
use sarai::erased::registry::find;
use sarai::rules::game::Turn;
use sarai::rules::player::Player;

type Answer = Result<Value, BadRequest>;

/// Carries out a verb with the fields of a request.
type Verb = fn(&mut Desk, Request) -> Answer;

/// Every verb; `web/engine.d.ts` says what each takes and answers.
const VERBS: [(&str, Verb); 19] = [
    ("analyse", analyse),
    ("catalogue", |_, request| request.done().map(|()| catalogue())),
    ("choose", choose),
    ("copy", copy),
    ("free", free),
    ("legal", legal),
    ("load", load),
    ("make", make),
    ("next", next),
    ("observe", observe),
    ("perft", perft),
    ("play", play),
    ("plays", plays),
    ("roll", roll),
    ("save", save),
    ("scene", scene),
    ("start", start),
    ("steps", steps),
    ("view", view),
];

/// The deepest count of paths.
const MAX_DEPTH: u64 = 100;

/// Carries out a request.
pub(crate) fn carry_out(desk: &mut Desk, request: Request) -> Answer {
    match VERBS.iter().find(|(name, _)| *name == request.verb()) {
        Some((_, verb)) => verb(desk, request),
        None => {
            let names = VERBS.map(|(name, _)| name);
            let hint = did_you_mean(request.verb(), names);
            let given = shorten(request.verb());
            Err(BadRequest::new(format!("there is no verb '{given}'{hint}; there are {}", names.join(", "))))
        }
    }
}

/// What an error says.
fn said(error: impl std::fmt::Display) -> BadRequest {
    BadRequest::new(error.to_string())
}

fn told_of(game: &dyn AnyGame) -> Value {
    let sides: Vec<u8> = (0..game.num_players()).map(|seat| game.side(Player(seat as u8)).0).collect();
    json!({
        "name": game.name(),
        "rules": game.rules(),
        "num_players": game.num_players(),
        "num_actions": game.num_actions(),
        "sides": sides,
    })
}

fn make(desk: &mut Desk, mut request: Request) -> Answer {
    let name = request.text_needed("game")?;
    let (preset, rules) = (request.text("preset")?, request.take("rules").unwrap_or_else(|| json!({})));
    request.done()?;
    let game = find(&name)?.make(preset.as_deref(), &rules.to_string()).map_err(said)?;
    let mut told = told_of(&*game);
    told["game"] = json!(desk.hold_game(game)?);
    Ok(told)
}

fn plays(desk: &mut Desk, mut request: Request) -> Answer {
    let game = desk.game(request.number("game")?)?;
    let agent = agent(&request.text_needed("agent")?)?;
    request.done()?;
    game.seats(agent).map(|()| json!({}))
}

fn start(desk: &mut Desk, mut request: Request) -> Answer {
    let game = desk.game(request.number("game")?)?.clone();
    let (seed, number) = (request.whole("seed")?, request.whole("number")?);
    let position = request.text("position")?.map(|text| game.parse(&text).map_err(said)).transpose()?;
    request.done()?;
    // The last number has none after it, to which the engine could count.
    if number == Some(u64::MAX) {
        return Err(BadRequest::new(format!("number got {}; it takes 0 to {}", u64::MAX, u64::MAX - 1)));
    }
    let origin = Origin { seed: Some(seed.unwrap_or(0)), number: Some(number.unwrap_or(0)), agents: None };
    let state = desk.hold_state(Course::new(game, position, origin))?;
    Ok(json!({"state": state}))
}

fn load(desk: &mut Desk, mut request: Request) -> Answer {
    let text = request.text_needed("record")?;
    request.done()?;
    let course = reader::read(&text)?;
    let mut told = told_of(&*course.game);
    let origin = course.origin.clone();
    told["seed"] = json!(origin.seed.map(|seed| seed.to_string()));
    told["number"] = json!(origin.number.map(|number| number.to_string()));
    told["agents"] = json!(origin.agents);
    told["length"] = json!(course.steps.len());
    told["game"] = json!(desk.hold_game(course.game.clone())?);
    told["state"] = json!(desk.hold_state(course)?);
    Ok(told)
}

fn save(desk: &mut Desk, mut request: Request) -> Answer {
    let course = desk.state(request.number("state")?)?;
    let (agents, form) = (request.labels("agents")?, request.text("form")?);
    // The seed and the number of a game are what it was drawn from; whoever played otherwise says so.
    let (seed, keep) = (request.whole("seed")?, request.take("number").is_none());
    request.done()?;
    let before = course.origin.clone();
    if agents.is_some() {
        course.origin.agents = agents;
    }
    if seed.is_some() {
        course.origin.seed = seed;
    }
    if !keep {
        course.origin.number = None;
    }
    let checked = course.origin.check(course.game.num_players());
    let text = checked.and_then(|()| match form.as_deref() {
        None | Some("text") => writer::as_text(course),
        Some("json") => Ok(writer::as_json(course)),
        Some(other) => {
            Err(BadRequest::new(format!("a record has the form text or json, not '{}'", shorten(other))))
        }
    });
    course.origin = before;
    Ok(json!({"record": text?}))
}

fn copy(desk: &mut Desk, mut request: Request) -> Answer {
    let course = desk.state(request.number("state")?)?;
    let at = request.whole("at")?.map_or(course.steps.len(), |at| usize::try_from(at).unwrap_or(usize::MAX));
    request.done()?;
    let copied = course.at(at)?;
    Ok(json!({"state": desk.hold_state(copied)?}))
}

fn free(desk: &mut Desk, mut request: Request) -> Answer {
    let number = request.number("held")?;
    request.done()?;
    desk.free(number).map(|()| json!({}))
}

fn view(desk: &mut Desk, mut request: Request) -> Answer {
    let course = desk.state(request.number("state")?)?;
    request.done()?;
    let position = &course.position;
    let to_act = course.to_act();
    let over = to_act.is_none();
    Ok(json!({
        "view": position.view(),
        "position": position.text(),
        "player": to_act.filter(|&player| player != CHANCE),
        "chance": to_act == Some(CHANCE),
        "over": over,
        "returns": over.then(|| position.returns().as_slice().to_vec()),
        "winner": position.winner().filter(|_| over).map(|side| side.0),
        "turns": position.turns_passed(),
        "length": course.steps.len(),
    }))
}

fn scene(desk: &mut Desk, mut request: Request) -> Answer {
    let course = desk.state(request.number("state")?)?;
    let theme = request.text("theme")?;
    let last = match request.take("last") {
        None => None,
        Some(last) => {
            let seats = course.game.num_players() as u64;
            let seat = last["player"].as_u64().filter(|&seat| seat < seats).map(|seat| seat as usize);
            let name = last["name"].as_str().map(str::to_owned);
            Some(seat.zip(name).ok_or_else(|| {
                let given = shorten(&last.to_string());
                BadRequest::new(format!(
                    "'scene' takes a seat as 'player' and a move's 'name' as 'last', not {given}"
                ))
            })?)
        }
    };
    request.done()?;
    let theme = named(theme.as_deref().unwrap_or("light"))?;
    course.position.scene(&Options { theme, last, ..Options::default() })
}

fn legal(desk: &mut Desk, mut request: Request) -> Answer {
    let position = &desk.state(request.number("state")?)?.position;
    request.done()?;
    let actions = position.legal_actions();
    let moves = actions
        .iter()
        .map(|action| json!({"action": action.0, "name": position.action_name(action.0.into())}));
    let moves: Vec<Value> = moves.collect();
    let weights = position.chance().map_or(&[][..], |chance| chance.weights());
    let total: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
    let outcomes = weights.iter().enumerate().map(|(id, &weight)| {
        json!({
            "outcome": id,
            "name": position.outcome_name(id as i64),
            "probability": f64::from(weight) / total,
        })
    });
    Ok(json!({"moves": moves, "outcomes": outcomes.collect::<Vec<_>>()}))
}

fn steps(desk: &mut Desk, mut request: Request) -> Answer {
    let course = desk.state(request.number("state")?)?;
    request.done()?;
    Ok(json!({"steps": course.steps.iter().map(of_step).collect::<Vec<_>>()}))
}

fn of_step(step: &Step) -> Value {
    json!({"player": step.player, "id": step.id, "name": step.name})
}

fn observe(desk: &mut Desk, mut request: Request) -> Answer {
    let course = desk.state(request.number("state")?)?;
    let viewer = request.whole("viewer")?.unwrap_or(0);
    request.done()?;
    let seats = course.game.num_players() as u64;
    if viewer >= seats {
        return Err(BadRequest::new(format!("viewer got {viewer}; it takes 0 to {}", seats - 1)));
    }
    let mut cells = vec![0; course.game.observation_len()];
    course.position.observe(Player(viewer as u8), &mut cells);
    Ok(json!({"cells": cells}))
}

fn play(desk: &mut Desk, mut request: Request) -> Answer {
    let course = desk.state(request.number("state")?)?;
    let action = request.take("action").unwrap_or_default();
    request.done()?;
    let id = match &action {
        Value::String(name) => course.named(name)?,
        given => given.as_i64().ok_or_else(|| {
            let given = shorten(&given.to_string());
            BadRequest::new(format!("'play' takes the number or the name of a move as 'action', not {given}"))
        })?,
    };
    course.take(id).map(of_step)
}

fn roll(desk: &mut Desk, mut request: Request) -> Answer {
    let course = desk.state(request.number("state")?)?;
    request.done()?;
    let mut rolled = Vec::new();
    while let Some(chance) = course.position.chance() {
        let outcome = sample(chance, &mut course.streams.dice);
        rolled.push(of_step(course.take(i64::from(outcome.0))?));
    }
    Ok(json!({"rolled": rolled}))
}

/// The seat that is to choose.
fn chooser(course: &Course, what: &str) -> Result<usize, BadRequest> {
    match course.position.turn() {
        Turn::Player(player) => Ok(player.index()),
        Turn::Chance | Turn::Over => {
            Err(BadRequest::new(format!("no player acts here, so there is nothing to {what}")))
        }
    }
}

fn choose(desk: &mut Desk, mut request: Request) -> Answer {
    let course = desk.state(request.number("state")?)?;
    let (agent, seed) = (agent(&request.text_needed("agent")?)?, request.whole("seed")?);
    request.done()?;
    let seat = chooser(course, "choose")?;
    let mut other = seed.map(|seed| Streams::new(seed, 0));
    let streams = other.as_mut().unwrap_or(&mut course.streams);
    let rng: &mut Stream = &mut streams.seats[seat];
    let action = course.position.choose(agent, rng, &Control::default())?;
    Ok(json!({"action": action.0, "name": course.position.action_name(action.0.into())}))
}

fn next(desk: &mut Desk, mut request: Request) -> Answer {
    let course = desk.state(request.number("state")?)?;
    let name = request.text("agent")?;
    let (seed, number) = (request.whole("seed")?.unwrap_or(0), request.whole("number")?.unwrap_or(0));
    request.done()?;
    let mut streams = Streams::new(seed, number);
    if let Some(chance) = course.position.chance() {
        let outcome = sample(chance, &mut streams.dice).0;
        return Ok(json!({"action": outcome, "name": course.position.outcome_name(outcome.into())}));
    }
    let seat = chooser(course, "choose")?;
    let Some(name) = name else {
        return Err(BadRequest::new("a player is to act here: name the agent that chooses as 'agent'"));
    };
    let action = course.position.choose(agent(&name)?, &mut streams.seats[seat], &Control::default())?.0;
    Ok(json!({"action": action, "name": course.position.action_name(action.into())}))
}

fn analyse(desk: &mut Desk, mut request: Request) -> Answer {
    let course = desk.state(request.number("state")?)?;
    let (agent, seed) = (agent(&request.text_needed("agent")?)?, request.whole("seed")?.unwrap_or(0));
    request.done()?;
    let seat = chooser(course, "analyse")?;
    course.position.analyse(agent, &mut Streams::new(seed, 0).seats[seat], &Control::default())
}

fn perft(desk: &mut Desk, mut request: Request) -> Answer {
    let position = &desk.state(request.number("state")?)?.position;
    let depth = request.whole("depth")?.unwrap_or(1);
    request.done()?;
    if depth > MAX_DEPTH {
        return Err(BadRequest::new(format!("depth got {depth}; it takes 0 to {MAX_DEPTH}")));
    }
    let count = position.perft(depth as u32, &Control::default());
    Ok(json!({"count": count.unwrap_or_default()}))
}
