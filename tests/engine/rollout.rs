//! Rollouts of every registered game: splits, threads, agents inside and outside, cancelling, limits.

use sarai::base::error::Error;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::thread;

use crate::common::{Case, preset_cases, short_cases};
use sarai::agents::Agent;
use sarai::api::AnyGame;
use sarai::base::control::Control;
use sarai::play::game_in_play::{MAX_RANDOM_PLIES, Seat};
use sarai::play::run::{Collect, Columns, MAX_GAMES, Run, RunConfig, Spent, Steps};
use sarai::rules::game::Turn;
use sarai::{Player, Side};

pub fn config(game: &dyn AnyGame, num_games: u64) -> RunConfig {
    RunConfig::new(vec![Seat::Inside(Agent::Random); game.num_players()], num_games, 3)
}

/// Columns with so many decisions at most, if any, and the paths of these games.
pub fn kept(record: Option<u64>, keep: BTreeSet<usize>) -> Collect {
    Collect::Columns { record, keep, timed: false }
}

/// Answers for outside agent 0 with the lowest legal action, for every other with the highest.
fn answer(game: &dyn AnyGame, rollout: &mut dyn Run, agent: usize) {
    let (cells, ids) = (game.observation_len(), game.num_actions());
    let rows = rollout.questions(agent);
    let (mut observations, mut masks) = (vec![i8::MIN; rows * cells], vec![i8::MIN; rows * ids]);
    rollout.ask(agent, &mut observations, &mut masks);
    assert!(!observations.contains(&i8::MIN), "every cell is written");
    let choose = |mask: &[i8]| {
        assert!(mask.iter().all(|cell| [0, 1].contains(cell)));
        let legal = |cell: &i8| *cell == 1;
        let id = if agent == 0 { mask.iter().position(legal) } else { mask.iter().rposition(legal) };
        id.expect("who is asked has an action") as i64
    };
    let actions: Vec<i64> = masks.chunks_exact(ids).map(choose).collect();
    rollout.answer(agent, &actions).expect("a legal action for each row");
}

pub fn play(game: &dyn AnyGame, config: RunConfig) -> Result<Columns, Error> {
    let mut rollout = game.run(config.clone())?;
    let control = Control::default();
    while !rollout.advance(&control)? {
        for agent in 0..config.seats.len() {
            answer(game, &mut *rollout, agent);
        }
    }
    assert_eq!(control.done.load(Ordering::Relaxed), config.num);
    Ok(rollout.found().into_columns())
}

pub fn played(case: &Case, config: RunConfig) -> Columns {
    play(&*case.game, config).unwrap_or_else(|error| panic!("{}: {error:?}", case.label))
}

/// Two rollouts, one after the other, as one.
pub fn joined(mut one: Columns, other: Columns) -> Columns {
    let rows = one.winner.len();
    one.paths.extend(other.paths.into_iter().map(|(row, path)| (row + rows, path)));
    one.returns.extend(other.returns);
    one.winner.extend(other.winner);
    one.lengths.extend(other.lengths);
    one.turns.extend(other.turns);
    one.digests.extend(other.digests);
    for (all, more) in one.statistics.iter_mut().zip(other.statistics) {
        all.extend(more);
    }
    if let (Some(all), Some(more)) = (&mut one.steps, other.steps) {
        let before = all.actions.len() as i64;
        all.observations.extend(more.observations);
        all.masks.extend(more.masks);
        all.actions.extend(more.actions);
        all.players.extend(more.players);
        all.rewards.extend(more.rewards);
        all.finals.extend(more.finals);
        all.offsets.extend(more.offsets[1..].iter().map(|offset| offset + before));
    }
    one
}

/// The columns say the same thing in each of their ways.
pub fn check_columns(case: &Case, columns: &Columns, games: usize) {
    let players = case.game.num_players();
    assert_eq!(columns.returns.len(), games * players);
    assert_eq!((columns.winner.len(), columns.lengths.len(), columns.turns.len()), (games, games, games));
    assert_eq!(columns.statistics.len(), case.game.statistics().len());
    for game in 0..games {
        let returns = &columns.returns[game * players..][..players];
        let winner = columns.winner[game];
        assert!(columns.lengths[game] > 0 && columns.turns[game] > 0);
        for (seat, &score) in returns.iter().enumerate() {
            let side = case.game.side(Player(seat as u8));
            match winner {
                -1 => assert_eq!(score, 0.0, "{}: a draw", case.label),
                _ if side == Side(winner as u8) => assert!(score > 0.0, "{}: {returns:?}", case.label),
                _ => assert!(score < 0.0, "{}: {returns:?}", case.label),
            }
        }
    }
    for column in &columns.statistics {
        assert_eq!(column.len(), games * players);
        assert!(column.iter().all(|&count| count >= 0));
    }
}

