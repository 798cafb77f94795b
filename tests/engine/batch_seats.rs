//! Batches with a learner and agents inside: ends, illegal actions, lanes that stay, and steps that are taken back.

use super::batch::{config, lowest, start};
use crate::common::arrays::Arrays;
use crate::common::{preset_cases, short_cases};
use sarai::Player;
use sarai::agents::Agent;
use sarai::agents::rng::Stream;
use sarai::base::control::Control;
use sarai::erased::AnyGame;
use sarai::play::batch::{Autoreset, BatchConfig, Casts, IllegalActions, Seeds, StepError, TERMINAL};

/// A batch of one lane in which these play.
fn cast(agents: Vec<Option<Agent>>, learner: Option<Player>) -> BatchConfig {
    BatchConfig { casts: Casts::one(agents, learner), ..config(1, Autoreset::Disabled) }
}

/// A batch in which the caller plays `learner` and agents of the engine every other seat.
fn learning(game: &dyn AnyGame, learner: usize, agent: Agent, autoreset: Autoreset) -> BatchConfig {
    let mut agents = vec![Some(agent); game.num_players()];
    agents[learner] = None;
    let casts = Casts::one(agents, Some(Player(learner as u8)));
    BatchConfig { casts, ..config(6, autoreset) }
}

#[test]
fn agents_inside_play_their_seats_and_the_learner_sees_every_end() {
    for case in short_cases(40) {
        let game = &*case.game;
        for learner in 0..game.num_players() {
            let settings = learning(game, learner, Agent::Random, Autoreset::NextStep);
            let (mut batch, mut arrays) = start(game, &settings);
            let mut ended = 0;
            for _ in 0..400 {
                for lane in 0..6 {
                    let over = arrays.terminated[lane] && arrays.current_player[lane] == TERMINAL;
                    assert!(over || arrays.current_player[lane] == learner as i8, "{}", case.label);
                    let mut cells = vec![0; game.observation_len()];
                    let position = batch.position(lane).expect("a lane");
                    position.observe(Player(learner as u8), &mut cells);
                    assert_eq!(arrays.observation(lane), cells, "{}: seen by the learner", case.label);
                    if over {
                        ended += 1;
                        let returns = position.returns();
                        let returns: Vec<f32> =
                            returns.as_slice().iter().map(|&score| score as f32).collect();
                        assert_eq!(arrays.rewards(lane), returns);
                    }
                }
                let actions = lowest(&arrays, 6);
                batch.step(&actions, None, arrays.out()).expect("legal actions");
                assert!(!arrays.illegal.contains(&true));
            }
            assert!(ended > 6, "{}: {ended} games ended", case.label);
        }
    }
}

#[test]
fn a_learner_meets_the_same_games_whoever_calls_the_opponents() {
    // The greedy agent draws nothing, so whether the engine or the caller asks it, the streams agree.
    for case in short_cases(30) {
        let game = &*case.game;
        let inside = learning(game, 0, Agent::Greedy, Autoreset::Disabled);
        let outside =
            BatchConfig { casts: Casts::one(Vec::new(), inside.casts.rows[0].learner), ..inside.clone() };
        let ((mut one, mut seen), (mut other, mut told)) = (start(game, &inside), start(game, &outside));
        for step in 0..60 {
            let actions = lowest(&seen, 6);
            let live: Vec<bool> = (0..6).map(|lane| seen.current_player[lane] != TERMINAL).collect();
            // An opponent may have the first move, so the caller answers before the first step too.
            if step > 0 {
                one.step(&actions, Some(&live), seen.out()).expect("legal actions");
                other.step(&actions, Some(&live), told.out()).expect("the same are legal");
            }
            let (mut rewards, mut terminated) = (told.rewards.clone(), told.terminated.clone());
            loop {
                let waiting: Vec<bool> = told.current_player.iter().map(|&player| player > 0).collect();
                if !waiting.contains(&true) {
                    break;
                }
                let greedy = |lane| {
                    let position = other.position(lane).expect("a lane");
                    let action = position.choose(Agent::Greedy, &mut Stream::new(0, 0), &Control::default());
                    action.map_or(0, |action| action.0 as i64)
                };
                let answers: Vec<i64> = (0..6).map(greedy).collect();
                other.step(&answers, Some(&waiting), told.out()).expect("what the agent chose is legal");
                for (all, more) in rewards.iter_mut().zip(&told.rewards) {
                    *all += more;
                }
                for (all, more) in terminated.iter_mut().zip(&told.terminated) {
                    *all |= more;
                }
            }
            assert_eq!(seen.observations, told.observations, "{}", case.label);
            assert_eq!(seen.masks, told.masks);
            assert_eq!((&seen.rewards, &seen.terminated), (&rewards, &terminated));
        }
    }
}

