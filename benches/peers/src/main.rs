//! Plays random games of one engine on one thread and prints what that took:
//!
//!     sarai-peers bkgm backgammon 5000 1
//!     sarai-peers sarai shuanglu/backgammon 5000 1
//!
//! The arguments are the engine, its game (Sarai: `game` or `game/preset`), the number of games and the seed. Printed
//! are a line of games, seconds, and decisions, in its units: plies in bkgm, actions in Sarai.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use bkgm::dice_gen::{DiceGen, FastrandDice};
use bkgm::variants::BACKGAMMON;
use bkgm::{ClassicRules, GameState, State, legal_positions_with};
use fastrand::Rng;
use sarai::agents::Agent;
use sarai::api::registry;
use sarai::base::Control;
use sarai::play::{RunConfig, Seat};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Random games of bkgm from the opening throw to the win: one of the positions that a throw allows is drawn.
fn bkgm_games(games: u64, seed: u64) -> u64 {
    let mut dice = FastrandDice::with_seed(seed);
    let mut rng = Rng::with_seed(!seed);
    let mut plies = 0;
    for _ in 0..games {
        let mut position = BACKGAMMON;
        let mut throw = dice.roll_mixed();
        while position.game_state() == GameState::Ongoing {
            let ends = legal_positions_with::<ClassicRules, 15>(position, &throw);
            position = ends[rng.usize(..ends.len())];
            throw = dice.roll();
            plies += 1;
        }
        black_box(position);
    }
    plies
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engine, game, games, seed] = arguments.as_slice() else {
        return Err("usage: sarai-peers ENGINE GAME[/PRESET] GAMES SEED".into());
    };
    let (games, seed): (u64, u64) = (games.parse()?, seed.parse()?);
    let (decisions, seconds) = match (engine.as_str(), game.as_str()) {
        ("bkgm", "backgammon") => {
            let start = Instant::now();
            (bkgm_games(games, seed), start.elapsed())
        }
        ("sarai", _) => {
            let (name, preset) = match game.split_once('/') {
                Some((name, preset)) => (name, Some(preset)),
                None => (game.as_str(), None),
            };
            let game = registry::find(name)?.make(preset, "{}")?;
            let seats = vec![Seat::Inside(Agent::Random); game.num_players()];
            let start = Instant::now();
            let mut rollout = game.run(RunConfig::new(seats, games, seed))?;
            rollout.advance(&Control::default())?;
            let lengths = rollout.found().into_columns().lengths;
            (lengths.iter().map(|&length| length as u64).sum(), start.elapsed())
        }
        _ => {
            return Err(format!(
                "no engine '{engine}' that plays '{game}'; there are bkgm (backgammon) and sarai"
            )
            .into());
        }
    };
    println!("{games} {} {decisions}", seconds.as_secs_f64());
    Ok(())
}
