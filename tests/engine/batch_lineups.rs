//! Batches whose games draw who plays and where they begin: shares, changes under way, streams, threads, snapshots.

use super::batch::{config, lowest, start};
use crate::common::arrays::Arrays;
use crate::common::{preset_cases, short_cases};
use sarai::Player;
use sarai::agents::Agent;
use sarai::api::AnyGame;
use sarai::play::batch::{AnyBatch, Autoreset, BatchConfig, Lineup, Lineups, Seeds, Snapshot};

/// Who plays where the learner has this seat and this agent all others.
fn against(game: &dyn AnyGame, agent: Agent, learner: usize) -> Lineup {
    let mut agents = vec![Some(agent); game.num_players()];
    agents[learner] = None;
    Lineup { agents, learner: Some(Player(learner as u8)) }
}

/// A pool of these agents, with the learner in any seat or in the first.
fn pool(game: &dyn AnyGame, agents: &[(Agent, f64)], any_seat: bool) -> Lineups {
    let seats = if any_seat { game.num_players() } else { 1 };
    Lineups {
        rows: agents
            .iter()
            .flat_map(|(agent, _)| (0..seats).map(move |seat| against(game, agent.clone(), seat)))
            .collect(),
        weights: agents.iter().map(|&(_, weight)| weight).collect(),
        seats,
    }
}

fn both(game: &dyn AnyGame) -> Lineups {
    pool(game, &[(Agent::Greedy, 0.75), (Agent::Random, 0.25)], true)
}

/// So many steps of the lowest legal actions.
fn play(batch: &mut dyn AnyBatch, arrays: &mut Arrays, lanes: usize, steps: usize) {
    for _ in 0..steps {
        let actions = lowest(arrays, lanes);
        batch.step(&actions, arrays.out()).expect("legal actions");
    }
}

#[test]
fn opponents_and_seats_are_drawn_by_their_weights() {
    for case in preset_cases() {
        let game = &*case.game;
        const LANES: usize = 4000;
        let settings = BatchConfig { lineups: both(game), ..config(LANES, Autoreset::NextStep) };
        let (batch, arrays) = start(game, &settings);
        let mut counts = vec![0_i64; settings.lineups.rows.len()];
        for (lineup, viewer) in batch.lineups(false).into_iter().zip(&arrays.current_player) {
            counts[lineup as usize] += 1;
            let learner = settings.lineups.rows[lineup as usize].learner.expect("a learner");
            assert_eq!(learner.0 as i8, *viewer, "{}: the learner is asked", case.label);
        }
        let seats = game.num_players();
        for (lineup, count) in counts.into_iter().enumerate() {
            let share = if lineup < seats { 0.75 } else { 0.25 } / seats as f64;
            let wrong = count - (share * LANES as f64) as i64;
            // Six standard deviations of the largest share.
            assert!(wrong.abs() < 180, "{}: lineup {lineup} is off by {wrong}", case.label);
        }
    }
}

#[test]
fn one_opponent_in_a_pool_changes_no_game() {
    for case in short_cases(60) {
        let game = &*case.game;
        let alone = Lineups::one(against(game, Agent::Random, 0).agents, Some(Player(0)));
        let unlikely = pool(game, &[(Agent::Greedy, 0.0), (Agent::Random, 1.0), (Agent::Greedy, 0.0)], false);
        let settings = BatchConfig { lineups: alone, ..config(5, Autoreset::SameStep) };
        let (mut one, mut arrays) = start(game, &settings);
        let (mut other, mut seen) = start(game, &BatchConfig { lineups: unlikely, ..settings.clone() });
        for _ in 0..100 {
            assert!(arrays == seen, "{}", case.label);
            play(&mut *one, &mut arrays, 5, 1);
            play(&mut *other, &mut seen, 5, 1);
        }
        assert!(other.lineups(false).into_iter().all(|lineup| lineup == 1));
        assert!(one.episodes().into_iter().any(|episode| episode > 0), "{}: a game has ended", case.label);
    }
}

#[test]
fn threads_and_snapshots_change_no_draw() {
    for case in short_cases(40) {
        let game = &*case.game;
        let settings = BatchConfig { lineups: both(game), ..config(300, Autoreset::SameStep) };
        let start_of = |threads| start(game, &BatchConfig { threads, ..settings.clone() });
        let (mut one, mut arrays) = start_of(1);
        let (mut three, mut seen) = start_of(3);
        for batch in [&mut one, &mut three] {
            batch.set_starts(Some(&*game.states(2).expect("two states"))).expect("they go on");
        }
        for part in 0..3 {
            play(&mut *one, &mut arrays, 300, 30);
            play(&mut *three, &mut seen, 300, 30);
            assert!(arrays == seen, "{}: part {part}", case.label);
            for (lane, (lineup, other)) in one.lineups(true).into_iter().zip(three.lineups(true)).enumerate()
            {
                // Of a game that ended earlier nobody asks any more.
                assert!(lineup == other || !arrays.ended(lane), "{}: lane {lane}", case.label);
            }
            let text = serde_json::to_string(&one.snapshot()).expect("plain data");
            let snapshot: Snapshot = serde_json::from_str(&text).expect("what was written");
            three = game.batch(&settings, Some(&snapshot)).expect("the same settings");
            three.set_starts(Some(&*game.states(2).expect("two states"))).expect("they go on");
            assert_eq!(three.snapshot(), one.snapshot());
            assert!(one.lineups(false) == three.lineups(false) && one.episodes() == three.episodes());
        }
        let few = BatchConfig { lineups: pool(game, &[(Agent::Greedy, 1.0)], false), ..settings.clone() };
        assert!(
            game.batch(&few, Some(&one.snapshot())).is_err(),
            "{}: a lineup that is not there",
            case.label
        );
    }
}

