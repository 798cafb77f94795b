//! Counts of paths, for tests and for comparison with other engines.

use crate::chance::Outcome;
use crate::game::{Game, Turn};

/// How many ways there are to play `depth` steps on, where a step is an action or a chance outcome and every outcome
/// counts once, whatever its weight. A game that ends sooner has no way to go on.
///
/// ```
/// use sarai::games::sho::Sho;
/// use sarai::{Game, perft};
/// let game = Sho::new(Default::default())?;
/// // 21 throws; after each but 1-1 one hand coin may move, after 1-1 there are 21 throws more.
/// assert_eq!(perft(&game, &game.initial_state(), 1), 21);
/// assert_eq!(perft(&game, &game.initial_state(), 2), 20 + 21);
/// # Ok::<(), sarai::error::RulesError>(())
/// ```
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match game.turn(state) {
        Turn::Over => 0,
        Turn::Chance => (0..game.chance(state).weights().len() as u8)
            .map(|outcome| {
                let mut next = *state;
                game.resolve(&mut next, Outcome(outcome), &mut ());
                perft(game, &next, depth - 1)
            })
            .sum(),
        Turn::Player(_) => {
            let legal = game.legal_actions(state);
            if depth == 1 {
                return legal.len() as u64;
            }
            legal
                .into_iter()
                .map(|action| {
                    let mut next = *state;
                    game.apply(&mut next, action, &mut ());
                    perft(game, &next, depth - 1)
                })
                .sum()
        }
    }
}
