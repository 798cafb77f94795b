//! Series of every registered game: who begins, when a series ends, splits, threads, agents outside, limits.

use sarai::base::error::Error;
use std::sync::atomic::Ordering;

use crate::common::{Case, option_names, short_cases};
use sarai::Player;
use sarai::agents::Agent;
use sarai::api::AnyGame;
use sarai::api::registry::find;
use sarai::base::control::Control;
use sarai::play::game_in_play::Seat;
use sarai::play::run::{Collect, Columns, Goal, MAX_SERIES, Run, RunConfig, SeriesColumns};

const IN_A_ROW: Goal = Goal { target: 2, consecutive: true };

fn config(game: &dyn AnyGame, num_series: u64) -> RunConfig {
    let seats = vec![Seat::Inside(Agent::Random); game.num_players()];
    RunConfig {
        collect: Collect::Series { goal: IN_A_ROW, max_games: 12 },
        ..RunConfig::new(seats, num_series, 5)
    }
}

/// Answers for an outside agent with the lowest legal action.
fn answer(game: &dyn AnyGame, series: &mut dyn Run, agent: usize) {
    let rows = series.questions(agent);
    let mut observations = vec![0; rows * game.observation_len()];
    let mut masks = vec![0; rows * game.num_actions()];
    series.ask(agent, &mut observations, &mut masks);
    let choose = |mask: &[i8]| mask.iter().position(|&cell| cell == 1).expect("an action") as i64;
    let actions: Vec<i64> = masks.chunks_exact(game.num_actions()).map(choose).collect();
    series.answer(agent, &actions).expect("legal actions");
}

fn play(game: &dyn AnyGame, config: &RunConfig) -> Columns {
    let mut series = game.run(config.clone()).expect("a valid configuration");
    let control = Control::default();
    while !series.advance(&control).expect("nobody cancels") {
        for agent in 0..config.seats.len() {
            answer(game, &mut *series, agent);
        }
    }
    assert_eq!(control.done.load(Ordering::Relaxed), config.num);
    series.found().into_columns()
}

/// What there is to each series.
fn told(columns: &Columns) -> &SeriesColumns {
    columns.series.as_ref().expect("series")
}

fn has_first_player(case: &Case) -> bool {
    let name = case.label.split('/').next().expect("a name");
    option_names(find(name).expect("registered")).iter().any(|option| option == "first_player")
}

#[test]
fn the_winner_begins_and_the_streak_decides() {
    for case in short_cases(400) {
        let game = &*case.game;
        let players = game.num_players();
        let columns = play(game, &config(game, 40));
        assert_eq!((told(&columns).winner.len(), told(&columns).offsets.len()), (40, 41), "{}", case.label);
        let games = columns.winner.len();
        assert_eq!(*told(&columns).offsets.last().expect("the end"), games as i64);
        assert_eq!(
            (columns.lengths.len(), columns.turns.len(), told(&columns).starter.len()),
            (games, games, games)
        );
        assert_eq!(columns.returns.len(), games * players);
        assert!(columns.statistics.iter().all(|column| column.len() == games * players));
        assert_eq!(columns.statistics.len(), game.statistics().len());
        for (series, bounds) in told(&columns).offsets.windows(2).enumerate() {
            let rows = bounds[0] as usize..bounds[1] as usize;
            assert!((1..=12).contains(&rows.len()), "{}", case.label);
            let (mut streak, mut holder) = (0, -1);
            for row in rows.clone() {
                assert!(streak < 2, "{}: series {series} went on after it was won", case.label);
                let winner = columns.winner[row];
                if winner >= 0 {
                    streak = if winner == holder { streak + 1 } else { 1 };
                    holder = winner;
                }
                let starter = told(&columns).starter[row];
                assert!((0..players as i8).contains(&starter));
                if row + 1 < rows.end && has_first_player(&case) {
                    let next = told(&columns).starter[row + 1];
                    if winner < 0 {
                        assert_eq!(next, starter, "{}: a draw leaves who begins", case.label);
                    } else {
                        let side = |seat: i8| game.side(Player(seat as u8)).0 as i8;
                        assert_eq!(side(next), winner, "{}: the winner begins", case.label);
                        assert!(side(starter) != winner || next == starter, "{}", case.label);
                    }
                }
            }
            let won = if streak == 2 { holder } else { -1 };
            assert_eq!(told(&columns).winner[series], won, "{}: series {series}", case.label);
            assert!(won >= 0 || rows.len() == 12, "{}: an undecided series is played out", case.label);
        }
    }
}

