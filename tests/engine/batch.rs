//! Batches of every registered game: autoreset, threads, splits, truncation, snapshots, refusals.

use crate::common::arrays::Arrays;
use crate::common::{Case, preset_cases, short_cases};
use sarai::Turn;
use sarai::api::AnyGame;
use sarai::base::error::Error;
use sarai::play::batch::{AnyBatch, Autoreset, BatchConfig, MAX_LANES, Seeds, Snapshot};
use sarai::play::states::TERMINAL;
use sarai::rules::action::ActionSet;
use serde_json::Value;

pub fn config(lanes: usize, autoreset: Autoreset) -> BatchConfig {
    BatchConfig { autoreset, ..BatchConfig::new(lanes, 11) }
}

pub fn start(game: &dyn AnyGame, config: &BatchConfig) -> (Box<dyn AnyBatch>, Arrays) {
    let mut batch = game.batch(config, None).expect("a batch of a sensible size");
    let mut arrays = Arrays::new(game, config.num_lanes);
    assert_eq!(batch.reset(&Seeds::Keep, None, None, &mut arrays.out()), Ok(false), "nobody is asked");
    (batch, arrays)
}

/// One row of what a lane's player is told.
#[derive(Clone, PartialEq, Debug)]
struct Row {
    observation: Vec<i8>,
    /// Empty where the game has ended: what the mask says then depends on the mode.
    mask: Vec<i8>,
    current_player: i8,
    rewards: Vec<f32>,
    terminated: bool,
    truncated: bool,
}

/// The rows of each lane over `decisions` decisions, whatever the mode; how games end is told the same way.
fn history(case: &Case, autoreset: Autoreset, limit: Option<u32>, decisions: usize) -> Vec<Vec<Row>> {
    const LANES: usize = 5;
    let game = &*case.game;
    let settings = BatchConfig { max_episode_steps: limit, ..config(LANES, autoreset) };
    let (mut batch, mut arrays) = start(game, &settings);
    let mut rows: Vec<Vec<Row>> = vec![Vec::new(); LANES];
    let mut made = [0; LANES];
    let mut ended = [false; LANES];
    let row = |arrays: &Arrays, lane: usize| Row {
        observation: arrays.observation(lane).to_vec(),
        mask: if arrays.ended(lane) { Vec::new() } else { arrays.mask(lane).to_vec() },
        current_player: arrays.current_player[lane],
        rewards: arrays.rewards(lane).to_vec(),
        terminated: arrays.terminated[lane],
        truncated: arrays.truncated[lane],
    };
    while made.iter().any(|&made| made < decisions) {
        if autoreset == Autoreset::Disabled && ended.contains(&true) {
            let before = arrays.clone();
            batch.reset(&Seeds::Keep, Some(&ended), None, &mut arrays.out()).expect("a reset of ended lanes");
            for lane in (0..LANES).filter(|&lane| !ended[lane]) {
                assert_eq!(before.observation(lane), arrays.observation(lane), "a lane that was not reset");
                assert_eq!(before.mask(lane), arrays.mask(lane));
            }
            for lane in (0..LANES).filter(|&lane| ended[lane]) {
                arrays.rewards[lane * arrays.players..][..arrays.players].fill(0.0);
                (arrays.terminated[lane], arrays.truncated[lane]) = (false, false);
                rows[lane].push(row(&arrays, lane));
            }
            ended.fill(false);
        }
        let resets = if autoreset == Autoreset::NextStep { ended } else { [false; LANES] };
        let actions: Vec<i64> = (0..LANES)
            // The action of a lane that begins anew is ignored, whatever it is.
            .map(|lane| if resets[lane] { i64::MIN } else { arrays.choose(lane, made[lane]) })
            .collect();
        let blank = Arrays::new(game, LANES);
        arrays = blank.clone();
        batch.step(&actions, arrays.out()).expect("legal actions");
        for lane in 0..LANES {
            made[lane] += !resets[lane] as usize;
            ended[lane] = arrays.ended(lane);
            assert!(!(ended[lane] && resets[lane]), "a reset ends nothing");
            let (cells, ids) =
                (lane * arrays.cells..(lane + 1) * arrays.cells, lane * arrays.ids..(lane + 1) * arrays.ids);
            if autoreset == Autoreset::SameStep && ended[lane] {
                // A game that is over leaves nothing to do; in one that was cut off somebody could have gone on.
                let over = arrays.terminated[lane];
                assert_eq!(arrays.final_current_player[lane] == TERMINAL, over);
                assert_eq!(arrays.final_masks[ids].iter().all(|&cell| cell == 0), over);
                assert!(arrays.current_player[lane] >= 0, "the next game has begun");
                let mut last = row(&arrays, lane);
                last.observation = arrays.final_observations[cells].to_vec();
                last.current_player = arrays.final_current_player[lane];
                rows[lane].push(last);
                rows[lane].push(Row {
                    mask: arrays.mask(lane).to_vec(),
                    rewards: vec![0.0; arrays.players],
                    terminated: false,
                    truncated: false,
                    ..row(&arrays, lane)
                });
                continue;
            }
            // Rows of a last step are written in no other case.
            assert_eq!(arrays.final_observations[cells.clone()], blank.final_observations[cells]);
            assert_eq!(arrays.final_masks[ids.clone()], blank.final_masks[ids]);
            if ended[lane] {
                assert_eq!(arrays.current_player[lane] == TERMINAL, arrays.terminated[lane]);
                let takes = (autoreset == Autoreset::NextStep) as i8;
                assert!(arrays.mask(lane).iter().all(|&cell| cell == takes), "what the next step takes");
            }
            rows[lane].push(row(&arrays, lane));
        }
    }
    rows
}

