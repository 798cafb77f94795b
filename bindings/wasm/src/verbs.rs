//! What can be asked for: a verb, its fields, and the answer.

use serde_json::{Value, json};

use crate::desk::{Course, Desk};
use sarai::agents::Agent;
use sarai::agents::playout::sample;
use sarai::agents::rng::{Stream, Streams};
use sarai::api::AnyGame;
use sarai::api::registry::{all, find};
use sarai::base::control::Control;
use sarai::base::error::{Error, did_you_mean, shorten};
use sarai::draw::Options;
use sarai::draw::theme::named;
use sarai::record::{CHANCE, Origin, Record, Step, read};
use sarai::rules::game::Turn;
use sarai::rules::player::Player;
use sarai::session::{Request, Session, Setup, Task, catalogue};

type Answer = Result<Value, Error>;

/// Carries out a verb with the fields of a request.
type Verb = fn(&mut Desk, Request) -> Answer;

/// Every verb; `web/engine.d.ts` says what each takes and answers.
const VERBS: [(&str, Verb); 23] = [
    ("analyse", analyse),
    ("catalogue", |_, request| request.done().map(|()| json!({"games": catalogue()}))),
    ("choose", choose),
    ("command", command),
    ("copy", copy),
    ("found", found),
    ("free", free),
    ("job", job),
    ("legal", legal),
    ("load", load),
    ("make", make),
    ("observe", observe),
    ("perft", perft),
    ("play", play),
    ("plays", plays),
    ("roll", roll),
    ("save", save),
    ("scene", scene),
    ("session", session),
    ("start", start),
    ("steps", steps),
    ("think", |_, request| Task::from_request(request)?.work(&Control::default())),
    ("view", view),
];

/// The deepest count of paths.
const MAX_DEPTH: u64 = 100;

/// Carries out a request.
pub(crate) fn carry_out(desk: &mut Desk, request: Request) -> Answer {
    match VERBS.iter().find(|(name, _)| *name == request.name()) {
        Some((_, verb)) => verb(desk, request),
        None => {
            let names = VERBS.map(|(name, _)| name);
            let hint = did_you_mean(request.name(), names);
            let given = shorten(request.name());
            Err(Error::new(format!("there is no verb '{given}'{hint}; there are {}", names.join(", "))))
        }
    }
}

/// What an error says.
fn said(error: impl std::fmt::Display) -> Error {
    Error::new(error.to_string())
}

/// The agent of a name.
fn agent(request: &mut Request) -> Result<Agent, Error> {
    request.text_needed("agent")?.parse()
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
    let agent = agent(&mut request)?;
    request.done()?;
    game.seats(&agent).map(|()| json!({}))
}

fn start(desk: &mut Desk, mut request: Request) -> Answer {
    let game = desk.game(request.number("game")?)?.clone();
    let (seed, number) = (request.whole("seed")?, request.whole("number")?);
    let position = request.text("position")?.map(|text| game.parse(&text).map_err(said)).transpose()?;
    request.done()?;
    // The last number has none after it, to which the engine could count.
    if number == Some(u64::MAX) {
        return Err(Error::new(format!("number got {}; it takes 0 to {}", u64::MAX, u64::MAX - 1)));
    }
    let origin = Origin { seed: Some(seed.unwrap_or(0)), number: Some(number.unwrap_or(0)), agents: None };
    let streams = Streams::new(seed.unwrap_or(0), number.unwrap_or(0));
    let state = desk.hold_state(Course { record: Record::new(game, position, origin), streams })?;
    Ok(json!({"state": state}))
}

fn load(desk: &mut Desk, mut request: Request) -> Answer {
    let text = request.text_needed("record")?;
    request.done()?;
    let record = read(&text)?;
    let mut told = told_of(&*record.game);
    let origin = record.origin.clone();
    let streams = Streams::new(origin.seed.unwrap_or(0), origin.number.unwrap_or(0));
    told["seed"] = json!(origin.seed.map(|seed| seed.to_string()));
    told["number"] = json!(origin.number.map(|number| number.to_string()));
    told["agents"] = json!(origin.agents);
    told["length"] = json!(record.steps.len());
    told["game"] = json!(desk.hold_game(record.game.clone())?);
    told["state"] = json!(desk.hold_state(Course { record, streams })?);
    Ok(told)
}

