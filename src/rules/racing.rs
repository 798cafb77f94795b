//! What a game tells the bear-off: where the pieces of a side stand once all of them are home and nothing is in their way.

use crate::rules::game::Game;
use crate::rules::player::Player;

/// How many points a home has.
pub const HOME: usize = 6;

/// How many pieces stand on each point of a side's home, the nearest to the end first.
pub type Placing = [u8; HOME];

/// A game of two sides with dice that ends with pieces borne off from six points, where the sides no longer meet.
///
/// A turn is a throw and what is played by it, or nothing where nothing can be; each step brings pieces nearer to the end.
pub trait BearsOff: Game {
    /// How many pieces a side has.
    fn pieces(&self) -> u8;

    /// The rules on which values depend, with what they are, in the order of the rule book.
    fn decisive_rules(&self) -> Vec<(&'static str, String)>;

    /// Where the pieces of a seat stand that are still on the board; `None` before all are home and no enemy can meet them.
    fn placing(&self, state: &Self::State, seat: Player) -> Option<Placing>;

    /// The state in which seat 0 is to throw and the seats' pieces stand like this, all others borne off; the clock has
    /// just begun.
    fn race(&self, placings: [Placing; 2]) -> Self::State;
}
