//! Steps of a batch of every registered game's default rules on one thread, in lane-steps a second: the rules, the
//! observations and the masks, with the lowest legal action chosen in every lane.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sarai::api::registry;
use sarai::play::batch::{BatchConfig, Out, Seeds};

const LANES: usize = 4096;

fn steps(criterion: &mut Criterion) {
    for entry in registry::all() {
        let game = entry.make(None, "{}").expect("the default rules are valid");
        let config = BatchConfig::new(LANES, 1);
        let mut batch = game.batch(&config, None).expect("the configuration is valid");
        let (cells, ids) = (game.observation_len(), game.num_actions());
        let mut observations = vec![0; LANES * cells];
        let mut masks = vec![0; LANES * ids];
        let mut current_player = vec![0; LANES];
        let mut rewards = vec![0.0; LANES * game.num_players()];
        let (mut terminated, mut truncated) = (vec![false; LANES], vec![false; LANES]);
        let mut out = Out {
            observations: &mut observations,
            masks: &mut masks,
            current_player: &mut current_player,
            rewards: &mut rewards,
            terminated: &mut terminated,
            truncated: &mut truncated,
            illegal: &mut [],
            final_observations: &mut [],
            final_masks: &mut [],
            final_current_player: &mut [],
        };
        batch.reset(&Seeds::Keep, None, None, &mut out).expect("a reset");
        let mut actions = vec![0; LANES];
        let mut group = criterion.benchmark_group(entry.name);
        group.throughput(Throughput::Elements(LANES as u64));
        group.bench_function("batch step", |bencher| {
            bencher.iter(|| {
                for (action, mask) in actions.iter_mut().zip(out.masks.chunks_exact(ids)) {
                    *action = mask.iter().position(|&cell| cell != 0).unwrap_or(0) as i64;
                }
                batch.step(&actions, out.reborrow()).expect("the lowest legal action is legal");
                black_box(&out.observations[0]);
            });
        });
        group.finish();
    }
}

criterion_group!(benches, steps);
criterion_main!(benches);
