//! Rollouts of every registered game's default rules by random and by greedy agents, in decisions a second on one thread:
//! with the instructions that every processor of the platform has, and with all of this one's.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sarai::agents::Agent;
use sarai::api::registry;
use sarai::base::control::Control;
use sarai::base::cpu::{Level, use_at_most};
use sarai::play::game_in_play::Seat;
use sarai::play::run::RunConfig;

const GAMES: u64 = 500;
const SEED: u64 = 1;

fn playouts(criterion: &mut Criterion) {
    for entry in registry::all() {
        let game = entry.make(None, "{}").expect("the default rules are valid");
        let mut group = criterion.benchmark_group(entry.name);
        for agent in [Agent::Random, Agent::Greedy] {
            let seats = vec![Seat::Inside(agent.clone()); game.num_players()];
            let config = RunConfig::new(seats, GAMES, SEED);
            let play = || {
                let mut rollout = game.run(config.clone()).expect("the configuration is valid");
                assert_eq!(rollout.advance(&Control::default()), Ok(true));
                rollout.found().into_columns()
            };
            let decisions = play().lengths.iter().map(|&length| length as u64).sum();
            group.throughput(Throughput::Elements(decisions));
            for (limit, on) in [(Level::Baseline, ", any processor"), (Level::Pdep, "")] {
                use_at_most(limit);
                group.bench_function(format!("rollout of {agent} agents{on}"), |bencher| {
                    bencher.iter(|| black_box(play()));
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, playouts);
criterion_main!(benches);
