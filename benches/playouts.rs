//! Random playouts of every registered game's default rules on one thread, in decisions a second.
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sarai::agent::Agent;
use sarai::games::sho::Sho;
use sarai::playout::{random_playout, Seat};
use sarai::rng::Stream;
use sarai::{FullGame, Game};

fn playouts<G: FullGame>(criterion: &mut Criterion) {
    let game = G::new(G::Rules::default()).expect("the default rules are valid");
    let play = |first: u64, games: u64| -> u64 {
        (first..first + games)
            .map(|index| {
                let mut state = game.initial_state();
                random_playout(&game, &mut state, &mut Stream::new(1, index)) as u64
            })
            .sum()
    };
    const GAMES: u64 = 200;
    let mut group = criterion.benchmark_group("random playouts");
    group.throughput(Throughput::Elements(play(0, GAMES)));
    group.bench_function(G::NAME, |bencher| bencher.iter(|| black_box(play(0, GAMES))));
    group.finish();
    let _ = Seat::Inside(Agent::Random);
}

fn all(criterion: &mut Criterion) {
    playouts::<Sho>(criterion);
}

criterion_group!(benches, all);
criterion_main!(benches);