#[test]
fn without_a_row_the_first_to_win_enough_wins() {
    for case in short_cases(300) {
        let game = &*case.game;
        let goal = Goal { target: 3, consecutive: false };
        let columns =
            play(game, &RunConfig { collect: Collect::Series { goal, max_games: 12 }, ..config(game, 20) });
        for (series, bounds) in told(&columns).offsets.windows(2).enumerate() {
            let winners = &columns.winner[bounds[0] as usize..bounds[1] as usize];
            let wins = |side| winners.iter().filter(|&&winner| winner == side).count();
            let most = (0..4).max_by_key(|&side| wins(side)).expect("sides");
            match told(&columns).winner[series] {
                -1 => assert!(wins(most) < 3 && winners.len() == 12, "{}", case.label),
                won => {
                    assert!(won == most && wins(won) == 3 && winners.last() == Some(&won), "{}", case.label)
                }
            }
        }
    }
}

#[test]
fn splits_and_threads_change_nothing() {
    for case in short_cases(120) {
        let game = &*case.game;
        let whole = play(game, &config(game, 30));
        assert_eq!(whole, play(game, &RunConfig { threads: 2, ..config(game, 30) }), "{}", case.label);
        let one = play(game, &config(game, 10));
        let other = play(game, &RunConfig { first: 10, ..config(game, 20) });
        let joined: Vec<i8> = one.winner.iter().chain(&other.winner).copied().collect();
        assert_eq!(whole.winner, joined, "{}", case.label);
        let joined: Vec<f32> = one.returns.iter().chain(&other.returns).copied().collect();
        assert_eq!(whole.returns, joined, "{}", case.label);
    }
}

#[test]
fn agents_outside_the_engine_answer_in_every_game_of_a_series() {
    for case in short_cases(60) {
        let game = &*case.game;
        let mut seats = vec![Seat::Inside(Agent::Random); game.num_players()];
        seats[0] = Seat::Outside(0);
        let two = RunConfig { seats: seats.clone(), threads: 2, ..config(game, 6) };
        let columns = play(game, &RunConfig { seats, ..config(game, 6) });
        assert_eq!(columns, play(game, &two), "{}", case.label);
        assert!(columns.lengths.iter().all(|&length| length > 0));
    }
}

#[test]
fn what_is_out_of_range_is_refused() {
    let game = find("sho").expect("registered").make(None, "{}").expect("the default rules");
    let fine = config(&*game, 3);
    let of = |target, max_games, num| {
        let collect = Collect::Series { goal: Goal { target, ..IN_A_ROW }, max_games };
        RunConfig { collect, num, ..fine.clone() }
    };
    let refused = [
        (of(2, 12, 0), "num_series"),
        (of(2, 1, MAX_SERIES + 1), "num_series"),
        (RunConfig { first: u64::MAX, ..fine.clone() }, "first_series"),
        (of(0, 12, 3), "target"),
        (of(2, 0, 3), "max_games"),
        (RunConfig { random_plies: 1001, ..fine.clone() }, "random_plies"),
        (of(2, 1000, MAX_SERIES), "max_games=1000"),
        (RunConfig { seats: vec![Seat::Inside(Agent::Random)], ..fine.clone() }, "agents"),
    ];
    for (config, word) in refused {
        let error = game.run(config).expect_err(word).to_string();
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn a_cancelled_run_stops() {
    let game = find("sho").expect("registered").make(None, "{}").expect("the default rules");
    let mut series = game.run(config(&*game, 1000)).expect("a valid configuration");
    let control = Control::default();
    control.cancel.store(true, Ordering::Relaxed);
    assert_eq!(series.advance(&control), Err(Error::Cancelled));
}

#[test]
fn every_game_of_a_series_begins_with_random_decisions() {
    for case in short_cases(60) {
        let game = &*case.game;
        let seats = vec![Seat::Inside(Agent::Greedy); game.num_players()];
        let goal = Goal { target: 1000, consecutive: false };
        let plain = RunConfig { seats, collect: Collect::Series { goal, max_games: 12 }, ..config(game, 12) };
        let begun = RunConfig { random_plies: 6, ..plain.clone() };
        let columns = play(game, &begun);
        assert_eq!(columns, play(game, &RunConfig { threads: 2, ..begun.clone() }), "{}", case.label);
        assert_ne!(columns, play(game, &plain), "{}", case.label);
        let differ = |digests: &[u32]| digests.iter().collect::<std::collections::BTreeSet<_>>().len();
        assert!(differ(&told(&columns).digests) > 6, "{}: every series alike", case.label);
        if game.max_chance_outcomes() == 0 {
            assert_eq!(
                differ(&told(&play(game, &plain)).digests),
                1,
                "{}: nothing is left to chance",
                case.label
            );
            let games: std::collections::BTreeSet<_> =
                (0..12).map(|row| (columns.lengths[row], columns.turns[row], columns.winner[row])).collect();
            assert!(games.len() > 2, "{}: the games of a series are all alike", case.label);
        }
    }
}
