//! What a network computes, and what its file may be.

mod files;

use super::*;
use std::sync::Arc;

use crate::agents::playout::settle;
use crate::agents::rng::{Stream, Streams};
use crate::agents::{Agent, random};
use crate::base::control::Control;
use crate::games::shah::Shah;
use crate::games::sho::{Rules, Sho};
use crate::games::shuanglu::Shuanglu;
use crate::games::tshupu::TshuPu;
use crate::games::{self, Visit};
use crate::rules::rule_book;
use crate::rules::{Encode, FullGame, Game, Player, Turn};

/// Layers of so many units each, with weights that are no round numbers; the last one's sums are the outputs.
fn layers(inputs: usize, units: &[usize], activation: Activation) -> Vec<Layer> {
    let mut rng = Stream::new(3, inputs as u64);
    let mut weight = move || (rng.below(2001) as f32 - 1000.0) / 1537.0;
    let mut before = inputs;
    let mut all = Vec::new();
    for (number, &units) in units.iter().enumerate() {
        let weights = (0..before * units).map(|_| weight() / (before as f32).sqrt()).collect();
        let bias = (0..units).map(|_| weight()).collect();
        let activation = if number == 0 { activation } else { Activation::Identity };
        all.push(Layer { weights, bias, activation });
        before = units;
    }
    all
}

fn net<G: Encode>(game: &G, units: &[usize]) -> Net {
    let inputs = Inputs::new(Encoding::Unary, G::OBSERVATION, G::FEATURES).len();
    let outputs = if units[units.len() - 1] == 1 { Outputs::Viewer } else { Outputs::Seats };
    let rules = rule_book::to_value::<G>(game.rules()).to_string();
    let layers = layers(inputs, units, Activation::Sigmoid);
    Net::new(G::NAME, &rules, Encoding::Unary, outputs, "a test", None, &layers).expect("a network")
}

/// Some positions of a game as some seat sees them.
fn observations<G: FullGame>(game: &G, count: u64) -> Vec<Vec<i8>> {
    let observed = |number| {
        let mut rng = Stream::new(11, number);
        let mut state = game.initial_state();
        for _ in 0..rng.below(60) {
            let Turn::Player(_) = settle(game, &mut state, &mut rng, &mut ()) else { break };
            let action = random(game.legal_actions(&state), &mut rng);
            game.apply(&mut state, action, &mut ());
        }
        let mut cells = vec![0; G::OBSERVATION_LEN];
        game.observe(&state, Player(rng.below(game.num_players() as u32) as u8), &mut cells);
        cells
    };
    (0..count).map(observed).collect()
}