/// Every lane's lowest legal action, as the masks say.
pub fn lowest(arrays: &Arrays, lanes: usize) -> Vec<i64> {
    let id = |lane| arrays.mask(lane).iter().position(|&cell| cell == 1).unwrap_or(0) as i64;
    (0..lanes).map(id).collect()
}

#[test]
fn the_three_autoreset_modes_tell_the_same_games() {
    for case in short_cases(25) {
        for limit in [None, Some(9)] {
            let next = history(&case, Autoreset::NextStep, limit, 120);
            let ends = next.iter().flatten().filter(|row| row.terminated || row.truncated).count();
            assert!(ends >= 5, "{}: too few games ended to compare: {ends}", case.label);
            for other in [Autoreset::SameStep, Autoreset::Disabled] {
                let told = history(&case, other, limit, 120);
                for (lane, (one, two)) in next.iter().zip(&told).enumerate() {
                    let rows = one.len().min(two.len());
                    assert!(rows > 120);
                    for step in 0..rows {
                        assert_eq!(one[step], two[step], "{}: {other:?}, lane {lane}, {step}", case.label);
                    }
                }
            }
        }
    }
}

#[test]
fn rows_say_where_the_lanes_stand() {
    for case in short_cases(20) {
        let game = &*case.game;
        let (mut batch, mut arrays) = start(game, &config(3, Autoreset::NextStep));
        for step in 0..200 {
            for lane in 0..3 {
                let position = batch.position(lane).expect("a lane of the batch");
                position.check().expect("a lane holds a position of its game");
                let mut mask = vec![0; game.num_actions()];
                let mut observation = vec![i8::MIN; game.observation_len()];
                match position.turn() {
                    Turn::Player(player) => {
                        assert_eq!(arrays.current_player[lane], player.0 as i8);
                        ActionSet::write_mask(&position.legal_actions(), &mut mask);
                        assert_eq!(arrays.mask(lane), mask);
                        position.observe(player, &mut observation);
                        assert_eq!(arrays.observation(lane), observation);
                    }
                    Turn::Over => {
                        assert!(arrays.terminated[lane] && !arrays.truncated[lane]);
                        let returns: Vec<f32> =
                            position.returns().as_slice().iter().map(|&r| r as f32).collect();
                        assert_eq!(arrays.rewards(lane), returns);
                    }
                    Turn::Chance => panic!("{}: a lane waits at a chance node", case.label),
                }
                if step > 0 && !arrays.terminated[lane] {
                    assert!(arrays.rewards(lane).iter().all(|&reward| reward == 0.0));
                }
            }
            let actions: Vec<i64> = (0..3).map(|lane| arrays.choose(lane, step)).collect();
            batch.step(&actions, arrays.out()).expect("legal actions");
        }
        assert!(batch.position(3).is_none());
    }
}

