//! Agents play well: a search that chose the worst move, or learned from negated returns, would fail here. Every seed is
//! fixed, so that each number is the same in every run and on every machine.

mod common;

use common::{Case, pick, preset_cases};
use sarai::agents::Agent;
use sarai::agents::rng::Stream;
use sarai::base::control::Control;
use sarai::erased::{AnyGame, AnyPosition};
use sarai::play::game_in_play::Seat;
use sarai::play::rollout::RolloutConfig;
use sarai::{Player, Turn};

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
fn a_search_takes_a_win_in_one() {
    let mut met = 0;
    for case in preset_cases() {
        let positions = wins_in_one(&case, 6);
        for (number, (position, mover)) in positions.iter().enumerate() {
            met += 1;
            let mut position = position.boxed();
            let mut rng = Stream::new(3, number as u64);
            let before = position.text();
            // Where a turn has several actions, it may win by another order of them.
            while position.turn() == Turn::Player(*mover) {
                let agent = Agent::Mcts { simulations: 400 };
                let action = position.choose(agent, &mut rng, &Control::default()).expect("a choice");
                position.play_any(action.0 as i64).expect("a legal action");
            }
            let won = position.turn() == Turn::Over && position.winner() == Some(case.game.side(*mover));
            assert!(won, "{}: {before}\nbecame {}", case.label, position.text());
        }
    }
    assert!(met >= 6, "{met} positions are too few to tell");
}

/// How much more often the first seat's side wins than it loses, when an agent plays for it and another against it.
fn margin(case: &Case, one: Agent, other: Agent, num_games: u64) -> f64 {
    let game = &*case.game;
    let side = game.side(Player(0));
    let seat = |seat: usize| Seat::Inside(if game.side(Player(seat as u8)) == side { one } else { other });
    let config = RolloutConfig {
        num_games,
        first_game: 0,
        seed: 26,
        seats: (0..game.num_players()).map(seat).collect(),
        threads: 1,
        record: None,
        keep: Default::default(),
    };
    let mut rollout = game.rollout(config).expect("a rollout");
    assert_eq!(rollout.advance(&Control::default()), Ok(true));
    let winners = rollout.into_columns().winner;
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
        let margin = margin(&case, Agent::Mcts { simulations: 30 }, Agent::Random, 40);
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
