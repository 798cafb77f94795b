//! Agents play well: a search that chose the worst move, or learned from negated returns, would fail here. Every seed is
//! fixed, so that each number is the same in every run and on every machine.
//!
//! Endings and a tiny rule book are counted out, so that it is known what to play. Winning against weaker agents alone
//! says little: a search without curiosity, or one that takes its opponents for friends, does that as well.

use std::collections::HashSet;

use crate::common::exact::ExactValue;
use crate::common::{Case, pick, playable, preset_cases};
use sarai::agents::Agent;
use sarai::agents::rng::Stream;
use sarai::api::AnyGame;
use sarai::api::registry;
use sarai::base::control::Control;
use sarai::play::game_in_play::Seat;
use sarai::play::position::AnyPosition;
use sarai::play::run::RunConfig;
use sarai::{Player, Turn};
use serde_json::json;

/// What an agent chooses here, on the stream of this number.
fn choose(position: &dyn AnyPosition, agent: &Agent, stream: u64) -> i64 {
    let chosen = position.choose(agent, &mut Stream::new(3, stream), &Control::default());
    chosen.expect("it is a player's turn").0 as i64
}

/// Whether the mover wins at once by this action.
fn wins(game: &dyn AnyGame, position: &dyn AnyPosition, mover: Player, id: i64) -> bool {
    let mut after = position.boxed();
    after.play_any(id).expect("a legal action");
    after.turn() == Turn::Over && after.winner() == Some(game.side(mover))
}

/// Positions of random games in which somebody can win at once, and can also fail to. Races have none: whoever can bear
/// the last piece off has no other choice.
fn wins_in_one(case: &Case, wanted: usize) -> Vec<(Box<dyn AnyPosition>, Player)> {
    let game = &*case.game;
    let mut found = Vec::new();
    let mut rng = Stream::new(7, 0);
    for _ in 0..400 {
        let mut path = Vec::new();
        let mut position = game.new_position();
        while let Some(id) = pick(&*position, &mut rng) {
            path.push(position.boxed());
            position.play_any(id).expect("a legal action");
        }
        for position in path.into_iter().rev().take(12) {
            let Turn::Player(mover) = position.turn() else { continue };
            let legal = position.legal_actions();
            let winning =
                legal.iter().filter(|action| wins(game, &*position, mover, action.0 as i64)).count();
            if 0 < winning && winning < legal.len() {
                found.push((position, mover));
                break;
            }
        }
        if found.len() == wanted {
            break;
        }
    }
    found
}

#[test]
fn agents_take_a_win_in_one() {
    let mut met = 0;
    for case in preset_cases() {
        let positions = wins_in_one(&case, 6);
        for (number, (position, mover)) in positions.iter().enumerate() {
            met += 1;
            let greedy = choose(&**position, &Agent::Greedy, number as u64);
            assert!(wins(&*case.game, &**position, *mover, greedy), "{}: {}", case.label, position.text());
            let before = position.text();
            for agent in [
                "mcts:400",
                // Too few to find it by chance.
                "mcts:2",
                "mcts:50,priors=greedy,exploration=0.5",
                "mcts:400,solver=false",
                "mcts:400,evaluator=heuristic",
                "mcts:100,playout=greedy",
                "expectimax:1",
                "expectimax:2",
                "alphabeta:1",
                "alphabeta:5",
            ] {
                if agent.starts_with("alphabeta") && case.game.name() != "shah" {
                    continue;
                }
                let mut position = position.boxed();
                let mut rng = Stream::new(3, number as u64);
                // Where a turn has several actions, it may win by another order of them.
                while position.turn() == Turn::Player(*mover) {
                    let agent: Agent = agent.parse().expect("an agent");
                    let action = position.choose(&agent, &mut rng, &Control::default()).expect("a choice");
                    position.play_any(action.0 as i64).expect("a legal action");
                }
                let won = position.turn() == Turn::Over && position.winner() == Some(case.game.side(*mover));
                assert!(won, "{agent}, {}: {before}\nbecame {}", case.label, position.text());
            }
        }
    }
    assert!(met >= 6, "{met} positions are too few to tell");
}