/// The decisions agree with the columns, and nobody played what was not legal.
fn check_steps(case: &Case, columns: &Columns, steps: &Steps) {
    let (players, ids) = (case.game.num_players(), case.game.num_actions());
    let decisions = steps.actions.len();
    assert_eq!(steps.observations.len(), decisions * case.game.observation_len());
    assert_eq!(steps.masks.len(), decisions * ids);
    assert_eq!((steps.players.len(), steps.rewards.len()), (decisions, decisions * players));
    assert_eq!(steps.offsets.len(), columns.lengths.len() + 1);
    for (game, ends) in steps.offsets.windows(2).enumerate() {
        assert_eq!(ends[1] - ends[0], columns.lengths[game] as i64);
        let (first, last) = (ends[0] as usize * players, (ends[1] as usize - 1) * players);
        assert!(steps.rewards[first..last].iter().all(|&reward| reward == 0.0), "nothing before the end");
        assert_eq!(steps.rewards[last..][..players], columns.returns[game * players..][..players]);
    }
    for decision in 0..decisions {
        let mask = &steps.masks[decision * ids..][..ids];
        assert!(mask.iter().all(|cell| [0, 1].contains(cell)));
        assert_eq!(mask[steps.actions[decision] as usize], 1, "{}: decision {decision}", case.label);
        assert!((0..players as i8).contains(&steps.players[decision]));
    }
    // The paths lead through the same decisions.
    for (&row, path) in &columns.paths {
        let mut actions = steps.actions[steps.offsets[row] as usize..steps.offsets[row + 1] as usize].iter();
        let mut position = case.game.new_position();
        for &step in path {
            if let Turn::Player(_) = position.turn() {
                assert_eq!(actions.next(), Some(&(step as i32)), "{}: row {row}", case.label);
            }
            position.play_any(step as i64).unwrap_or_else(|error| panic!("{}: {error:?}", case.label));
        }
        assert_eq!(actions.next(), None);
    }
}

/// The paths of just these rows are there, and lead to the ends that the columns tell of.
pub fn check_paths(case: &Case, columns: &Columns, keep: &BTreeSet<usize>) {
    let players = case.game.num_players();
    assert!(columns.paths.keys().eq(keep));
    for (&row, path) in &columns.paths {
        let mut position = case.game.new_position();
        let mut decisions = 0;
        for &step in path {
            decisions += matches!(position.turn(), Turn::Player(_)) as i32;
            position.play_any(step as i64).unwrap_or_else(|error| panic!("{}: {error:?}", case.label));
        }
        assert_eq!((position.turn(), decisions), (Turn::Over, columns.lengths[row]));
        let returns: Vec<f32> = position.returns().as_slice().iter().map(|&score| score as f32).collect();
        assert_eq!(returns, columns.returns[row * players..][..players]);
    }
}

#[test]
fn every_agent_plays_legal_moves_to_the_end() {
    for case in preset_cases() {
        for (agent, games) in [("random", 20), ("greedy", 20), ("mcts:3", 2)] {
            let agent: Agent = agent.parse().expect("an agent");
            let seats = vec![Seat::Inside(agent); case.game.num_players()];
            let keep = BTreeSet::from([0, games as usize - 1]);
            let record = Some(10_000_000);
            let columns = played(
                &case,
                RunConfig { seats, collect: kept(record, keep.clone()), ..config(&*case.game, games) },
            );
            check_columns(&case, &columns, games as usize);
            check_paths(&case, &columns, &keep);
            check_steps(&case, &columns, columns.steps.as_ref().expect("they were asked for"));
        }
    }
}

#[test]
fn halves_threads_and_records_give_the_same_games() {
    for case in preset_cases() {
        let mut seats = vec![Seat::Inside(Agent::Random); case.game.num_players()];
        seats[0] = Seat::Inside(Agent::Greedy);
        for record in [None, Some(1_000_000)] {
            let whole = RunConfig {
                seats: seats.clone(),
                collect: kept(record, BTreeSet::new()),
                ..config(&*case.game, 60)
            };
            let columns = played(&case, whole.clone());
            check_columns(&case, &columns, 60);
            let two = played(&case, RunConfig { threads: 2, ..whole.clone() });
            assert!(two == columns, "{}: two threads play other games than one", case.label);
            let left = played(&case, RunConfig { num: 23, ..whole.clone() });
            let right = played(&case, RunConfig { first: 23, num: 37, ..whole.clone() });
            assert!(joined(left, right) == columns, "{}: the halves are not the whole", case.label);
            let plain = played(&case, RunConfig { collect: kept(None, BTreeSet::new()), ..whole.clone() });
            assert_eq!(plain.returns, columns.returns, "{}: recording changes the games", case.label);
            let other = played(&case, RunConfig { seed: 4, ..whole });
            assert_ne!(other.lengths, columns.lengths, "{}: another seed, the same games", case.label);
        }
    }
}

