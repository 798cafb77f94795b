//! Batches with a learner, agents inside and policies that are asked: ends, illegal actions, and steps that end midway.

use super::batch::{config, lowest, start};
use crate::common::arrays::Arrays;
use crate::common::{preset_cases, short_cases};
use sarai::Player;
use sarai::Turn;
use sarai::agents::Agent;
use sarai::agents::rng::Stream;
use sarai::api::AnyGame;
use sarai::base::control::Control;
use sarai::base::error::Error;
use sarai::play::batch::{AnyBatch, Autoreset, BatchConfig, IllegalActions, Lineups, Seeds};
use sarai::play::states::TERMINAL;

/// A batch of one lane in which these play.
fn cast(agents: Vec<Option<Agent>>, learner: Option<Player>) -> BatchConfig {
    BatchConfig { lineups: Lineups::one(agents, learner), ..config(1, Autoreset::Disabled) }
}

/// A batch in which the caller plays `learner` and agents of the engine every other seat.
fn learning(game: &dyn AnyGame, learner: usize, agent: Agent, autoreset: Autoreset) -> BatchConfig {
    let mut agents = vec![Some(agent); game.num_players()];
    agents[learner] = None;
    let lineups = Lineups::one(agents, Some(Player(learner as u8)));
    BatchConfig { lineups, ..config(6, autoreset) }
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
                batch.step(&actions, arrays.out()).expect("legal actions");
                assert!(!arrays.illegal.contains(&true));
            }
            assert!(ended > 6, "{}: {ended} games ended", case.label);
        }
    }
}

/// What the greedy agent answers where policies are asked.
fn greedy(batch: &dyn AnyBatch) -> Vec<i64> {
    let states = batch.asked_states();
    let choose = |row| {
        let position = states.position(row).expect("a lane that waits");
        let action = position.choose(&Agent::Greedy, &mut Stream::new(0, 0), &Control::default());
        action.map_or(-1, |action| action.0 as i64)
    };
    (0..states.len()).map(choose).collect()
}

/// Answers until the step or reset is through.
fn settle(batch: &mut dyn AnyBatch, arrays: &mut Arrays, mut asks: bool) {
    while asks {
        let answers = greedy(batch);
        asks = batch.answer(&answers, arrays.out()).expect("what the agent chose is legal");
    }
}

/// The same batch with every seat a policy's that an agent inside has.
fn outside(inside: &BatchConfig) -> BatchConfig {
    BatchConfig { lineups: Lineups::one(Vec::new(), inside.lineups.rows[0].learner), ..inside.clone() }
}

#[test]
fn a_learner_meets_the_same_games_whoever_plays_the_opponents() {
    // The greedy agent draws nothing, so whether it plays inside or the caller is asked, the streams agree.
    for (number, case) in short_cases(30).into_iter().enumerate() {
        let game = &*case.game;
        for autoreset in [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled] {
            let learner = number % game.num_players();
            let inside = BatchConfig {
                max_episode_steps: Some(7),
                illegal: IllegalActions::Terminate,
                counts: true,
                ..learning(game, learner, Agent::Greedy, autoreset)
            };
            let (mut one, mut seen) = start(game, &inside);
            let mut other =
                game.batch(&BatchConfig { threads: 3, ..outside(&inside) }, None).expect("a batch");
            let mut told = seen.clone();
            let asks = other.reset(&Seeds::Keep, None, None, &mut told.out()).expect("a reset");
            settle(&mut *other, &mut told, asks);
            for step in 0..60 {
                assert_eq!(seen, told, "{}: {autoreset:?}, step {step}", case.label);
                assert_eq!(one.snapshot(), other.snapshot());
                for last in [false, true] {
                    assert!(
                        one.counts(last).eq(other.counts(last)) && one.lineups(last) == other.lineups(last)
                    );
                }
                let ended: Vec<bool> = (0..6).map(|lane| step > 0 && seen.ended(lane)).collect();
                if autoreset == Autoreset::Disabled && ended.contains(&true) {
                    one.reset(&Seeds::Keep, Some(&ended), None, &mut seen.out()).expect("a reset");
                    let asks =
                        other.reset(&Seeds::Keep, Some(&ended), None, &mut told.out()).expect("a reset");
                    settle(&mut *other, &mut told, asks);
                }
                let mut actions = lowest(&seen, 6);
                if step % 11 == 10 {
                    actions[step % 6] = -1;
                }
                one.step(&actions, seen.out()).expect("nothing is refused");
                let asks = other.step(&actions, told.out()).expect("nor here");
                settle(&mut *other, &mut told, asks);
            }
        }
    }
}