/// Whether this action ends the turn, and who moves then can win in one of its own.
fn is_answered_by_a_win(game: &dyn AnyGame, position: &dyn AnyPosition, id: i64) -> bool {
    let mut after = position.boxed();
    after.play_any(id).expect("a legal action");
    let (Turn::Player(now), Turn::Player(next)) = (position.turn(), after.turn()) else { return false };
    next != now && wins_in_turn(game, &*after, next)
}

/// Whether a player can win before another is to act or chance is due.
fn wins_in_turn(game: &dyn AnyGame, position: &dyn AnyPosition, mover: Player) -> bool {
    position.turn() == Turn::Player(mover)
        && position.legal_actions().into_iter().any(|action| {
            let mut after = position.boxed();
            after.play_any(action.0 as i64).expect("a legal action");
            wins(game, position, mover, action.0 as i64) || wins_in_turn(game, &*after, mover)
        })
}

#[test]
fn agents_avoid_a_loss_in_one() {
    let mut met = 0;
    for case in preset_cases() {
        let game = &*case.game;
        let mut rng = Stream::new(8, 0);
        for number in 0..60 {
            let mut path = Vec::new();
            let mut position = game.new_position();
            while let Some(id) = pick(&*position, &mut rng) {
                path.push(position.boxed());
                position.play_any(id).expect("a legal action");
            }
            for position in path.into_iter().rev().take(6) {
                let Turn::Player(mover) = position.turn() else { continue };
                let legal: Vec<i64> = position.legal_actions().into_iter().map(|a| a.0 as i64).collect();
                let lost = |&&id: &&i64| is_answered_by_a_win(game, &*position, id);
                let losing = legal.iter().filter(lost).count();
                if losing == 0 || losing == legal.len() || wins_in_turn(game, &*position, mover) {
                    continue;
                }
                met += 1;
                for agent in
                    ["mcts:600", "mcts:600,evaluator=heuristic,priors=greedy", "alphabeta:2", "expectimax:2"]
                {
                    let agent: Agent = agent.parse().expect("an agent");
                    if agent.kind() == "alphabeta" && game.name() != "shah" {
                        continue;
                    }
                    let id = choose(&*position, &agent, number);
                    let loses = is_answered_by_a_win(game, &*position, id);
                    assert!(!loses, "{agent} plays {id}, {}: {}", case.label, position.text());
                }
                break;
            }
        }
    }
    assert!(met >= 10, "{met} positions are too few to tell");
}

#[test]
fn a_search_plays_endings_as_counting_out_does() {
    for line in include_str!("endings.txt").lines().filter(|line| !line.starts_with('#')) {
        let [preset, turns, worst, best, position] =
            line.splitn(5, ' ').collect::<Vec<_>>().try_into().expect("five parts");
        let (name, preset) = preset.split_once('/').expect("a game and a preset");
        let entry = registry::find(name).expect("a registered game");
        let whole = entry.make(Some(preset), "{}").expect("a preset");
        let passed = whole.parse(position).expect("a position").turns_passed();
        let limit = json!({ "max_turns": passed + turns.parse::<u32>().expect("a number") });
        let game = entry.make(Some(preset), &limit.to_string()).expect("valid options");
        let position = game.parse(position).expect("a position");
        let worth = ExactValue::of(&*game, &*position, 4000).expect("few positions");
        let near =
            |counted: f64, written: &str| (counted - written.parse::<f64>().expect("a number")).abs() < 1e-6;
        assert!(near(worth.worst(), worst) && near(worth.best(), best), "counted otherwise: {line}");
        for stream in 0..3 {
            let lost = worth.lost_by(choose(&*position, &Agent::mcts(4000), stream));
            assert!(lost < 1e-9, "{lost} lost: {line}");
        }
        if name == "shah" {
            let lost = worth.lost_by(choose(&*position, &"alphabeta:12".parse().expect("an agent"), 0));
            assert!(lost < 1e-9, "{lost} lost by alphabeta: {line}");
        }
        // Greedy sees one move ahead: far enough in these, but for some of Sho.
        let lost = worth.lost_by(choose(&*position, &Agent::Greedy, 0));
        assert!(name == "sho" || lost < 1e-9, "{lost} lost by greedy: {line}");
    }
}