#[test]
fn games_are_truncated_after_max_episode_steps() {
    // Where turns are few, games also end by themselves, before the limit and with it.
    for (few_turns, case) in preset_cases()
        .into_iter()
        .map(|case| (false, case))
        .chain(short_cases(6).into_iter().map(|case| (true, case)))
    {
        let settings = BatchConfig { max_episode_steps: Some(7), ..config(4, Autoreset::SameStep) };
        let (mut batch, mut arrays) = start(&*case.game, &settings);
        let mut steps = [0; 4];
        let mut cut = 0;
        for step in 0..100 {
            let actions: Vec<i64> = (0..4).map(|lane| arrays.choose(lane, step)).collect();
            batch.step(&actions, arrays.out()).expect("legal actions");
            for (lane, steps) in steps.iter_mut().enumerate() {
                *steps += 1;
                let due = *steps == 7 && !arrays.terminated[lane];
                assert_eq!(arrays.truncated[lane], due, "{}: after {} steps", case.label, *steps);
                cut += due as usize;
                if arrays.ended(lane) {
                    *steps = 0;
                }
            }
        }
        assert!(cut > 0 || few_turns, "{}: no game was cut off", case.label);
    }
}

#[test]
fn an_illegal_action_anywhere_changes_no_lane() {
    for case in preset_cases() {
        for autoreset in [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled] {
            let (mut batch, mut arrays) = start(&*case.game, &config(6, autoreset));
            for step in 0..10 {
                let fine: Vec<i64> = (0..6).map(|lane| arrays.choose(lane, step)).collect();
                for lane in [0, 3, 5] {
                    let illegal = arrays.mask(lane).iter().position(|&cell| cell == 0);
                    let wraps = [fine[lane] + (1 << 16), fine[lane] + (1 << 32), fine[lane] - (1 << 16)];
                    let huge = [-1, i64::MIN, i64::MAX, arrays.ids as i64];
                    for wrong in wraps.into_iter().chain(huge).chain(illegal.map(|id| id as i64)) {
                        let mut actions = fine.clone();
                        actions[lane] = wrong;
                        let (snapshot, before) = (batch.snapshot(), arrays.clone());
                        match batch.step(&actions, arrays.out()) {
                            Err(Error::IllegalAction(error)) => {
                                assert_eq!((error.action, &*error.place), (wrong, &*format!("lane {lane}")));
                                assert!(error.to_string().contains(&wrong.to_string()), "{error}");
                            }
                            other => panic!("{}: {wrong} in lane {lane} gave {other:?}", case.label),
                        }
                        assert_eq!(batch.snapshot(), snapshot, "{}: {wrong} changed a lane", case.label);
                        assert_eq!(arrays, before, "{}: {wrong} changed an array", case.label);
                    }
                }
                batch.step(&fine, arrays.out()).expect("legal actions");
            }
        }
    }
}

#[test]
fn an_ended_lane_is_refused_where_nothing_resets_it() {
    for case in short_cases(10) {
        let settings = BatchConfig { max_episode_steps: Some(3), ..config(2, Autoreset::Disabled) };
        let (mut batch, mut arrays) = start(&*case.game, &settings);
        let mut step = 0;
        while !arrays.ended(0) || step == 0 {
            let actions: Vec<i64> = (0..2).map(|lane| arrays.choose(lane, step)).collect();
            batch.step(&actions, arrays.out()).expect("legal actions");
            step += 1;
            if arrays.ended(1) && !arrays.ended(0) {
                batch.reset(&Seeds::Keep, Some(&[false, true]), None, &mut arrays.out()).expect("a reset");
            }
        }
        let (snapshot, before) = (batch.snapshot(), arrays.clone());
        for action in [0, 1, -1, i64::MAX] {
            let actions = [action, action];
            match batch.step(&actions, arrays.out()) {
                Err(error) => assert!(error.to_string().contains("lane 0"), "{error}"),
                other => panic!("{}: an ended lane played on: {other:?}", case.label),
            }
        }
        assert_eq!((batch.snapshot(), arrays.clone()), (snapshot, before));
        batch.reset(&Seeds::Keep, Some(&[true, arrays.ended(1)]), None, &mut arrays.out()).expect("a reset");
        let actions: Vec<i64> = (0..2).map(|lane| arrays.choose(lane, step)).collect();
        batch.step(&actions, arrays.out()).expect("it plays on after the reset");
    }
}

/// Steps a batch and gives back the arrays after every step.
fn run(game: &dyn AnyGame, settings: &BatchConfig, steps: usize) -> Vec<Arrays> {
    let (mut batch, mut arrays) = start(game, settings);
    let mut seen = vec![arrays.clone()];
    for step in 0..steps {
        let actions: Vec<i64> = (0..settings.num_lanes).map(|lane| arrays.choose(lane, step)).collect();
        arrays = Arrays::new(game, settings.num_lanes);
        batch.step(&actions, arrays.out()).expect("legal actions");
        seen.push(arrays.clone());
    }
    seen
}