fn save(desk: &mut Desk, mut request: Request) -> Answer {
    let record = &mut desk.state(request.number("state")?)?.record;
    let (agents, form) = (request.texts("agents")?, request.text("form")?);
    // The seed and the number of a game are what it was drawn from; whoever played otherwise says so.
    let (seed, keep) = (request.whole("seed")?, request.take("number").is_none());
    request.done()?;
    let before = record.origin.clone();
    if agents.is_some() {
        record.origin.agents = agents;
    }
    if seed.is_some() {
        record.origin.seed = seed;
    }
    if !keep {
        record.origin.number = None;
    }
    let checked = record.origin.check(record.game.num_players());
    let text = checked.and_then(|()| match form.as_deref() {
        None | Some("text") => record.to_text(),
        Some("json") => Ok(record.to_json()),
        Some(other) => {
            Err(Error::new(format!("a record has the form text or json, not '{}'", shorten(other))))
        }
    });
    record.origin = before;
    Ok(json!({"record": text?}))
}

fn copy(desk: &mut Desk, mut request: Request) -> Answer {
    let Course { record, streams } = desk.state(request.number("state")?)?;
    let at = request.whole("at")?.map_or(record.steps.len(), |at| usize::try_from(at).unwrap_or(usize::MAX));
    request.done()?;
    let copied = Course { record: record.at(at)?, streams: streams.clone() };
    Ok(json!({"state": desk.hold_state(copied)?}))
}

fn free(desk: &mut Desk, mut request: Request) -> Answer {
    let number = request.number("held")?;
    request.done()?;
    desk.free(number).map(|()| json!({}))
}

fn view(desk: &mut Desk, mut request: Request) -> Answer {
    let record = &mut desk.state(request.number("state")?)?.record;
    request.done()?;
    let position = &record.position;
    let to_act = record.to_act();
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
        "length": record.steps.len(),
    }))
}

fn scene(desk: &mut Desk, mut request: Request) -> Answer {
    let record = &mut desk.state(request.number("state")?)?.record;
    let theme = request.text("theme")?;
    let last = match request.take("last") {
        None => None,
        Some(last) => {
            let seats = record.game.num_players() as u64;
            let seat = last["player"].as_u64().filter(|&seat| seat < seats).map(|seat| seat as usize);
            let name = last["name"].as_str().map(str::to_owned);
            Some(seat.zip(name).ok_or_else(|| {
                let given = shorten(&last.to_string());
                Error::new(format!(
                    "'scene' takes a seat as 'player' and a move's 'name' as 'last', not {given}"
                ))
            })?)
        }
    };
    request.done()?;
    let theme = named(theme.as_deref().unwrap_or("light"))?;
    record.position.scene(&Options { theme, last, ..Options::default() })
}

fn legal(desk: &mut Desk, mut request: Request) -> Answer {
    let position = &desk.state(request.number("state")?)?.record.position;
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
    let record = &mut desk.state(request.number("state")?)?.record;
    request.done()?;
    Ok(json!({"steps": record.steps.iter().map(of_step).collect::<Vec<_>>()}))
}

fn of_step(step: &Step) -> Value {
    json!({"player": step.player, "id": step.id, "name": step.name})
}

fn observe(desk: &mut Desk, mut request: Request) -> Answer {
    let record = &mut desk.state(request.number("state")?)?.record;
    let viewer = request.whole("viewer")?.unwrap_or(0);
    request.done()?;
    let seats = record.game.num_players() as u64;
    if viewer >= seats {
        return Err(Error::new(format!("viewer got {viewer}; it takes 0 to {}", seats - 1)));
    }
    let mut cells = vec![0; record.game.observation_len()];
    record.position.observe(Player(viewer as u8), &mut cells);
    Ok(json!({"cells": cells}))
}

fn play(desk: &mut Desk, mut request: Request) -> Answer {
    let record = &mut desk.state(request.number("state")?)?.record;
    let action = request.take("action").unwrap_or_default();
    request.done()?;
    let id = match &action {
        Value::String(name) => record.named(name)?,
        given => given.as_i64().ok_or_else(|| {
            let given = shorten(&given.to_string());
            Error::new(format!("'play' takes the number or the name of a move as 'action', not {given}"))
        })?,
    };
    record.take(id).map(of_step)
}