/// The arithmetic of a network, one addition after the other, as the documentation of [`Mlp`]'s module puts it.
fn slowly(inputs: &Inputs, layers: &[Layer], observation: &[i8]) -> Vec<f32> {
    let mut values = vec![0.0; inputs.len()];
    inputs.write(observation, &mut values);
    for (number, layer) in layers.iter().enumerate() {
        let units = layer.bias.len();
        let mut next = vec![0.0; units];
        for (unit, cell) in next.iter_mut().enumerate() {
            let weights = &layer.weights[unit * values.len()..][..values.len()];
            let products = values.iter().zip(weights).map(|(value, weight)| value * weight);
            if number == 0 || units >= 8 {
                *cell = layer.bias[unit];
                products
                    .zip(&values)
                    .filter(|(_, value)| number > 0 || **value != 0.0)
                    .for_each(|(x, _)| *cell += x);
            } else {
                let mut sums = [0.0; 8];
                products.enumerate().for_each(|(at, x)| sums[at % 8] += x);
                for half in [4, 2, 1] {
                    (0..half).for_each(|at| sums[at] += sums[at + half]);
                }
                *cell = sums[0] + layer.bias[unit];
            }
        }
        layer.activation.apply(&mut next);
        values = next;
    }
    values
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn additions_are_in_the_order_that_is_written_down() {
    let game = Shuanglu::new(Default::default()).expect("the default rules");
    for (_, encoding) in Encoding::ALL {
        for units in
            [&[1][..], &[40, 1], &[7, 3], &[13, 9, 2], &[80, 40, 1], &[70, 3], &[300, 8, 5], &[9, 9, 9, 9]]
        {
            for (_, activation) in Activation::ALL {
                let inputs = Inputs::new(encoding, Shuanglu::OBSERVATION, Shuanglu::FEATURES);
                let layers = layers(inputs.len(), units, activation);
                let mlp = Mlp::new(inputs, layers.clone());
                assert_eq!(mlp.layers(), layers);
                for observation in observations(&game, 3) {
                    let expected = slowly(mlp.inputs(), &layers, &observation);
                    let mut out = vec![0.0; mlp.outputs()];
                    mlp.evaluate(&observation, &mut out);
                    assert_eq!(bits(&out), bits(&expected), "{encoding:?} {units:?} {activation:?}");
                }
            }
        }
    }
}

/// What comes out of one hidden layer of sigmoids, in f64 and by the system's mathematics.
fn of_one_hidden_layer(inputs: &[f32], layers: &[Layer]) -> Vec<f64> {
    let sums = |layer: &Layer, from: &[f64]| -> Vec<f64> {
        let rows = layer.weights.chunks_exact(from.len()).zip(&layer.bias);
        rows.map(|(row, &bias)| {
            row.iter().zip(from).map(|(&w, &x)| f64::from(w) * x).sum::<f64>() + f64::from(bias)
        })
        .collect()
    };
    let inputs: Vec<f64> = inputs.iter().map(|&x| f64::from(x)).collect();
    let sigmoid = |x: &f64| 1.0 / (1.0 + (-x).exp());
    let hidden: Vec<f64> = sums(&layers[0], &inputs).iter().map(sigmoid).collect();
    let out = sums(&layers[1], &hidden);
    match layers[1].activation {
        Activation::Tanh => out.iter().map(|x| x.tanh()).collect(),
        Activation::Sigmoid => out.iter().map(sigmoid).collect(),
        _ => out,
    }
}

#[test]
fn a_network_plays_rules_with_as_many_seats() {
    let sho = |players, teams| Sho::new(Rules { players, teams, ..Rules::default() }).expect("rules");
    let two = sho(2, false);
    let net = net(&two, &[4, 1]);
    assert_eq!(net.fits(&two), Ok(()));
    let refused = net.fits(&sho(4, true)).expect_err("two sides, but four seats");
    assert!(refused.contains("made for 2 players, and these rules of sho have 4"), "{refused}");
    assert!(net.fits(&Shah::new(Default::default()).expect("rules")).is_err());
}

#[test]
fn learning_goes_down_the_slope() {
    const SMALL: f32 = 1.0 / 512.0;
    let game = Shuanglu::new(Default::default()).expect("the default rules");
    let state = game.initial_state();
    for (units, last) in [
        ([5, 1], Activation::Tanh),
        ([11, 3], Activation::Identity),
        ([70, 2], Activation::Tanh),
        ([9, 3], Activation::Sigmoid),
    ] {
        let inputs = Inputs::new(Encoding::Unary, Shuanglu::OBSERVATION, Shuanglu::FEATURES);
        let mut before = layers(inputs.len(), &units, Activation::Sigmoid);
        before[1].activation = last;
        let mut mlp = Mlp::new(inputs, before.clone());
        let mut cells = vec![0; Shuanglu::OBSERVATION_LEN];
        game.observe(&state, Player(1), &mut cells);
        let mut seen = vec![0.0; mlp.inputs().len()];
        mlp.inputs().write(&cells, &mut seen);
        let targets = if last == Activation::Sigmoid { [0.75, 0.0, 0.25] } else { [0.75, -0.5, 0.25] };
        let targets = &targets[..units[1]];
        let rates = [0.01, 0.002];
        mlp.learn(&game, &state, Player(1), (rates[0], rates[1]), targets);
        let after = mlp.layers();
        let loss = |layers: &[Layer]| -> f64 {
            let out = of_one_hidden_layer(&seen, layers);
            let each = out.iter().zip(targets).map(|(&out, &target)| (out, f64::from(target)));
            each.map(|(out, target)| match last {
                // Cross-entropy.
                Activation::Sigmoid => -target * libm::log(out) - (1.0 - target) * libm::log(1.0 - out),
                _ => (target - out).powi(2) / 2.0,
            })
            .sum()
        };
        for layer in 0..2 {
            for at in 0..before[layer].weights.len() + units[layer] {
                let value = |layers: &[Layer]| match layers[layer].weights.get(at) {
                    Some(&weight) => weight,
                    None => layers[layer].bias[at - layers[layer].weights.len()],
                };
                let moved = |by: f32| {
                    let mut layers = before.clone();
                    let Layer { weights, bias, .. } = &mut layers[layer];
                    *weights.iter_mut().chain(bias).nth(at).expect("a number") += by;
                    (loss(&layers), f64::from(value(&layers)))
                };
                let ((above, high), (below, low)) = (moved(SMALL), moved(-SMALL));
                let slope = (above - below) / (high - low);
                let step = f64::from(value(&after)) - f64::from(value(&before));
                let due = -f64::from(rates[layer]) * slope;
                assert!((step - due).abs() < 2e-7, "{units:?}, layer {layer}, {at}: {step} {due}");
            }
        }
    }
}

#[test]
fn every_observation_fits_on_the_stack() {
    struct Each;
    impl Visit for Each {
        fn game<G: FullGame>(&mut self) {
            assert!(G::OBSERVATION_LEN <= MAX_CELLS, "{}", G::NAME);
            let game = G::new(Default::default()).expect("the default rules");
            for (_, encoding) in Encoding::ALL {
                let inputs = Inputs::new(encoding, G::OBSERVATION, G::FEATURES);
                let mut out = vec![0.0; inputs.len()];
                observations(&game, 50).iter().for_each(|observation| inputs.write(observation, &mut out));
            }
        }
    }
    games::visit(&mut Each);
}

#[test]
fn each_seat_gets_what_the_outputs_say_of_it() {
    let biased = |game: &str, rules: &str, cells: usize, outputs, bias: Vec<f32>| {
        let layer = Layer { weights: vec![0.0; cells * bias.len()], bias, activation: Activation::Identity };
        Net::new(game, rules, Encoding::Raw, outputs, "", None, &[layer]).expect("a network")
    };
    let game = Sho::new(Rules { players: 3, ..Rules::default() }).expect("rules");
    let mut state = game.initial_state();
    let dice = &mut Stream::new(1, 0);
    while game.player_on_turn(&state).is_none_or(|player| player == Player(0)) {
        let Turn::Player(_) = settle(&game, &mut state, dice, &mut ()) else { panic!("it goes on") };
        let action = game.legal_actions(&state).nth(0).expect("one");
        game.apply(&mut state, action, &mut ());
    }
    let viewer = game.player_on_turn(&state).expect("somebody").index();
    let three =
        biased("sho", r#"{"players": 3}"#, Sho::OBSERVATION_LEN, Outputs::Seats, vec![0.5, 0.25, -0.15]);
    let values = three.evaluate(&game, &state);
    for (after, value) in [0.3, 0.05, -0.35].into_iter().enumerate() {
        assert!((values.as_slice()[(viewer + after) % 3] - value).abs() < 1e-6, "{values:?}");
    }
    assert!(three.fits(&game).is_ok());
    let two = Sho::new(Rules { players: 2, ..Rules::default() }).expect("rules");
    assert_eq!(three.fits(&two).unwrap_err(), "is made for 3 players, and these rules of sho have 2");

    // Beyond what there is to win, and no number at all.
    let game = TshuPu::new(Default::default()).expect("the default rules");
    let state = game.initial_state();
    for (bias, value) in [(0.5, 0.5), (9.0, 1.0), (-9.0, -1.0)] {
        let one = biased("tshupu", "{}", TshuPu::OBSERVATION_LEN, Outputs::Viewer, vec![bias]);
        assert_eq!(one.evaluate(&game, &state).as_slice(), [value, -value, value, -value]);
        let mut seen = [0.0; 4];
        one.expect(&observations(&game, 1)[0], &mut seen);
        assert_eq!(seen, [bias, -bias, bias, -bias]);
    }
    assert_eq!(three.fits(&game).unwrap_err(), "is made for sho and does not play tshupu");
}

/// Plays a game to its end, or for so many decisions.
fn play<G: FullGame>(game: &G, agent: &Agent, most: usize) -> Vec<u16> {
    let (mut state, mut streams) = (game.initial_state(), Streams::new(5, 0));
    let bound = agent.bind(game).unwrap_or_else(|error| panic!("{agent}: {error}"));
    let mut actions = Vec::new();
    while let Turn::Player(player) = settle(game, &mut state, &mut streams.dice, &mut ()) {
        let legal = game.legal_actions(&state);
        let rng = &mut streams.seats[player.index()];
        let action =
            bound.choose(game, &state, legal, rng, &Control::default(), &mut None).expect("it can choose");
        assert!(legal.contains(action), "{agent}");
        game.apply(&mut state, action, &mut ());
        actions.push(action.0);
        if actions.len() == most {
            break;
        }
    }
    actions
}

#[test]
fn agents_play_by_networks_in_every_preset_of_every_game() {
    struct Each;
    impl Visit for Each {
        fn game<G: FullGame>(&mut self) {
            for preset in G::PRESETS {
                let game = G::new((preset.rules)()).expect("a preset");
                let named = Named::of(net(&game, &[9, game.num_players()]));
                let name = named.name();
                let mut agents = vec![(format!("net:{name}"), 400), (format!("mcts:4,net={name}"), 20)];
                agents.push((format!("expectimax:1,filter=2/2,net={name}"), 60));
                agents.push((format!("epsilon:0.1[net:{name}]"), 100));
                if !G::DICE {
                    agents.push((format!("alphabeta:2,table_mb=1,net={name}"), 60));
                }
                for (name, most) in agents {
                    let agent: Agent = name.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
                    assert_eq!(agent.to_string(), name);
                    assert_eq!(play(&game, &agent, most), play(&game, &agent, most), "{name}");
                }
            }
        }
    }
    games::visit(&mut Each);
}

#[test]
fn names_of_agents_say_which_network_they_play_by() {
    let game = Shah::new(Default::default()).expect("the default rules");
    let own = net(&game, &[8, 1]);
    let named = Named::of(own.clone());
    let name = named.name();
    assert_eq!(name, format!("sha256:{}", &own.digest()[..16]));
    assert!(
        Arc::ptr_eq(&named, &Named::of(own))
            && Arc::ptr_eq(&named, &Named::parse(name).expect("it is known"))
    );
    for (given, canonical) in [
        (format!("alphabeta:8,table_mb=64,net={name}"), format!("alphabeta:8,net={name}")),
        (format!("alphabeta:8,net={name},tables=a,b"), format!("alphabeta:8,net={name},tables=a,b")),
        (
            format!("mcts:9,priors=greedy,solver=false,net={name}"),
            format!("mcts:9,priors=greedy,solver=false,net={name}"),
        ),
    ] {
        let agent: Agent = given.parse().unwrap_or_else(|error| panic!("{given}: {error}"));
        assert_eq!(agent.to_string(), canonical);
        assert_eq!(canonical.parse().as_ref(), Ok(&agent));
        assert!(agent.describe()["parameters"]["evaluator"] == format!("net:{name}"), "{given}");
    }
    for (given, why) in [
        ("net".to_owned(), "needs the file of a network, as in \"net:FILE\""),
        ("net:".to_owned(), "needs the file of a network"),
        ("expectimax:1,net=".to_owned(), "needs the file of a network"),
        ("net:no/such/file".to_owned(), "cannot read the network 'no/such/file'"),
        ("net:src".to_owned(), "cannot read the network 'src': it is no file"),
        ("net:Cargo.toml".to_owned(), "'Cargo.toml' is no network that can be used: it is damaged"),
        ("net:sha256:0123456789abcdef".to_owned(), "no network of this process is"),
        (format!("greedy,net={name}"), "unknown agent"),
        (format!("mcts:9,playout=greedy,net={name}"), "a network beside a playout"),
    ] {
        let error = given.parse::<Agent>().expect_err(&given).to_string();
        assert!(error.contains(why), "{given}: {error}");
    }
    let agent: Agent = format!("mixture:1[greedy]+1[expectimax:1,net={name}]").parse().expect("a mixture");
    let other = TshuPu::new(Default::default()).expect("the default rules");
    let error = agent.bind(&other).unwrap_err().to_string();
    let due =
        format!("the network of agent 'expectimax:1,net={name}' is made for shah and does not play tshupu");
    assert_eq!(error, due);
}

#[test]
fn a_network_lives_as_long_as_somebody_holds_it_and_so_does_its_name() {
    let game = Shah::new(Default::default()).expect("the default rules");
    let path = std::env::temp_dir().join(format!("sarai-{}-freed.safetensors", std::process::id()));
    let own = net(&game, &[7, 1]);
    std::fs::write(&path, own.bytes()).expect("a file");
    let named = Named::of(own);
    let (name, file) = (named.name().to_owned(), path.to_str().expect("a path"));
    for text in [
        format!("net:{name}"),
        format!("mcts:9,net={name}"),
        format!("mixture:1[greedy]+1[epsilon:0.5[expectimax:1,net={name}]]"),
        format!("alphabeta:2,net={file}"),
    ] {
        let agent: Agent = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let again: Agent = agent.to_string().parse().expect("it parses back");
        assert_eq!(agent, again);
        play(&game, &agent, 4);
    }
    let (known, left) = (Arc::downgrade(&named), Named::parse(file).expect("the file is there"));
    let read = Arc::downgrade(&left);
    drop((named, left));
    assert!(known.upgrade().is_none() && read.upgrade().is_none());
    let error = format!("net:{name}").parse::<Agent>().expect_err("nobody holds it").to_string();
    assert!(error.contains("keep the network or an agent"), "{error}");
    std::fs::remove_file(path).expect("it was there");
}