#[test]
fn lanes_that_are_not_stepped_stay() {
    for case in short_cases(40) {
        let game = &*case.game;
        let (mut batch, mut arrays) = start(game, &config(5, Autoreset::Disabled));
        let only = [true, false, true, false, false];
        let before = arrays.clone();
        let mut actions = lowest(&arrays, 5);
        // The actions of the others are not looked at.
        (actions[1], actions[3]) = (-7, i64::MAX);
        batch.step(&actions, Some(&only), arrays.out()).expect("legal where it counts");
        for lane in [1, 3, 4] {
            assert_eq!(arrays.observation(lane), before.observation(lane));
            assert_eq!(arrays.mask(lane), before.mask(lane));
            assert!(arrays.rewards(lane).iter().all(|&reward| reward == 0.0) && !arrays.ended(lane));
        }
        assert_ne!(arrays.observation(0), before.observation(0), "{}", case.label);
    }
}

#[test]
fn an_illegal_action_ends_the_game_or_is_replaced() {
    for case in short_cases(40) {
        let game = &*case.game;
        for (illegal, wrong) in [(IllegalActions::Terminate, -1), (IllegalActions::Random, 70_000)] {
            let settings = BatchConfig { illegal, ..config(3, Autoreset::NextStep) };
            let (mut batch, mut arrays) = start(game, &settings);
            let mover = arrays.current_player[1] as usize;
            let mut actions = lowest(&arrays, 3);
            actions[1] = wrong;
            batch.step(&actions, None, arrays.out()).expect("nothing is refused");
            assert_eq!(arrays.illegal, [false, true, false], "{}", case.label);
            if illegal == IllegalActions::Terminate {
                assert!(arrays.terminated[1] && !arrays.truncated[1] && arrays.current_player[1] == TERMINAL);
                let expected: Vec<f32> =
                    (0..game.num_players()).map(|seat| if seat == mover { -1.0 } else { 0.0 }).collect();
                assert_eq!(arrays.rewards(1), expected);
                batch.step(&lowest(&arrays, 3), None, arrays.out()).expect("a new game begins");
                assert!(!arrays.illegal[1] && arrays.current_player[1] >= 0);
            } else {
                assert!(!arrays.terminated[1], "{}: a first action ends no game", case.label);
            }
        }
    }
}

#[test]
fn seats_that_cannot_be_are_refused() {
    for case in preset_cases() {
        let game = &*case.game;
        let players = game.num_players();
        let all = cast(vec![Some(Agent::Random); players], None);
        let short = cast(vec![None], None);
        let taken = BatchConfig {
            casts: Casts::one(
                learning(game, 0, Agent::Random, Autoreset::Disabled).casts.rows[0].agents.clone(),
                Some(Player(1)),
            ),
            ..config(1, Autoreset::Disabled)
        };
        let absent = cast(Vec::new(), Some(Player(players as u8)));
        for settings in [all, short, taken, absent] {
            assert!(game.batch(&settings).is_err(), "{}: {settings:?}", case.label);
        }
    }
}