fn roll(desk: &mut Desk, mut request: Request) -> Answer {
    let Course { record, streams } = desk.state(request.number("state")?)?;
    request.done()?;
    let mut rolled = Vec::new();
    while let Some(chance) = record.position.chance() {
        let outcome = sample(chance, &mut streams.dice);
        rolled.push(of_step(record.take(i64::from(outcome.0))?));
    }
    Ok(json!({"rolled": rolled}))
}

/// The seat that is to choose.
fn chooser(record: &Record, what: &str) -> Result<usize, Error> {
    match record.position.turn() {
        Turn::Player(player) => Ok(player.index()),
        Turn::Chance | Turn::Over => {
            Err(Error::new(format!("no player acts here, so there is nothing to {what}")))
        }
    }
}

fn choose(desk: &mut Desk, mut request: Request) -> Answer {
    let Course { record, streams } = desk.state(request.number("state")?)?;
    let (agent, seed) = (agent(&mut request)?, request.whole("seed")?);
    request.done()?;
    let seat = chooser(record, "choose")?;
    let mut other = seed.map(|seed| Streams::new(seed, 0));
    let streams = other.as_mut().unwrap_or(streams);
    let rng: &mut Stream = &mut streams.seats[seat];
    let action = record.position.choose(&agent, rng, &Control::default())?;
    Ok(json!({"action": action.0, "name": record.position.action_name(action.0.into())}))
}

fn analyse(desk: &mut Desk, mut request: Request) -> Answer {
    let record = &mut desk.state(request.number("state")?)?.record;
    let (agent, seed) = (agent(&mut request)?, request.whole("seed")?.unwrap_or(0));
    request.done()?;
    let seat = chooser(record, "analyse")?;
    record.position.analyse(&agent, &mut Streams::new(seed, 0).seats[seat], &Control::default())
}

fn perft(desk: &mut Desk, mut request: Request) -> Answer {
    let position = &desk.state(request.number("state")?)?.record.position;
    let depth = request.whole("depth")?.unwrap_or(1);
    request.done()?;
    if depth > MAX_DEPTH {
        return Err(Error::new(format!("depth got {depth}; it takes 0 to {MAX_DEPTH}")));
    }
    let count = position.perft(depth as u32, &Control::default());
    Ok(json!({"count": count.unwrap_or_default()}))
}

fn session(desk: &mut Desk, mut request: Request) -> Answer {
    let name = request.text("game")?;
    let preset = request.text("preset")?;
    let (entropy, theme) = (request.whole("entropy")?.unwrap_or(0), request.text("theme")?);
    request.done()?;
    let entry = name.map_or_else(|| Ok(&all()[0]), |name| find(&name))?;
    let game = entry.make(preset.as_deref(), "{}").map_err(said)?;
    let theme = theme.unwrap_or_else(|| "light".into());
    let setup = Setup { is_guarded: true, theme, entropy, ..Setup::default() };
    let session = Session::new(game, None, [], None, entropy >> 32, setup)?;
    Ok(json!({"session": desk.hold_session(session)?}))
}

fn command(desk: &mut Desk, mut request: Request) -> Answer {
    let session = desk.session(request.number("session")?)?;
    let command = request.take("command").unwrap_or_default();
    request.done()?;
    let answer = session.carry_out(command.to_string().as_bytes());
    Ok(json!({"answer": answer, "version": session.version()}))
}

fn job(desk: &mut Desk, mut request: Request) -> Answer {
    let session = desk.session(request.number("session")?)?;
    request.done()?;
    Ok(match session.job() {
        None => json!({"job": null}),
        Some((number, task, _)) => json!({"job": number, "task": task.to_json()}),
    })
}

fn found(desk: &mut Desk, mut request: Request) -> Answer {
    let session = desk.session(request.number("session")?)?;
    let (number, failed) = (request.number("job")?, request.text("failed")?);
    let found = request.take("found").unwrap_or_default();
    request.done()?;
    let changed = session.found(number, failed.map_or(Ok(found), Err));
    Ok(json!({"changed": changed, "snapshot": session.snapshot()}))
}
