//! Games are the same with the instructions of every processor.

use crate::common::arrays::Arrays;
use crate::common::preset_cases;
use crate::rollout::kept;
use sarai::agents::Agent;
use sarai::base::control::Control;
use sarai::base::cpu::{Level, level, use_at_most};
use sarai::play::batch::{BatchConfig, Seeds};
use sarai::play::game_in_play::Seat;
use sarai::play::run::RunConfig;
use sarai::play::training::Training;

/// Every level that this processor has, the lowest first.
fn levels() -> Vec<Level> {
    [Level::Baseline, Level::Modern, Level::Pdep]
        .into_iter()
        .filter(|&limit| use_at_most(limit) == limit)
        .collect()
}

/// One test, because the level in use is the whole program's.
#[test]
fn every_level_plays_the_same_games() {
    let levels = levels();
    assert_eq!(levels[0], Level::Baseline);
    for case in preset_cases() {
        let game = &case.game;
        let play = |limit: Level| {
            assert_eq!((use_at_most(limit), level()), (limit, limit));
            let config = |num_games, agent, record| RunConfig {
                collect: kept(record, [0].into()),
                ..RunConfig::new(vec![Seat::Inside(agent); game.num_players()], num_games, 5)
            };
            let rollout = |config| {
                let mut rollout = game.run(config).expect("the configuration is valid");
                assert_eq!(rollout.advance(&Control::default()), Ok(true));
                rollout.found().into_columns()
            };
            let mut batch = game.batch(&BatchConfig::new(8, 5), None).expect("the configuration is valid");
            let mut arrays = Arrays::new(&**game, 8);
            batch.reset(&Seeds::Keep, None, None, &mut arrays.out()).expect("a reset");
            let mut seen = vec![arrays.clone()];
            for step in 0..200 {
                let actions: Vec<i64> = (0..8).map(|lane| arrays.choose(lane, step)).collect();
                batch.step(&actions, arrays.out()).expect("legal actions");
                seen.push(arrays.clone());
            }
            let random = rollout(config(6, Agent::Random, Some(100_000)));
            let unrecorded = rollout(config(6, Agent::Random, None));
            let search = rollout(config(1, Agent::mcts(2), Some(100_000)));
            // Where there are no dice it may look ahead.
            let trainer =
                |ahead| game.trainer(11, Training { ahead, epsilon: 0.1, ..game.usual_training(5) });
            let mut trainer = trainer(2).or_else(|_| trainer(1)).expect("sensible settings");
            trainer.play(2, &Control::default()).expect("there is memory");
            let learnt = trainer.net("").expect("numbers").digest().to_owned();
            (random, unrecorded, search, seen, learnt)
        };
        let first = play(levels[0]);
        for &limit in &levels[1..] {
            assert!(play(limit) == first, "{}: {limit:?} plays other games", case.label);
        }
    }
    assert_eq!(Some(&use_at_most(Level::Pdep)), levels.last());
}
