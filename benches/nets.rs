//! Networks on one thread, with 40 hidden units: judgements a second of positions of backgammon at the ends of turns, the
//! observation included, and games of training a second.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sarai::agents::playout::settle;
use sarai::agents::random;
use sarai::agents::rng::Stream;
use sarai::base::control::Control;
use sarai::games::shuanglu::Shuanglu;
use sarai::play::training::{AnyTrainer, Trainer, Training};
use sarai::{Game, Turn};

const GAMES: u64 = 100;

fn nets(criterion: &mut Criterion) {
    let preset = Shuanglu::PRESETS.iter().find(|preset| preset.name == "backgammon").expect("a preset");
    let game = Shuanglu::new((preset.rules)()).expect("a preset is valid");
    let training = Training::of::<Shuanglu>(1);
    let trainer = || Trainer::new(game.clone(), 40, training.clone()).expect("settings in range");
    let mut learnt = trainer();
    learnt.play(2000, &Control::default()).expect("there is memory");
    let net = learnt.net("").expect("numbers");

    let mut positions = Vec::new();
    for number in 0..1000 {
        let mut rng = Stream::new(1, number);
        let mut state = game.initial_state();
        for _ in 0..number % 60 {
            let Turn::Player(_) = settle(&game, &mut state, &mut rng, &mut ()) else { break };
            let action = random(game.legal_actions(&state), &mut rng);
            game.apply(&mut state, action, &mut ());
        }
        if game.turn(&state) == Turn::Chance {
            positions.push(state);
        }
    }
    let mut group = criterion.benchmark_group("backgammon");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("judgements", |bencher| {
        bencher.iter(|| {
            positions.iter().for_each(|state| {
                black_box(net.evaluate(&game, state));
            })
        });
    });
    group.throughput(Throughput::Elements(GAMES));
    group.sample_size(10);
    // Each round goes on with the games of the one before: they are as long as those of a network that plays.
    group.bench_function("games of training", |bencher| {
        bencher.iter(|| learnt.play(GAMES, &Control::default()).expect("there is memory"));
    });
    group.finish();
}

criterion_group!(benches, nets);
criterion_main!(benches);