#[test]
fn a_search_plays_a_tiny_rule_book_as_counting_out_does() {
    searches_as_counting_out(8);
}

#[test]
#[ignore = "nightly"]
fn a_search_plays_every_position_of_a_tiny_rule_book_as_counting_out_does() {
    searches_as_counting_out(1);
}

/// At one position in so many.
fn searches_as_counting_out(every: u64) {
    let options = r#"{"players":2,"num_shells":8,"coins":2,"max_turns":5,"pa_ra":"none"}"#;
    let game = registry::find("sho").expect("a registered game").make(None, options).expect("valid options");
    let mut seen = HashSet::new();
    let mut ahead = vec![game.new_position()];
    let (mut at_stake, mut ends) = (0, 0);
    while let Some(position) = ahead.pop() {
        for id in playable(&*position) {
            let mut after = position.boxed();
            after.play_any(id).expect("what may be played");
            if seen.insert(after.text()) {
                ahead.push(after);
            }
        }
        let Some(worth) = ExactValue::of(&*game, &*position, 20_000) else { continue };
        if worth.best() - worth.worst() > 0.1 {
            at_stake += 1;
            if at_stake % every != 0 {
                continue;
            }
            for agent in ["mcts:2000,solver=false", "mcts:2000"] {
                let agent: Agent = agent.parse().expect("an agent");
                let lost = worth.lost_by(choose(&*position, &agent, at_stake));
                assert!(lost < 0.02, "{}: {lost} lost by {agent}", position.text());
            }
            if position.turns_passed() >= 3 {
                // To the end of the game, with nothing left out.
                let whole = "expectimax:4,filter=1000/1000".parse().expect("an agent");
                let lost = worth.lost_by(choose(&*position, &whole, 0));
                assert!(lost < 1e-9, "{}: {lost} lost by expectimax", position.text());
                ends += 1;
            }
        }
    }
    assert!(at_stake > 1000 && ends > 300 / every, "{at_stake} and {ends} of {} positions", seen.len());
}

/// How much more often the first seat's side wins than it loses, when an agent plays for it and another against it.
fn margin(case: &Case, one: Agent, other: Agent, num_games: u64) -> f64 {
    let game = &*case.game;
    let side = game.side(Player(0));
    let seat = |seat: usize| {
        Seat::Inside(if game.side(Player(seat as u8)) == side { one.clone() } else { other.clone() })
    };
    let seats = (0..game.num_players()).map(seat).collect();
    let mut rollout = game.run(RunConfig::new(seats, num_games, 26)).expect("a rollout");
    assert_eq!(rollout.advance(&Control::default()), Ok(true));
    let winners = rollout.found().into_columns().winner;
    let sides =
        (0..game.num_players()).map(|seat| game.side(Player(seat as u8)).0).max().map_or(1, |last| last + 1);
    let wins = winners.iter().filter(|&&winner| winner == side.0 as i8).count() as f64;
    let losses = winners.iter().filter(|&&winner| winner >= 0 && winner != side.0 as i8).count() as f64;
    // Of several sides the others together would win more often by chance alone.
    (wins - losses / (sides as f64 - 1.0)) / winners.len() as f64
}

#[test]
fn a_search_beats_random_choices() {
    for case in preset_cases() {
        let margin = margin(&case, Agent::mcts(10), Agent::Random, 40);
        assert!(margin > 0.1, "{}: {margin}", case.label);
    }
}

#[test]
#[ignore = "nightly"]
fn a_longer_search_beats_random_choices() {
    for case in preset_cases() {
        // So many games because a small race, such as the skeleton of a new game, is mostly luck.
        let margin = margin(&case, Agent::mcts(30), Agent::Random, 100);
        assert!(margin > 0.2, "{}: {margin}", case.label);
    }
}

#[test]
fn greedy_beats_random_choices() {
    for case in preset_cases() {
        let margin = margin(&case, Agent::Greedy, Agent::Random, 200);
        assert!(margin > 0.25, "{}: {margin}", case.label);
    }
}
