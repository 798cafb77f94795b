//! What is drawn in a rollout: dice, choices and random decisions at the beginning take nothing from one another.

use super::rollout::{check_columns, check_paths, config, joined, kept, played};
use std::collections::BTreeSet;

use crate::common::{Case, preset_cases, short_cases};
use sarai::agents::Agent;
use sarai::play::game_in_play::{MAX_RANDOM_PLIES, Seat};
use sarai::play::run::{Columns, RunConfig};
use sarai::rules::game::Turn;

/// The outcomes of chance of each kept game.
fn dice(case: &Case, columns: &Columns) -> Vec<Vec<u16>> {
    let outcomes = |path: &Vec<u16>| {
        let mut position = case.game.new_position();
        let mut outcomes = Vec::new();
        for &id in path {
            if position.turn() == Turn::Chance {
                outcomes.push(id);
            }
            position.play_any(id as i64).expect("a game that was played");
        }
        outcomes
    };
    columns.paths.values().map(outcomes).collect()
}

#[test]
fn dice_do_not_depend_on_who_plays() {
    for case in short_cases(60) {
        let with = |agent: Agent| {
            let seats = vec![Seat::Inside(agent); case.game.num_players()];
            let settings =
                RunConfig { seats, collect: kept(None, (0..6).collect()), ..config(&*case.game, 6) };
            dice(&case, &played(&case, settings))
        };
        let random = with(Agent::Random);
        for agent in [Agent::Greedy, Agent::mcts(2)] {
            for (game, (one, other)) in random.iter().zip(with(agent.clone())).enumerate() {
                let both = one.len().min(other.len());
                assert_eq!(one[..both], other[..both], "{} game {game}, {agent:?}", case.label);
            }
        }
    }
}

/// The steps of a game up to and with so many decisions, and whether there were as many.
fn opening(case: &Case, path: &[u16], plies: u32) -> (Vec<u16>, bool) {
    let mut position = case.game.new_position();
    let (mut steps, mut decisions) = (Vec::new(), 0);
    for &id in path {
        if decisions == plies {
            break;
        }
        decisions += matches!(position.turn(), Turn::Player(_)) as u32;
        steps.push(id);
        position.play_any(id as i64).expect("a game that was played");
    }
    (steps, decisions == plies)
}

#[test]
fn games_begin_with_the_same_random_decisions_whoever_plays() {
    for case in short_cases(60) {
        let games = 30;
        let with = |seats: Vec<Seat>, random_plies: u32, threads: usize| {
            let keep = (0..games).collect();
            let settings = RunConfig {
                seats,
                random_plies,
                threads,
                collect: kept(None, keep),
                ..config(&*case.game, games as u64)
            };
            played(&case, settings)
        };
        let all = |agent: Agent| vec![Seat::Inside(agent); case.game.num_players()];
        for plies in [1, 5] {
            let greedy = with(all(Agent::Greedy), plies, 1);
            let begins: Vec<_> = greedy.paths.values().map(|path| opening(&case, path, plies)).collect();
            assert!(begins.iter().filter(|(_, whole)| *whole).count() > games / 2, "{}", case.label);
            let differ: BTreeSet<_> = begins.iter().map(|(steps, _)| steps).collect();
            assert!(differ.len() > 2, "{}: {} beginnings of {games} games", case.label, differ.len());
            let mut mixed = all(Agent::Random);
            mixed[0] = Seat::Outside(0);
            for seats in [all(Agent::Random), all(Agent::mcts(2)), mixed] {
                let other = with(seats.clone(), plies, 1);
                assert!(other == with(seats, plies, 2), "{}: two threads", case.label);
                for ((begin, whole), path) in begins.iter().zip(other.paths.values()) {
                    assert_eq!((begin.clone(), *whole), opening(&case, path, plies), "{}", case.label);
                }
            }
        }
        // Past its end no game goes on.
        let long = with(all(Agent::Greedy), MAX_RANDOM_PLIES, 1);
        check_columns(&case, &long, games);
        assert_ne!(long.paths, with(all(Agent::Random), 0, 1).paths, "{}: the same stream", case.label);
    }
}

/// Neither what is kept nor playing two games at a time changes how games begin, nor does it change what comes after.
#[test]
fn random_decisions_at_the_beginning_take_nothing_from_other_streams() {
    for case in preset_cases() {
        let whole = RunConfig { random_plies: 3, ..config(&*case.game, 31) };
        let keep: BTreeSet<usize> = (0..31).collect();
        let mut paths = played(&case, RunConfig { collect: kept(None, keep.clone()), ..whole.clone() });
        check_paths(&case, &paths, &keep);
        let begun = dice(&case, &paths);
        let plain = played(&case, RunConfig { random_plies: 0, collect: kept(None, keep), ..whole.clone() });
        for (one, other) in begun.iter().zip(dice(&case, &plain)) {
            let both = one.len().min(other.len());
            assert_eq!(one[..both], other[..both], "{}: other dice", case.label);
        }
        paths.paths.clear();
        assert_eq!(played(&case, whole.clone()), paths, "{}: two at a time", case.label);
        let left = played(&case, RunConfig { num: 7, ..whole.clone() });
        let right = played(&case, RunConfig { first: 7, num: 24, ..whole });
        assert_eq!(joined(left, right), paths, "{}: the halves are not the whole", case.label);
    }
}
