//! Where pieces stand.

use crate::rules::game::Game;
use crate::rules::player::Side;

/// The places of a board, and what stands on them. A game implements it in its `places.rs`.
///
/// ```
/// use sarai::games::shah::Shah;
/// use sarai::{Action, Game, Places, Side};
/// let game = Shah::new(Default::default())?;
/// let mut state = game.initial_state();
/// game.apply(&mut state, Action(4), &mut ());
/// let mut found = Vec::new();
/// game.standing(&state, &mut |place, side, pieces| found.push((game.place_name(place), side, pieces)));
/// assert_eq!(found, [("d6".to_owned(), Side(0), 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Places: Game {
    /// How many places the board has where pieces stand; what is in hand or off stands nowhere.
    fn num_places(&self) -> usize;

    /// What a place is called, as names of actions have it; seen by seat 0 where seats number the board differently. The
    /// drawing of the game knows it by this name.
    fn place_name(&self, place: usize) -> String;

    /// Tells of each place where pieces stand, of which side, and how many; a place may come more than once.
    fn standing(&self, state: &Self::State, tell: &mut impl FnMut(usize, Side, u8));
}