/// Random games are played two at a time where that is faster; recorded ones and those of an odd number never are.
#[test]
fn random_games_are_the_same_two_at_a_time() {
    for case in preset_cases() {
        let whole = config(&*case.game, 61);
        let paired = played(&case, whole.clone());
        let alone = Columns {
            steps: None,
            ..played(&case, RunConfig { collect: kept(Some(1_000_000), BTreeSet::new()), ..whole.clone() })
        };
        assert_eq!(paired, alone, "{}: recorded", case.label);
        // Beside one whose path is kept a game is played alone.
        let keep = BTreeSet::from([0, 3, 4, 30, 60]);
        let mut paths = played(&case, RunConfig { collect: kept(None, keep.clone()), ..whole.clone() });
        check_paths(&case, &paths, &keep);
        paths.paths.clear();
        assert_eq!(paired, paths, "{}: kept", case.label);
        let singly = (0..61)
            .map(|first_game| played(&case, RunConfig { first: first_game, num: 1, ..whole.clone() }))
            .reduce(joined);
        assert_eq!(Some(&paired), singly.as_ref(), "{}: one by one", case.label);
    }
}

/// Whoever takes the time changes no game, and every choice of every eighth game is timed, but none of its beginning.
#[test]
fn timed_games_are_the_same() {
    for case in preset_cases() {
        let mut seats = vec![Seat::Inside(Agent::Random); case.game.num_players()];
        seats[0] = Seat::Inside(Agent::Greedy);
        let whole = RunConfig { seats, random_plies: 2, ..config(&*case.game, 20) };
        let columns = played(&case, whole.clone());
        assert!(columns.spent.iter().all(|spent| *spent == Spent::default()), "{}", case.label);
        let collect = Collect::Columns { record: None, keep: BTreeSet::new(), timed: true };
        let mut rollout = case.game.run(RunConfig { collect, ..whole }).expect("a rollout");
        assert_eq!(rollout.advance(&Control::default()), Ok(true));
        let mut timed = rollout.found().into_columns();
        let choices: u64 = timed.spent.iter().map(|spent| spent.choices).sum();
        let decisions: i32 = timed.lengths.iter().step_by(8).map(|length| length - 2).sum();
        assert_eq!(choices, decisions as u64, "{}", case.label);
        assert!(timed.spent[..case.game.num_players()].iter().all(|spent| !spent.time.is_zero()));
        timed.spent = columns.spent;
        assert!(timed == columns, "{}: timed games are others", case.label);
    }
}

#[test]
fn outside_agents_play_the_same_in_every_window() {
    for case in short_cases(6) {
        // Agent 0 sits at seat 0, agent 1 at the last; who sits between them plays inside.
        let mut seats = vec![Seat::Inside(Agent::Random); case.game.num_players()];
        seats[0] = Seat::Outside(0);
        *seats.last_mut().expect("seats") = Seat::Outside(1);
        // More games than are under way at a time.
        let whole = RunConfig { seats, ..config(&*case.game, 5000) };
        let columns = played(&case, whole.clone());
        check_columns(&case, &columns, 5000);
        let two = played(&case, RunConfig { threads: 2, ..whole.clone() });
        assert!(two == columns, "{}: two threads play other games than one", case.label);
        let left = played(&case, RunConfig { num: 4500, ..whole.clone() });
        let right = played(&case, RunConfig { first: 4500, num: 500, ..whole.clone() });
        assert!(joined(left, right) == columns, "{}: the halves are not the whole", case.label);
        let keep = BTreeSet::from([0, 17, 4999]);
        let some =
            played(&case, RunConfig { threads: 2, collect: kept(None, keep.clone()), ..whole.clone() });
        check_paths(&case, &some, &keep);
        assert_eq!((&some.returns, &some.statistics), (&columns.returns, &columns.statistics));
        let few = RunConfig { num: 50, collect: kept(Some(1_000_000), BTreeSet::new()), ..whole };
        let recorded = played(&case, few.clone());
        check_steps(&case, &recorded, recorded.steps.as_ref().expect("asked for"));
        assert_eq!(recorded.lengths, columns.lengths[..50]);
        let two = played(&case, RunConfig { threads: 2, ..few });
        assert!(two == recorded, "{}: recorded on two threads", case.label);
    }
}

