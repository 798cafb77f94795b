//! Alpha-beta on one thread, in nodes a second: positions looked at, those at the ends of the lines included. Each round
//! searches some positions of both presets of Shah, from the opening to the end of random games.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sarai::agents::rng::Stream;
use sarai::agents::{alphabeta, random};
use sarai::base::control::Control;
use sarai::games::shah::Shah;
use sarai::{Game, Turn};

const DEPTH: u8 = 7;

fn searches(criterion: &mut Criterion) {
    for preset in Shah::PRESETS {
        let game = Shah::new((preset.rules)()).expect("a preset is valid");
        let mut positions = Vec::new();
        for number in 0..12 {
            let mut rng = Stream::new(1, number);
            let mut state = game.initial_state();
            for _ in 0..5 * number {
                let Turn::Player(_) = game.turn(&state) else { break };
                let action = random(game.legal_actions(&state), &mut rng);
                game.apply(&mut state, action, &mut ());
            }
            if let Turn::Player(_) = game.turn(&state) {
                positions.push(state);
            }
        }
        let search = || -> u64 {
            let nodes = |state| {
                let settings = alphabeta::Settings::new(DEPTH, alphabeta::TABLE_MB);
                alphabeta::search(&game, state, &settings, &mut Stream::new(0, 0), &Control::default())
                    .expect("there is memory")
                    .nodes
            };
            positions.iter().map(nodes).sum()
        };
        let mut group = criterion.benchmark_group(preset.name);
        group.throughput(Throughput::Elements(search()));
        group.sample_size(10);
        group.bench_function(format!("alphabeta:{DEPTH}"), |bencher| bencher.iter(|| black_box(search())));
        group.finish();
    }
}

criterion_group!(benches, searches);
criterion_main!(benches);