#[test]
fn threads_and_the_number_of_lanes_change_no_row() {
    for case in preset_cases() {
        let game = &*case.game;
        // An odd number of lanes, enough for several tasks; games that are cut off write their last rows.
        let settings = BatchConfig { max_episode_steps: Some(11), ..config(1337, Autoreset::SameStep) };
        let one = run(game, &settings, 25);
        let two = run(game, &BatchConfig { threads: 2, ..settings.clone() }, 25);
        assert!(one == two, "{}: two threads write other arrays than one", case.label);
        assert!(one.iter().any(|arrays| arrays.truncated.contains(&true)));
        let few = run(game, &BatchConfig { num_lanes: 13, ..settings }, 25);
        for (all, few) in one.iter().zip(&few) {
            for lane in 0..13 {
                assert_eq!(all.observation(lane), few.observation(lane), "{}: lane {lane}", case.label);
                assert_eq!(all.mask(lane), few.mask(lane));
                assert_eq!(all.rewards(lane), few.rewards(lane));
                assert_eq!(all.current_player[lane], few.current_player[lane]);
                assert_eq!(all.final_current_player[lane], few.final_current_player[lane]);
            }
        }
    }
}

#[test]
fn seeds_give_each_lane_its_stream() {
    for case in short_cases(30) {
        let game = &*case.game;
        let (mut batch, first) = start(game, &config(40, Autoreset::NextStep));
        let mut arrays = Arrays::new(game, 40);
        batch.reset(&Seeds::One(11), None, None, &mut arrays.out()).expect("a reset");
        assert_eq!(arrays.observations, first.observations, "the seed of the batch gives its first games");
        assert!(arrays.rewards.iter().all(|&cell| cell == 9e9), "a reset writes no rewards");
        batch.reset(&Seeds::One(12), None, None, &mut arrays.out()).expect("a reset");
        let drawn = game.new_position().turn() == Turn::Chance;
        let differs = arrays.observations != first.observations;
        assert_eq!(differs, drawn, "{}: another seed tells where something is drawn first", case.label);
        batch.reset(&Seeds::Each(vec![Some(5); 40]), None, None, &mut arrays.out()).expect("a reset");
        for lane in 1..40 {
            assert_eq!(arrays.observation(lane), arrays.observation(0), "the same seed for each lane");
        }
        let snapshot = batch.snapshot();
        let bad = [
            (Seeds::Each(vec![Some(1); 39]), None),
            (Seeds::Each(Vec::new()), None),
            (Seeds::Keep, Some(vec![true; 41])),
            (Seeds::One(1), Some(vec![false; 40])),
        ];
        for (seeds, only) in bad {
            assert!(batch.reset(&seeds, only.as_deref(), None, &mut arrays.out()).is_err());
            assert_eq!(batch.snapshot(), snapshot, "a refused reset has changed a lane");
        }
    }
}

#[test]
fn a_snapshot_goes_on_as_the_batch_did() {
    for case in short_cases(15) {
        let game = &*case.game;
        for autoreset in [Autoreset::NextStep, Autoreset::SameStep] {
            let settings = BatchConfig { max_episode_steps: Some(12), ..config(8, autoreset) };
            let (mut batch, mut arrays) = start(game, &settings);
            for stop in [0, 5, 12, 40] {
                let mut again = Arrays::new(game, 8);
                let saved = serde_json::to_string(&batch.snapshot()).expect("plain data");
                let snapshot: Snapshot = serde_json::from_str(&saved).expect("what was written");
                let other = BatchConfig { seed: 99, ..settings.clone() };
                let mut other = game.batch(&other, Some(&snapshot)).expect("the same rules and size");
                assert_eq!(other.snapshot(), batch.snapshot());
                other.observe(&mut again.out());
                assert_eq!(again.observations, arrays.observations, "{}: after {stop}", case.label);
                assert_eq!(again.masks, arrays.masks);
                for step in 0..30 {
                    let actions: Vec<i64> = (0..8).map(|lane| arrays.choose(lane, step)).collect();
                    (arrays, again) = (Arrays::new(game, 8), Arrays::new(game, 8));
                    batch.step(&actions, arrays.out()).expect("legal actions");
                    other.step(&actions, again.out()).expect("the same are legal");
                    assert_eq!(again, arrays, "{}: {autoreset:?}, step {step}", case.label);
                }
            }
        }
    }
}