/// Trees are so large here that few games may be under way while they wait for whoever is outside.
#[test]
fn few_games_wait_where_they_keep_large_trees() {
    for case in short_cases(2) {
        let mut seats = vec![Seat::Outside(0); case.game.num_players()];
        seats[0] = Seat::Inside("mcts:20000,evaluator=heuristic,reuse_tree=true".parse().expect("an agent"));
        let config = RunConfig { seats, threads: 2, ..config(&*case.game, 15) };
        let mut rollout = case.game.run(config.clone()).expect("a rollout");
        assert_eq!(rollout.advance(&Control::default()), Ok(false), "{}", case.label);
        assert!((1..=13).contains(&rollout.questions(0)), "{}: {}", case.label, rollout.questions(0));
        check_columns(&case, &played(&case, config), 15);
    }
}

#[test]
fn more_steps_than_may_be_kept_are_refused() {
    let case = &preset_cases()[0];
    let games = 40_000;
    let all = RunConfig { collect: kept(None, (0..games).collect()), ..config(&*case.game, games as u64) };
    match play(&*case.game, all) {
        Err(error) => {
            assert!(error.to_string().contains("have more than 10000000 steps"), "{error}");
        }
        other => panic!("{:?}", other.map(|columns| columns.winner.len())),
    }
}

#[test]
fn a_bad_answer_is_named_and_plays_nothing() {
    for case in short_cases(12) {
        let game = &*case.game;
        let seats = vec![Seat::Outside(0); game.num_players()];
        let settings = RunConfig { seats, first: 700, ..config(game, 5) };
        let mut rollout = game.run(settings.clone()).expect("a rollout");
        let control = Control::default();
        assert_eq!(rollout.advance(&control), Ok(false), "every game asks");
        assert_eq!((rollout.questions(0), rollout.questions(1)), (5, 0));
        let (cells, ids) = (game.observation_len(), game.num_actions());
        let (mut observations, mut masks) = (vec![0; 5 * cells], vec![0; 5 * ids]);
        rollout.ask(0, &mut observations, &mut masks);
        let lowest: Vec<i64> = masks
            .chunks_exact(ids)
            .map(|mask| mask.iter().position(|&cell| cell == 1).expect("legal") as i64)
            .collect();
        for row in [0, 3, 4] {
            let illegal = masks[row * ids..][..ids].iter().position(|&cell| cell == 0).map(|id| id as i64);
            let far = [-1, i64::MIN, i64::MAX, ids as i64, lowest[row] + (1 << 16), lowest[row] + (1 << 32)];
            for wrong in far.into_iter().chain(illegal) {
                let mut actions = lowest.clone();
                actions[row] = wrong;
                match rollout.answer(0, &actions) {
                    Err(Error::IllegalAction(error)) => {
                        assert_eq!(error.action, wrong);
                        assert!(error.place.starts_with(&format!("game {}, player ", 700 + row)), "{error}");
                        assert!(error.to_string().contains(&wrong.to_string()), "{error}");
                    }
                    other => panic!("{}: {wrong} gave {other:?}", case.label),
                }
            }
        }
        for actions in [&lowest[..4], &[], &[&lowest[..], &[0]].concat()] {
            assert!(rollout.answer(0, actions).is_err());
        }
        // Nothing was played: the same questions, and the games go on as if nobody had erred.
        let (mut observations_after, mut masks_after) = (vec![0; 5 * cells], vec![0; 5 * ids]);
        rollout.ask(0, &mut observations_after, &mut masks_after);
        assert_eq!((observations_after, masks_after), (observations, masks));
        rollout.answer(0, &lowest).expect("legal answers");
        while !rollout.advance(&control).expect("it plays on") {
            answer(game, &mut *rollout, 0);
        }
        assert_eq!(rollout.found().into_columns(), played(&case, settings));
    }
}