#[test]
fn a_game_that_is_over_before_the_learner_chose_is_no_episode() {
    for case in short_cases(30) {
        let game = &*case.game;
        // Where the caller wins at once in one lane of many, the opponent has one move to the end of the game.
        let (mut batch, mut arrays) = start(game, &config(64, Autoreset::Disabled));
        let mut before = game.states(0).expect("none");
        for step in 0.. {
            let was: Vec<_> = (0..64).map(|lane| batch.position(lane).expect("a lane")).collect();
            let actions: Vec<i64> = (0..64).map(|lane| arrays.choose(lane, step)).collect();
            batch.step(&actions, arrays.out()).expect("legal actions");
            if let Some(lane) = (0..64).find(|&lane| arrays.terminated[lane]) {
                before.push(&*was[lane]).expect("the same game");
                break;
            }
        }
        let position = before.position(0).expect("one");
        let Turn::Player(mover) = position.turn() else { panic!("a player has moved") };
        let learner = mover.next(game.num_players());
        let inside = learning(game, learner.index(), Agent::Greedy, Autoreset::SameStep);
        let mut batch = game.batch(&outside(&inside), None).expect("a batch");
        let mut arrays = Arrays::new(game, 6);
        let mut asks = batch.reset(&Seeds::Keep, None, Some(&*before), &mut arrays.out()).expect("a reset");
        assert!(asks, "{}: the opponent is to move", case.label);
        // What ends the game, again and again, until the engine has seen enough of it.
        let mut rounds = 0;
        let ends = (0..game.num_actions() as i64).find(|&action| {
            let mut position = before.position(0).expect("one");
            position.play_any(action).is_ok() && position.turn() == Turn::Over
        });
        let Some(ends) = ends else { continue };
        let refused = loop {
            assert!(asks && rounds <= 1000, "{}: round {rounds}", case.label);
            assert!(batch.asked().iter().all(|asked| asked.episode == rounds && asked.player == mover));
            match batch.answer(&[ends; 6], arrays.out()) {
                Ok(again) => asks = again,
                Err(error) => break error,
            }
            rounds += 1;
        };
        assert!(refused.to_string().contains("before the first decision"), "{refused}");
        assert_eq!((rounds, batch.ready()), (999, Err(Error::Interrupted)));
        let asks = batch.reset(&Seeds::Keep, None, None, &mut arrays.out()).expect("the usual start");
        settle(&mut *batch, &mut arrays, asks);
        assert_eq!(batch.ready(), Ok(()));
    }
}

#[test]
fn a_wrong_answer_changes_nothing_and_the_question_stands() {
    for case in short_cases(40) {
        let game = &*case.game;
        let settings = outside(&learning(game, 0, Agent::Greedy, Autoreset::NextStep));
        let mut batch = game.batch(&settings, None).expect("a batch");
        let mut arrays = Arrays::new(game, 6);
        let mut asks = batch.reset(&Seeds::Keep, None, None, &mut arrays.out()).expect("a reset");
        while !asks {
            assert!(batch.asked().is_empty() && batch.answer(&[], arrays.out()).is_err());
            asks = batch.step(&lowest(&arrays, 6), arrays.out()).expect("legal actions");
        }
        let (before, asked, answers) = (batch.snapshot(), batch.asked(), greedy(&*batch));
        let n = asked.len();
        let mut observations = vec![0; n * game.observation_len()];
        let mut masks = vec![0; n * game.num_actions()];
        batch.ask(&mut observations, &mut masks);
        for (row, asked) in asked.iter().enumerate() {
            let position = batch.position(asked.lane).expect("a lane");
            let mut cells = vec![0; game.observation_len()];
            position.observe(asked.player, &mut cells);
            assert_eq!(observations[row * cells.len()..][..cells.len()], cells);
            assert_eq!(position.turn(), Turn::Player(asked.player));
            assert_eq!(masks[row * game.num_actions() + answers[row] as usize], 1);
        }
        for wrong in [-1, 255, 256, i64::MAX] {
            let mut given = answers.clone();
            given[n - 1] = wrong;
            let error = batch.answer(&given, arrays.out()).expect_err("no action");
            let sentence = format!("lane {}: action {wrong} is not legal here", asked[n - 1].lane);
            assert!(error.to_string().starts_with(&sentence), "{error}");
        }
        assert!(batch.answer(&vec![0; n + 1], arrays.out()).is_err());
        assert_eq!(batch.step(&[0; 6], arrays.out()), Err(Error::Interrupted), "somebody is asked");
        assert_eq!((batch.snapshot(), batch.asked()), (before, asked), "{}", case.label);
        settle(&mut *batch, &mut arrays, true);
        assert_eq!(batch.ready(), Ok(()));
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
            batch.step(&actions, arrays.out()).expect("nothing is refused");
            assert_eq!(arrays.illegal, [false, true, false], "{}", case.label);
            if illegal == IllegalActions::Terminate {
                assert!(arrays.terminated[1] && !arrays.truncated[1] && arrays.current_player[1] == TERMINAL);
                let expected: Vec<f32> =
                    (0..game.num_players()).map(|seat| if seat == mover { -1.0 } else { 0.0 }).collect();
                assert_eq!(arrays.rewards(1), expected);
                batch.step(&lowest(&arrays, 3), arrays.out()).expect("a new game begins");
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
            lineups: Lineups::one(
                learning(game, 0, Agent::Random, Autoreset::Disabled).lineups.rows[0].agents.clone(),
                Some(Player(1)),
            ),
            ..config(1, Autoreset::Disabled)
        };
        let absent = cast(Vec::new(), Some(Player(players as u8)));
        for settings in [all, short, taken, absent] {
            assert!(game.batch(&settings, None).is_err(), "{}: {settings:?}", case.label);
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
            batch.step(&lowest(&arrays, 3000), arrays.out()).expect("legal actions");
            let (before, seen) = (batch.snapshot(), arrays.clone());
            for (wrong, named) in [(&[0][..], 0), (&[1700, 2999, 1600], 1600), (&[2999], 2999)] {
                let mut actions = lowest(&arrays, 3000);
                wrong.iter().for_each(|&lane| actions[lane] = -1);
                let error = batch.step(&actions, arrays.out()).expect_err("-1 is no action");
                assert!(error.to_string().contains(&format!("lane {named}:")), "{}: {error}", case.label);
                assert_eq!(batch.snapshot(), before, "{}", case.label);
                assert_eq!(arrays, seen, "{}", case.label);
            }
        }
    }
}