#[test]
fn opponents_change_with_the_next_game() {
    for case in short_cases(40) {
        let game = &*case.game;
        let settings = BatchConfig {
            lineups: pool(game, &[(Agent::Greedy, 1.0)], false),
            ..config(8, Autoreset::NextStep)
        };
        let (mut batch, mut arrays) = start(game, &settings);
        let (mut same, mut seen) = start(game, &settings);
        play(&mut *batch, &mut arrays, 8, 5);
        play(&mut *same, &mut seen, 8, 5);
        let before = batch.snapshot();
        let mut lineups = pool(game, &[(Agent::Random, 1.0), (Agent::mcts(1), 0.0)], false);
        let missing = batch.set_lineups(&lineups, &[Some(2)]).expect_err("there is no row 2");
        assert!(missing.to_string().contains("lane 0"), "{missing}");
        lineups.rows.push(settings.lineups.rows[0].clone());
        assert!(batch.set_lineups(&lineups, &[]).is_err(), "games under way have no place");
        let other_seat =
            Lineups { rows: vec![against(game, Agent::Greedy, 1)], weights: vec![1.0], seats: 1 };
        assert!(batch.set_lineups(&other_seat, &[Some(0)]).is_err(), "the learner sits elsewhere");
        for weights in [vec![0.0, 0.0], vec![-1.0, 2.0], vec![f64::NAN, 1.0], vec![1.0; 4], vec![]] {
            assert!(batch.set_lineups(&Lineups { weights, ..lineups.clone() }, &[Some(2)]).is_err());
        }
        assert_eq!(batch.snapshot(), before, "refusals change nothing");
        batch.set_lineups(&lineups, &[Some(2)]).expect("a place for each");
        assert!(batch.is_slow());
        // Each game goes on as it began to its end; the next ones are of the new lineups.
        let mut ended = [false; 8];
        while ended.contains(&false) {
            let of_old: Vec<bool> = batch.lineups(false).into_iter().map(|lineup| lineup == 2).collect();
            for lane in 0..8 {
                assert_eq!(of_old[lane], !ended[lane], "{}: lane {lane}", case.label);
                if !ended[lane] {
                    assert_eq!(arrays.observation(lane), seen.observation(lane));
                    assert_eq!(arrays.rewards(lane), seen.rewards(lane));
                }
            }
            let over: Vec<bool> = (0..8).map(|lane| arrays.ended(lane)).collect();
            play(&mut *batch, &mut arrays, 8, 1);
            play(&mut *same, &mut seen, 8, 1);
            for lane in 0..8 {
                ended[lane] |= over[lane];
            }
        }
    }
}

#[test]
fn games_begin_where_they_are_told_to_until_they_are_told_otherwise() {
    for case in short_cases(40) {
        let game = &*case.game;
        let settings = config(20, Autoreset::SameStep);
        let (mut batch, mut arrays) = start(game, &settings);
        // Where lanes stand after a while are the starts; every later game begins at one of them.
        let (mut played, mut there) = start(game, &settings);
        for step in 0..12 {
            let actions: Vec<i64> = (0..20).map(|lane| there.choose(lane, step)).collect();
            played.step(&actions, there.out()).expect("legal actions");
        }
        let mut starts = game.states(0).expect("none");
        for lane in 0..20 {
            starts.push(&*played.position(lane).expect("a lane")).expect("the same game");
        }
        assert!(batch.set_starts(Some(&*game.states(0).expect("none"))).is_err(), "no states");
        batch.set_starts(Some(&*starts)).expect("nobody has won");
        batch.reset(&Seeds::One(3), None, None, &mut arrays.out()).expect("a reset");
        let known: Vec<&[i8]> = (0..20).map(|lane| there.observation(lane)).collect();
        let mut drawn = vec![false; 20];
        for _ in 0..3 {
            for lane in 0..20 {
                let found = known.iter().position(|cells| *cells == arrays.observation(lane));
                drawn[found.unwrap_or_else(|| panic!("{}: lane {lane} begins elsewhere", case.label))] = true;
            }
            batch.reset(&Seeds::Keep, None, None, &mut arrays.out()).expect("a reset");
        }
        assert!(drawn.iter().filter(|drawn| **drawn).count() > 5, "{}: {drawn:?}", case.label);
        // An autoreset draws as well.
        let mut begun = false;
        for _ in 0..3000 {
            play(&mut *batch, &mut arrays, 20, 1);
            for lane in (0..20).filter(|&lane| arrays.ended(lane)) {
                assert!(known.contains(&arrays.observation(lane)), "{}: lane {lane}", case.label);
                begun = true;
            }
            if begun {
                break;
            }
        }
        assert!(begun, "{}: a game has ended", case.label);
        batch.set_starts(None).expect("the usual start");
        batch.reset(&Seeds::One(11), None, None, &mut arrays.out()).expect("a reset");
        assert_eq!(arrays.observations, start(game, &settings).1.observations, "{}", case.label);
    }
}