#[test]
fn a_cancelled_rollout_stops() {
    for case in preset_cases() {
        let game = &*case.game;
        let control = Control::default();
        control.cancel.store(true, Ordering::Relaxed);
        let mut rollout = game.run(config(game, 1000)).expect("a rollout");
        assert_eq!(rollout.advance(&control), Err(Error::Cancelled));
        assert_eq!(control.done.load(Ordering::Relaxed), 0);
    }
    let slow: Agent = "mcts:100000".parse().expect("an agent");
    for case in preset_cases().into_iter().take(1) {
        let game = &*case.game;
        for (agent, games) in [(Agent::Random, 10_000_000), (slow.clone(), 3)] {
            for threads in [1, 2] {
                let seats = vec![Seat::Inside(agent.clone()); game.num_players()];
                let settings = RunConfig { seats, threads, ..config(game, games) };
                let mut rollout = game.run(settings).expect("a rollout");
                let control = Control::default();
                thread::scope(|scope| {
                    let watched = scope.spawn(|| rollout.advance(&control));
                    // In the middle of the rollout, or of the first search.
                    while agent == Agent::Random && control.done.load(Ordering::Relaxed) == 0 {
                        thread::yield_now();
                    }
                    control.cancel.store(true, Ordering::Relaxed);
                    assert_eq!(watched.join().expect("no panic"), Err(Error::Cancelled));
                });
            }
        }
    }
}

#[test]
fn no_more_decisions_are_recorded_than_allowed() {
    for case in short_cases(20) {
        for threads in [1, 2] {
            let game = &*case.game;
            let settings =
                RunConfig { threads, collect: kept(Some(1_000_000), BTreeSet::new()), ..config(game, 30) };
            let all = played(&case, settings.clone());
            let decisions: i64 = all.lengths.iter().map(|&length| length as i64).sum();
            let exact =
                RunConfig { collect: kept(Some(decisions as u64), BTreeSet::new()), ..settings.clone() };
            assert_eq!(played(&case, exact), all, "{}: the limit itself is allowed", case.label);
            for limit in [0, 1, decisions as u64 - 1] {
                match play(
                    game,
                    RunConfig { collect: kept(Some(limit), BTreeSet::new()), ..settings.clone() },
                ) {
                    Err(error) => {
                        let due = format!("max_decisions={limit}");
                        assert!(error.to_string().contains(&due), "{error}");
                    }
                    other => panic!("{}: limit {limit} gave {:?}", case.label, other.map(|c| c.lengths)),
                }
            }
        }
    }
}

#[test]
fn sizes_out_of_range_are_refused() {
    for case in preset_cases() {
        let game = &*case.game;
        let good = config(game, 1);
        let refused = |config: RunConfig, due: &str| {
            let error = game.run(config).expect_err("a size out of range").to_string();
            assert!(error.contains(due), "{}: '{error}' does not say {due}", case.label);
        };
        for num_games in [0, MAX_GAMES + 1, u64::MAX] {
            refused(RunConfig { num: num_games, ..good.clone() }, "num_games");
        }
        refused(RunConfig { first: u64::MAX, ..good.clone() }, "first_game");
        refused(RunConfig { random_plies: MAX_RANDOM_PLIES + 1, ..good.clone() }, "random_plies");
        for seats in [0, game.num_players() - 1, game.num_players() + 1] {
            let seats = vec![Seat::Inside(Agent::Random); seats];
            refused(RunConfig { seats, ..good.clone() }, "agents");
        }
        // The last game of all has a stream like every other.
        let last = played(&case, RunConfig { first: u64::MAX - 1, ..good });
        check_columns(&case, &last, 1);
    }
}

/// These numbers must never change, whatever the compiler: files of results hold digests.
#[test]
fn digests_are_fixed() {
    let fixed =
        [("sho", 0x8c20_8757), ("shah", 0x63a1_0383), ("tshupu", 0x3c87_5600), ("shuanglu", 0x17b5_bad7)];
    let seen = fixed.map(|(name, _)| {
        let case = preset_cases().into_iter().find(|case| case.game.name() == name).unwrap();
        (name, played(&case, config(&*case.game, 1)).digests[0])
    });
    assert_eq!(seen, fixed, "{seen:#x?}");
}

#[test]
fn digests_tell_games_apart() {
    for case in preset_cases() {
        let with = |agent: Agent, random_plies| {
            let seats = vec![Seat::Inside(agent); case.game.num_players()];
            let digests =
                played(&case, RunConfig { seats, random_plies, ..config(&*case.game, 200) }).digests;
            digests.iter().collect::<BTreeSet<_>>().len()
        };
        assert!(with(Agent::Random, 0) > 190, "{}", case.label);
        let fixed = with(Agent::Greedy, 0);
        match case.game.max_chance_outcomes() {
            0 => assert_eq!(fixed, 1, "{}: nothing is left to chance", case.label),
            _ => assert!(fixed > 1, "{}", case.label),
        }
        assert!(with(Agent::Greedy, 8) > 150, "{}: they begin differently", case.label);
    }
}