#[test]
fn a_step_that_is_cancelled_leaves_a_batch_that_takes_only_a_reset() {
    for case in short_cases(60) {
        let game = &*case.game;
        let control = std::sync::Arc::new(Control::default());
        let settings = BatchConfig {
            control: control.clone(),
            ..learning(game, 0, Agent::mcts(2), Autoreset::NextStep)
        };
        let (mut batch, mut arrays) = start(game, &settings);
        let cancel = |yes| control.cancel.store(yes, std::sync::atomic::Ordering::Relaxed);
        let actions = lowest(&arrays, settings.num_lanes);
        cancel(true);
        assert_eq!(batch.step(&actions, arrays.out()), Err(Error::Cancelled), "{}", case.label);
        cancel(false);
        let some = vec![true; settings.num_lanes];
        for _ in 0..2 {
            assert_eq!(batch.ready(), Err(Error::Interrupted));
            assert_eq!(batch.step(&actions, arrays.out()), Err(Error::Interrupted));
            let reset = batch.reset(&Seeds::Keep, Some(&some), None, &mut arrays.out());
            assert_eq!(reset, Err(Error::Interrupted), "a reset of some lanes mends nothing");
            cancel(true);
            assert_eq!(batch.reset(&Seeds::One(5), None, None, &mut arrays.out()), Err(Error::Cancelled));
            cancel(false);
        }
        let seeds = Seeds::One(settings.seed);
        assert_eq!(batch.reset(&seeds, None, None, &mut arrays.out()), Ok(false));
        assert_eq!(batch.snapshot(), start(game, &settings).0.snapshot(), "{}", case.label);
        assert_eq!(batch.step(&lowest(&arrays, settings.num_lanes), arrays.out()), Ok(false));
    }
}

#[test]
fn a_snapshot_waits_for_no_agent_and_begins_no_game() {
    for case in preset_cases() {
        let game = &*case.game;
        let alone = config(3, Autoreset::NextStep);
        let (mut moved, mut arrays) = start(game, &alone);
        // Until some lane waits for another seat than the first.
        for step in 0.. {
            if arrays.current_player.iter().any(|&player| player > 0) {
                break;
            }
            let actions: Vec<i64> = (0..3).map(|lane| arrays.choose(lane, step)).collect();
            moved.step(&actions, arrays.out()).expect("legal actions");
        }
        let settings = BatchConfig { num_lanes: 3, ..learning(game, 0, Agent::Greedy, Autoreset::NextStep) };
        let refused = game.batch(&settings, Some(&moved.snapshot())).expect_err("a lane waits for an agent");
        assert!(refused.to_string().contains("waits for player"), "{refused}");
        let again = game.batch(&alone, Some(&moved.snapshot())).expect("the same settings");
        assert_eq!(again.snapshot(), moved.snapshot());
    }
}