#[test]
fn a_broken_snapshot_is_refused() {
    for case in preset_cases() {
        let game = &*case.game;
        let settings = config(3, Autoreset::NextStep);
        let (batch, _) = start(game, &settings);
        let (other, _) = start(game, &config(2, Autoreset::NextStep));
        assert!(game.batch(&settings, Some(&other.snapshot())).is_err(), "a snapshot of another size");
        let good = serde_json::to_value(batch.snapshot()).expect("plain data");
        let mut seat = good["lanes"][2]["viewer"].clone();
        seat = Value::from((seat.as_i64().expect("a seat") + 1) % game.num_players() as i64);
        let start = game.new_position();
        let mut broken =
            vec![("state", Value::from("nonsense")), ("viewer", seat), ("viewer", Value::from(200))];
        if start.turn() == Turn::Chance {
            broken.push(("state", Value::from(start.text())));
        }
        for (key, value) in broken {
            let mut bad = good.clone();
            bad["lanes"][2][key] = value.clone();
            let snapshot: Snapshot = serde_json::from_value(bad).expect("the right types");
            assert!(game.batch(&settings, Some(&snapshot)).is_err(), "{}: {key} = {value}", case.label);
        }
        let mut unknown = good;
        unknown["more"] = Value::Null;
        assert!(serde_json::from_value::<Snapshot>(unknown).is_err());
    }
}

#[test]
fn a_batch_begins_with_a_reset_of_all_lanes() {
    for case in preset_cases() {
        let game = &*case.game;
        let settings = config(2, Autoreset::NextStep);
        let mut batch = game.batch(&settings, None).expect("a batch");
        let mut arrays = Arrays::new(game, 2);
        for _ in 0..2 {
            assert_eq!(batch.ready(), Err(Error::NotBegun));
            assert_eq!(batch.step(&[0; 2], arrays.out()), Err(Error::NotBegun));
            let some = batch.reset(&Seeds::Keep, Some(&[true, false]), None, &mut arrays.out());
            assert_eq!(some, Err(Error::NotBegun), "the other lane has no game");
            batch = game.batch(&settings, Some(&batch.snapshot())).expect("nothing has begun there either");
        }
        assert_eq!(batch.reset(&Seeds::Keep, None, None, &mut arrays.out()), Ok(false));
        assert_eq!(batch.ready(), Ok(()));
        assert_eq!(arrays.observations, start(game, &settings).1.observations, "{}", case.label);
    }
}

#[test]
fn sizes_out_of_range_are_refused() {
    for case in preset_cases() {
        let good = config(1, Autoreset::NextStep);
        for lanes in [0, MAX_LANES + 1, usize::MAX] {
            let error = case
                .game
                .batch(&BatchConfig { num_lanes: lanes, ..good.clone() }, None)
                .expect_err("too many");
            assert!(error.to_string().contains("num_envs") && error.to_string().contains(&lanes.to_string()));
        }
        let none = BatchConfig { max_episode_steps: Some(0), ..good };
        let error = case.game.batch(&none, None).expect_err("no step at all");
        assert!(error.to_string().contains("max_episode_steps"), "{error}");
    }
}

#[test]
fn slices_of_a_wrong_size_panic_before_anything_changes() {
    let case = &preset_cases()[0];
    let (mut batch, arrays) = start(&*case.game, &config(3, Autoreset::SameStep));
    let actions = lowest(&arrays, 3);
    let before = batch.snapshot();
    let short: [fn(&mut Arrays); 10] = [
        |arrays| arrays.observations.truncate(1),
        |arrays| arrays.masks.truncate(1),
        |arrays| arrays.current_player.truncate(1),
        |arrays| arrays.rewards.truncate(1),
        |arrays| arrays.terminated.truncate(1),
        |arrays| arrays.truncated.truncate(1),
        |arrays| arrays.illegal.truncate(1),
        |arrays| arrays.final_observations.truncate(1),
        |arrays| arrays.final_masks.truncate(1),
        |arrays| arrays.final_current_player.truncate(1),
    ];
    for (number, shorten) in short.iter().enumerate() {
        let mut arrays = arrays.clone();
        shorten(&mut arrays);
        let stepped = std::panic::AssertUnwindSafe(|| batch.step(&actions, arrays.out()));
        assert!(std::panic::catch_unwind(stepped).is_err(), "slice {number}");
        assert_eq!(batch.snapshot(), before);
    }
}
