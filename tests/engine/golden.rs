//! Games written down once and played again: a change that nobody meant shows as a difference here.
//!
//! `UPDATE_GOLDEN=1 cargo test --test engine golden` writes the files anew after a change that was meant; with the name of a game
//! in place of 1, those of that game.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::common::{Case, pick, preset_cases};
use crate::rollout::kept;
use sarai::agents::Agent;
use sarai::agents::rng::Stream;
use sarai::base::control::Control;
use sarai::play::game_in_play::Seat;
use sarai::play::position::AnyPosition;
use sarai::play::run::RunConfig;
use sarai::{Player, Turn};

/// Steps at the beginning of a game that a transcript holds.
const BEGINNING: usize = 8;
/// Steps from the middle of the game on.
const MIDDLE: usize = 32;

fn path(case: &Case) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    folder.join(format!("{}.txt", case.label.replace('/', "-")))
}

/// A sum over the observation of each viewer that depends on every cell and its place.
fn fingerprint(case: &Case, position: &dyn AnyPosition) -> u32 {
    let mut sum = 0u32;
    for viewer in 0..case.game.num_players() as u8 {
        let mut cells = vec![0; case.game.observation_len()];
        position.observe(Player(viewer), &mut cells);
        for cell in cells {
            sum = sum.wrapping_mul(31).wrapping_add(cell as u8 as u32);
        }
    }
    sum
}

/// A seeded random game for people to read: how it begins, a part of its middle, and its end.
fn transcript(case: &Case, seed: u64) -> String {
    let mut steps = Vec::new();
    let mut rng = Stream::new(seed, 0);
    let mut position = case.game.new_position();
    while let Some(id) = pick(&*position, &mut rng) {
        steps.push(step(case, &*position, id));
        position.play_any(id).expect("what was picked is legal");
    }
    let middle = steps.len() / 2;
    let mut text =
        format!("# {}, a random game of {} steps; see tests/engine/golden.rs\n", case.label, steps.len());
    let _ = writeln!(text, "# rules {}", case.game.rules());
    for (number, step) in steps.iter().enumerate() {
        if number < BEGINNING || (middle..middle + MIDDLE).contains(&number) {
            let _ = write!(text, "\n{number}: {step}");
        }
    }
    let _ = write!(
        text,
        "\n{}: {}\n   returns {:?}\n",
        steps.len(),
        position.text(),
        position.returns().as_slice()
    );
    text
}

/// Whole games of the agents inside the engine, by what was played: their choices, dice and streams are promises too.
fn agents(case: &Case) -> String {
    let mut text = String::new();
    let names = [
        "random",
        "greedy",
        "mcts:12",
        "mcts:12,solver=false",
        "mcts:12,reuse_tree=true",
        "expectimax:2",
        "alphabeta:4",
    ];
    for name in names {
        let agent: Agent = name.parse().expect("an agent");
        let seats = vec![Seat::Inside(agent.clone()); case.game.num_players()];
        let config =
            RunConfig { first: 5, collect: kept(None, (0..2).collect()), ..RunConfig::new(seats, 2, 26) };
        let mut rollout = match case.game.run(config) {
            // It plays the games of two without chance alone.
            Err(_) if name.starts_with("alphabeta") => continue,
            rollout => rollout.expect("a rollout"),
        };
        assert_eq!(rollout.advance(&Control::default()), Ok(true));
        for (row, path) in rollout.found().into_columns().paths {
            let sum = path.iter().fold(0u32, |sum, &id| sum.wrapping_mul(31).wrapping_add(id as u32));
            let begins: Vec<String> = path.iter().take(24).map(u16::to_string).collect();
            let (steps, game) = (path.len(), row + 5);
            let _ =
                write!(text, "\n{agent}, game {game}: {steps} steps, {sum:08x}: {} ...", begins.join(" "));
        }
    }
    text + "\n"
}

/// The position, what may be played there, and what is.
fn step(case: &Case, position: &dyn AnyPosition, id: i64) -> String {
    let mut text = format!("{}\n   observations {:08x}\n", position.text(), fingerprint(case, position));
    if position.turn() == Turn::Chance {
        let _ = writeln!(text, "   outcome {}", position.outcome_name(id).expect("an outcome"));
    } else {
        let legal = position.legal_actions();
        let names = legal.iter().map(|action| position.action_name(action.0 as i64).expect("legal"));
        let _ = writeln!(text, "   legal {}", names.collect::<Vec<_>>().join(", "));
        let _ = writeln!(text, "   plays {} ({id})", position.action_name(id).expect("legal"));
    }
    text
}

#[test]
fn games_are_those_written_down() {
    let update = env::var("UPDATE_GOLDEN").unwrap_or_default();
    let mut last_game = "";
    let mut seed = 0;
    for case in preset_cases() {
        // Counted within a game, so that another game in the registry changes no file.
        seed = if case.game.name() == last_game { seed + 1 } else { 0 };
        last_game = case.game.name();
        let (path, text) = (path(&case), transcript(&case, seed) + &agents(&case));
        if update == "1" || update == last_game {
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder that can be made");
            fs::write(&path, &text).expect("a file that can be written");
            continue;
        }
        let again = "if the change is meant, run UPDATE_GOLDEN=1 cargo test --test engine golden and look at the diff";
        let golden = fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}; {again}", path.display()))
            .replace("\r\n", "\n");
        let differs = golden.lines().zip(text.lines()).position(|(was, is)| was != is);
        if let Some(line) = differs {
            let [was, is] = [&golden, &text].map(|text| text.lines().nth(line).unwrap_or_default());
            panic!("{}:{}\n  was {was}\n  is  {is}\n{again}", path.display(), line + 1);
        }
        assert_eq!(golden.len(), text.len(), "{} has another length; {again}", path.display());
    }
    // A file that no preset has any more would never be compared again.
    let due: Vec<PathBuf> = preset_cases().iter().map(path).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for entry in fs::read_dir(&folder).expect("tests/golden") {
        let file = entry.expect("a readable folder").path();
        assert!(due.contains(&file), "{} belongs to no preset; remove it", file.display());
    }
}