#[test]
fn the_last_step_or_reset_can_be_taken_back_once() {
    for case in short_cases(60) {
        let game = &*case.game;
        for agent in [Agent::Random, Agent::Greedy] {
            let settings = BatchConfig {
                illegal: IllegalActions::Random,
                ..learning(game, 0, agent, Autoreset::SameStep)
            };
            let (mut batch, mut arrays) = start(game, &settings);
            assert!(batch.go_back().is_err(), "nothing has been done");
            for step in 0..80 {
                let (before, was) = (batch.snapshot(), batch.serial());
                if step % 7 == 6 {
                    let seeds = if step % 2 == 0 { Seeds::Keep } else { Seeds::One(step) };
                    batch.reset(&seeds, None, &mut arrays.out()).expect("a reset");
                } else {
                    let actions: Vec<i64> = (0..settings.num_lanes)
                        .map(|lane| {
                            if (step as usize + lane).is_multiple_of(5) {
                                -1
                            } else {
                                arrays.choose(lane, step as usize)
                            }
                        })
                        .collect();
                    batch.step(&actions, None, arrays.out()).expect("illegal actions are replaced");
                }
                let after = batch.snapshot();
                assert_eq!(batch.serial(), was + 1);
                if step % 3 == 0 {
                    batch.go_back().expect("a step has been done");
                    assert_eq!(
                        (batch.snapshot(), batch.serial()),
                        (before, was),
                        "{} step {step}",
                        case.label
                    );
                    let mut masks = vec![9; arrays.masks.len()];
                    batch.masks(&mut masks);
                    batch.observe(&mut arrays.out());
                    assert_eq!(masks, arrays.masks);
                    let again = batch.go_back().expect_err("it was taken back");
                    assert!(again.to_string().contains("only the last one"), "{again}");
                } else {
                    assert_ne!(after, before, "{} step {step}", case.label);
                }
            }
        }
    }
}

#[test]
fn a_step_is_taken_back_whatever_came_before_it() {
    for case in short_cases(30) {
        let game = &*case.game;
        let alone = BatchConfig { counts: true, ..config(6, Autoreset::NextStep) };
        let replaced = BatchConfig {
            illegal: IllegalActions::Random,
            counts: true,
            ..learning(game, 0, Agent::Random, Autoreset::SameStep)
        };
        let ended = BatchConfig {
            illegal: IllegalActions::Terminate,
            max_episode_steps: Some(9),
            threads: 2,
            ..config(6, Autoreset::NextStep)
        };
        let searching = learning(game, 0, Agent::mcts(2), Autoreset::NextStep);
        for settings in [alone, replaced, ended, searching] {
            let (mut batch, mut arrays) = start(game, &settings);
            // Later games begin in one of these, drawn for each lane.
            let (mut played, mut there) = start(game, &settings);
            played.step(&lowest(&there, 6), None, there.out()).expect("legal actions");
            let mut starts = game.states(0).expect("none");
            for lane in (0..6).filter(|&lane| !there.ended(lane)) {
                starts.push(&*played.position(lane).expect("a lane")).expect("the same game");
            }
            batch.set_starts(Some(&*starts)).expect("nobody has won");
            for step in 0..80 {
                let (before, was) = (batch.snapshot(), arrays.clone());
                let mut actions: Vec<i64> = (0..6).map(|lane| arrays.choose(lane, step)).collect();
                let wrong = [-1, 192, 255, 256, i64::MIN][step % 5];
                // A lane that has ended takes any number.
                if settings.illegal == IllegalActions::Raise && arrays.mask(4).contains(&0) {
                    let mut refused = actions.clone();
                    refused[4] = wrong;
                    let error = batch.step(&refused, None, arrays.out()).expect_err("no action");
                    let sentence = format!("lane 4: action {wrong} is not legal here");
                    assert!(error.to_string().starts_with(&sentence), "{error}");
                    assert_eq!((batch.snapshot(), &arrays), (before.clone(), &was));
                } else if settings.illegal != IllegalActions::Raise && step % 3 == 0 {
                    actions[step % 6] = wrong;
                }
                let only: Vec<bool> = (0..6).map(|lane| (lane + step) % 3 > 0).collect();
                let only = (step == 20).then_some(&only[..]);
                if step == 45 {
                    batch.reset(&Seeds::Keep, None, &mut arrays.out()).expect("a reset");
                    continue;
                }
                batch.step(&actions, only, arrays.out()).expect("legal actions");
                let mut back = batch.copy().expect("there is memory");
                back.go_back().expect("a step has been made");
                assert_eq!(back.snapshot(), before, "{} step {step}", case.label);
                let mut again = was.clone();
                back.step(&actions, only, again.out()).expect("the same actions");
                assert_eq!(again, arrays, "{} step {step}", case.label);
                assert_eq!(back.snapshot(), batch.snapshot(), "{} step {step}", case.label);
                if step == 36 {
                    batch.go_back().expect("a step has been made");
                    assert_eq!(batch.snapshot(), before);
                    arrays = was;
                }
            }
        }
    }
}

#[test]
fn a_step_that_is_refused_changes_nothing_on_any_number_of_threads() {
    for case in short_cases(60) {
        let game = &*case.game;
        for threads in [1, 2, 5] {
            let settings = BatchConfig { threads, ..config(3000, Autoreset::NextStep) };
            let (mut batch, mut arrays) = start(game, &settings);
            let first = batch.snapshot();
            batch.step(&lowest(&arrays, 3000), None, arrays.out()).expect("legal actions");
            let (before, serial, seen) = (batch.snapshot(), batch.serial(), arrays.clone());
            for (wrong, named) in [(&[0][..], 0), (&[1700, 2999, 1600], 1600), (&[2999], 2999)] {
                let mut actions = lowest(&arrays, 3000);
                wrong.iter().for_each(|&lane| actions[lane] = -1);
                let error = batch.step(&actions, None, arrays.out()).expect_err("-1 is no action");
                assert!(error.to_string().contains(&format!("lane {named}:")), "{}: {error}", case.label);
                assert_eq!((batch.snapshot(), batch.serial()), (before.clone(), serial), "{}", case.label);
                assert_eq!(arrays, seen, "{}", case.label);
                // Lanes that stay need no action.
                let only: Vec<bool> = actions.iter().map(|&action| action >= 0).collect();
                batch.step(&actions, Some(&only), arrays.out()).expect("legal actions");
                batch.go_back().expect("a step has been done");
                batch.observe(&mut arrays.out());
                assert_eq!(batch.snapshot(), before, "{}", case.label);
                arrays = seen.clone();
            }
            // The step before those that were refused can still be taken back.
            let (mut batch, mut arrays) = start(game, &settings);
            batch.step(&lowest(&arrays, 3000), None, arrays.out()).expect("legal actions");
            let error = batch.step(&[-1; 3000], None, arrays.out()).expect_err("-1 is no action");
            assert!(error.to_string().contains("lane 0:"), "{}: {error}", case.label);
            batch.go_back().expect("a step has been done");
            assert_eq!(batch.snapshot(), first, "{}", case.label);
        }
    }
}

#[test]
fn a_lane_that_fails_takes_every_lane_back() {
    for case in short_cases(60) {
        let game = &*case.game;
        let control = std::sync::Arc::new(Control::default());
        let settings = BatchConfig {
            control: control.clone(),
            ..learning(game, 0, Agent::mcts(2), Autoreset::NextStep)
        };
        let (mut batch, mut arrays) = start(game, &settings);
        let before = batch.snapshot();
        control.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        let actions = lowest(&arrays, settings.num_lanes);
        assert_eq!(batch.step(&actions, None, arrays.out()), Err(StepError::Cancelled), "{}", case.label);
        assert_eq!((batch.snapshot(), batch.serial()), (before.clone(), 0));
        assert_eq!(batch.reset(&Seeds::One(5), None, &mut arrays.out()), Err(StepError::Cancelled));
        assert_eq!(batch.snapshot(), before);
        assert!(matches!(game.batch(&settings), Err(StepError::Cancelled)));
        control.cancel.store(false, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(batch.step(&actions, None, arrays.out()), Ok(()));
    }
}

#[test]
fn a_snapshot_waits_for_no_agent_and_begins_no_game() {
    for case in preset_cases() {
        let game = &*case.game;
        let alone = config(3, Autoreset::NextStep);
        let (batch, _) = start(game, &alone);
        let mut moved = batch.copy().expect("there is memory");
        let mut arrays = Arrays::new(game, 3);
        moved.observe(&mut arrays.out());
        // Until some lane waits for another seat than the first.
        for step in 0.. {
            if arrays.current_player.iter().any(|&player| player > 0) {
                break;
            }
            let actions: Vec<i64> = (0..3).map(|lane| arrays.choose(lane, step)).collect();
            moved.step(&actions, None, arrays.out()).expect("legal actions");
        }
        let settings = BatchConfig { num_lanes: 3, ..learning(game, 0, Agent::Greedy, Autoreset::NextStep) };
        let (mut other, _) = start(game, &settings);
        let before = other.snapshot();
        let refused = other.restore(&moved.snapshot()).expect_err("a lane waits for an agent");
        assert!(refused.to_string().contains("waits for player"), "{refused}");
        assert_eq!(other.snapshot(), before);
        let again = game.batch_from(&alone, &moved.snapshot()).expect("the same settings");
        assert_eq!(again.snapshot(), moved.snapshot());
        assert!(game.batch_from(&settings, &moved.snapshot()).is_err());
    }
}
