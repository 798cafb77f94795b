//! The bear-off: how many turns a side needs to bring its last pieces off, and who wins where both do.
//!
//! The game itself plays every throw; nothing here knows a rule. What is played brings pieces nearer to the end, so that
//! placings are solved by their number of pips, and only a throw that nothing can be played by leaves everything as it is.
//! The mean number of turns `e` of a placing is then given by `e = 1 + p e + sum`, where `p` is the share of such throws, and
//! the chances of two sides against each other by two equations of this kind.

use std::any::Any;

use super::same_values;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::memory::zeros;
use crate::rules::{Chance, Game, Outcome, Player, Position, Turn, const_for};

/// The most pieces of each side that two-sided values are worked out for: 5,005 placings, 25 million values.
pub const MOST_AGAINST: u8 = 9;

/// A distribution ends where no more than this is left.
const REST: f64 = 1e-12;

/// How many placings are solved between two looks at the control.
const STRIDE: usize = 1 << 8;

/// How many points a home has.
pub const HOME: usize = 6;

/// How many pieces stand on each point of a side's home, the nearest to the end first.
pub type Placing = [u8; HOME];

/// A game of two sides with dice that ends with pieces borne off from six points, where the sides no longer meet.
///
/// A turn is a throw and what is played by it, or nothing where nothing can be; each step brings pieces nearer to the end.
pub trait BearsOff: Game {
    /// The rules on which values depend, in the order of the rule book.
    const DECISIVE: &'static [&'static str];

    /// How many pieces a side has.
    fn pieces(&self) -> u8;

    /// Where the pieces of a seat stand that are still on the board; `None` before all are home and no enemy can meet them.
    fn placing(&self, state: &Self::State, seat: Player) -> Option<Placing>;

    /// The state in which seat 0 is to throw and the seats' pieces stand like this, all others borne off; the clock has
    /// just begun.
    fn race(&self, placings: [Placing; 2]) -> Self::State;
}

/// Any rule book that bears off.
pub trait AnyRacing: Send + Sync {
    /// Solves its bear-off for all pieces of one side, and for so many of each side against each other.
    ///
    /// # Errors
    /// When so many cannot be solved, there is no memory, or it was stopped.
    fn solve_bear_off(&self, against: u8, control: &Control) -> Result<Box<dyn AnyBearOff>, Error>;
}

impl<G: BearsOff> AnyRacing for G {
    fn solve_bear_off(&self, against: u8, control: &Control) -> Result<Box<dyn AnyBearOff>, Error> {
        Ok(Box::new(solve(self, against, control)?))
    }
}

/// Any [`BearOff`].
pub trait AnyBearOff: Send + Sync {
    /// Every placing, at its number.
    fn placings(&self) -> &[Placing];

    /// The average number of turns that each placing takes, in their order, when each turn is played for the least.
    fn all_turns(&self) -> &[f64];

    /// The same of one placing; `None` where there are too many pieces.
    fn turns(&self, placing: &Placing) -> Option<f64>;

    /// The share of games in which a placing takes 0, 1, 2, ... turns, until no more than 1e-12 is left, when each turn is
    /// played for the least on average; `None` where there are too many pieces.
    fn distribution(&self, placing: &Placing) -> Option<Vec<f64>>;

    /// What the player to throw or to play in a [`Position`] may expect, of 1 for a win; `None` where a side is not home, has
    /// too many pieces, or the game has not begun or is over. It fails where the position is of other rules.
    fn value(&self, position: &dyn Any) -> Result<Option<f64>, Error>;
}

/// The bear-off of one rule book.
#[derive(Debug)]
pub struct BearOff<G> {
    game: G,
    chance: &'static Chance,
    /// By their number of pieces, then by the pieces on the nearest point, on the next, and so on; the first is empty.
    placings: Vec<Placing>,
    /// Turns to the end, on average.
    turns: Vec<f64>,
    /// What is played: for each placing and throw the placing after it, its own where nothing can be played.
    played: Vec<u32>,
    /// For each placing with few pieces and each throw, where `ends` begins: the placings that it can lead to.
    begins: Vec<u32>,
    ends: Vec<u32>,
    /// How many placings have at most as many pieces as are solved against each other.
    few: usize,
    /// For the side to throw and the other, both of few pieces: what the first may expect of 1 for a win.
    against: Vec<f64>,
}

/// All placings of up to so many pieces, see [`AnyBearOff::placings`].
fn placings(most: u8) -> Vec<Placing> {
    fn fill(placing: &mut Placing, point: usize, left: u8, all: &mut Vec<Placing>) {
        if point == HOME - 1 {
            placing[point] = left;
            return all.push(*placing);
        }
        for pieces in 0..=left {
            placing[point] = pieces;
            fill(placing, point + 1, left - pieces, all);
        }
    }
    let mut all = Vec::new();
    (0..=most).for_each(|pieces| fill(&mut [0; HOME], 0, pieces, &mut all));
    all
}

/// How many ways there are to put so many pieces on so many points, or aside.
const fn ways(pieces: usize, points: usize) -> usize {
    let mut ways = 1;
    const_for!(1, points + 1, |point| {
        ways = ways * (pieces + point) / point;
    });
    ways
}

/// The most pieces that a placing is numbered with.
const MOST: usize = 15;

/// [`ways`] of up to [`MOST`] pieces.
static WAYS: [[u32; HOME + 1]; MOST + 1] = {
    let mut all = [[0; HOME + 1]; MOST + 1];
    const_for!(0, all.len() * (HOME + 1), |at| {
        all[at / (HOME + 1)][at % (HOME + 1)] = ways(at / (HOME + 1), at % (HOME + 1)) as u32;
    });
    all
};

/// The place among [`AnyBearOff::placings`] of one with so many pieces in all, at most [`MOST`].
fn number(placing: &Placing, pieces: usize) -> u32 {
    let mut left = pieces;
    let mut number = if pieces == 0 { 0 } else { WAYS[pieces - 1][HOME] };
    for (point, &here) in placing[..HOME - 1].iter().enumerate() {
        let after = left - here as usize;
        // Those with fewer pieces here: the rest of them stand on the points that follow.
        number += WAYS[left][HOME - 1 - point] - WAYS[after][HOME - 1 - point];
        left = after;
    }
    number
}

fn pips(placing: &Placing) -> usize {
    placing.iter().enumerate().map(|(point, &pieces)| (point + 1) * pieces as usize).sum()
}

/// See [`AnyRacing::solve_bear_off`].
///
/// # Errors
/// As there.
///
/// ```
/// use sarai::Game;
/// use sarai::base::control::Control;
/// use sarai::exact::bear_off::{AnyBearOff, solve};
/// use sarai::games::shuanglu::Shuanglu;
/// let game = Shuanglu::new((Shuanglu::PRESETS[1].rules)())?;
/// let solved = solve(&game, 2, &Control::default())?;
/// // In Western backgammon a piece on 6 goes off by 27 throws of 36; otherwise it takes two turns.
/// assert!((solved.turns(&[0, 0, 0, 0, 0, 1]).unwrap() - 1.25).abs() < 1e-15);
/// assert!(solve(&game, 15, &Control::default()).is_err());
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn solve<G: BearsOff>(game: &G, against: u8, control: &Control) -> Result<BearOff<G>, Error> {
    if game.pieces() as usize > MOST {
        return Err(Error::new(format!("a side of {} has more than {MOST} pieces", G::NAME)));
    }
    if against > MOST_AGAINST {
        return Err(Error::new(format!("pieces got {against}; it takes 0 to {MOST_AGAINST}")));
    }
    let game = game.without_limits();
    let placings = placings(game.pieces());
    let few = placings.iter().take_while(|placing| placing.iter().sum::<u8>() <= against).count();
    let chance = game.chance(&game.race([placings[1], placings[1]]));
    let throws = chance.weights().len();
    let mut solved = BearOff {
        turns: vec![0.0; placings.len()],
        played: vec![0; placings.len() * throws],
        begins: vec![0; few * throws + 1],
        ends: Vec::new(),
        against: Vec::new(),
        game,
        chance,
        placings,
        few,
    };
    solved.one_side(control)?;
    solved.both_sides(control)?;
    Ok(solved)
}

/// What is kept while all ways to play a turn are followed.
struct Way<S> {
    /// The positions on the way, each once, with the one before it that has the same placing; 0, the first, for none.
    positions: Vec<(S, u32)>,
    /// The placings in which the turn can end, each once.
    ends: Vec<u32>,
    /// Which turn is followed.
    turn: u32,
    /// For each placing, when it was met.
    met: Vec<Met>,
}

/// When a placing was last met: in which turn, whether that turn can end in it, and the last position with it.
#[derive(Clone, Copy, Default)]
struct Met {
    turn: u32,
    ended: bool,
    last: u32,
}

impl<S> Way<S> {
    fn new(placings: usize) -> Way<S> {
        Way { positions: Vec::new(), ends: Vec::new(), turn: 0, met: vec![Met::default(); placings] }
    }
}

impl<G: BearsOff> BearOff<G> {
    fn number(&self, placing: &Placing) -> Option<usize> {
        let pieces = placing.iter().map(|&pieces| pieces as usize).sum();
        (pieces <= self.game.pieces() as usize).then(|| number(placing, pieces) as usize)
    }

    /// What the player to throw or to play may expect.
    fn at(&self, state: &G::State) -> Option<f64> {
        let player = self.game.player_on_turn(state)?;
        let of = |state: &G::State, seat: Player| {
            let number = self.number(&self.game.placing(state, seat)?)?;
            (number < self.few).then_some(number)
        };
        let other = Player(1 - player.0);
        let (own, enemy) = (of(state, player)?, of(state, other)?);
        if self.game.turn(state) == Turn::Chance {
            return Some(self.against[own * self.few + enemy]);
        }
        // In the middle of a turn: the best in which it can end.
        let mut way = Way::new(self.few);
        self.ends_of(&self.game.key(state), player, &mut way).ok()?;
        let worth = |left: u32| if left == 0 { 1.0 } else { -self.against[enemy * self.few + left as usize] };
        way.ends.into_iter().map(worth).reduce(f64::max)
    }

    /// The placings in which a turn of a player can end, each once and in no order; none where nobody is to act.
    fn ends_of(&self, state: &G::State, player: Player, way: &mut Way<G::State>) -> Result<(), Error> {
        way.positions.clear();
        way.ends.clear();
        if self.game.turn(state) == Turn::Player(player) {
            way.positions.push((*state, 0));
        }
        way.turn += 1;
        let mut at = 0;
        while at < way.positions.len() {
            let (before, _) = way.positions[at];
            at += 1;
            for action in self.game.legal_actions(&before) {
                let mut next = before;
                self.game.apply(&mut next, action, &mut ());
                let placing = self
                    .game
                    .placing(&next, player)
                    .ok_or_else(|| Error::new(format!("in {} a step leads out of home", G::NAME)))?;
                let number = self.number(&placing).expect("no step adds pieces");
                let met = &mut way.met[number];
                if met.turn != way.turn {
                    *met = Met { turn: way.turn, ended: false, last: 0 };
                }
                if self.game.turn(&next) != Turn::Player(player) {
                    if !std::mem::replace(&mut met.ended, true) {
                        way.ends.push(number as u32);
                    }
                    continue;
                }
                let mut known = met.last;
                while known != 0 && way.positions[known as usize].0 != next {
                    known = way.positions[known as usize].1;
                }
                if known == 0 {
                    let earlier = std::mem::replace(&mut met.last, way.positions.len() as u32);
                    way.positions.push((next, earlier));
                }
            }
        }
        Ok(())
    }

    /// The least turns of each placing, and what is played by each throw.
    fn one_side(&mut self, control: &Control) -> Result<(), Error> {
        let mut order: Vec<u32> = (1..self.placings.len() as u32).collect();
        order.sort_by_key(|&number| pips(&self.placings[number as usize]));
        let throws = self.chance.weights().len();
        let nearest = std::array::from_fn(|point| (point == 0) as u8);
        let mut way = Way::new(self.placings.len());
        // Those of few pieces, by their number: all that each throw can lead to.
        let mut reached: Vec<Vec<u32>> = vec![Vec::new(); self.few * throws];
        for (count, number) in order.into_iter().enumerate() {
            if count % STRIDE == 0 {
                control.check()?;
            }
            let number = number as usize;
            let start = self.game.race([self.placings[number], nearest]);
            let (mut sum, mut stays) = (0.0, 0);
            for (throw, &weight) in self.chance.weights().iter().enumerate() {
                let mut state = start;
                self.game.resolve(&mut state, Outcome(throw as u8), &mut ());
                self.ends_of(&state, Player(0), &mut way)?;
                let turns = |number: u32| self.turns[number as usize];
                let less =
                    |one: &u32, other: &u32| turns(*one).total_cmp(&turns(*other)).then(one.cmp(other));
                let best = way.ends.iter().copied().min_by(less);
                if number < self.few {
                    reached[number * throws + throw].extend(&way.ends);
                }
                match best {
                    Some(best) => sum += weight as f64 * self.turns[best as usize],
                    None => stays += weight,
                }
                self.played[number * throws + throw] = best.unwrap_or(number as u32);
            }
            let total = self.chance.total();
            self.turns[number] = (total as f64 + sum) / (total - stays) as f64;
        }
        for (at, reached) in reached.into_iter().enumerate() {
            self.begins[at] = self.ends.len() as u32;
            self.ends.extend(reached);
        }
        self.begins[self.few * throws] = self.ends.len() as u32;
        Ok(())
    }

    /// What the side to throw may expect against another.
    fn both_sides(&mut self, control: &Control) -> Result<(), Error> {
        self.against = zeros(self.few * self.few)?;
        let pips: Vec<usize> = self.placings[..self.few].iter().map(pips).collect();
        let most = pips.iter().copied().max().unwrap_or(0);
        let mut of: Vec<Vec<u32>> = vec![Vec::new(); most + 1];
        for (number, &pips) in pips.iter().enumerate().skip(1) {
            of[pips].push(number as u32);
        }
        for sum in 2..=2 * most {
            for own in 1.max(sum.saturating_sub(most))..=(sum / 2).min(most) {
                control.check()?;
                for &one in &of[own] {
                    for &other in &of[sum - own] {
                        self.settle(one as usize, other as usize);
                    }
                }
            }
        }
        Ok(())
    }

    /// Two placings against each other, whichever throws, after all that follow.
    fn settle(&mut self, one: usize, other: usize) {
        // Both have: value = gains - stays * value of the other.
        let [(gains, stays), (other_gains, other_stays)] = [self.gains(one, other), self.gains(other, one)];
        let value = (gains - stays * other_gains) / (1.0 - stays * other_stays);
        self.against[one * self.few + other] = value;
        self.against[other * self.few + one] = other_gains - other_stays * value;
    }

    /// What a side to throw gains by the throws by which it can play, and the share of the others.
    fn gains(&self, own: usize, enemy: usize) -> (f64, f64) {
        let weights = self.chance.weights();
        let (mut sum, mut stays) = (0.0, 0);
        for (throw, &weight) in weights.iter().enumerate() {
            let at = own * weights.len() + throw;
            let ends = &self.ends[self.begins[at] as usize..self.begins[at + 1] as usize];
            let worth =
                |&end: &u32| if end == 0 { 1.0 } else { -self.against[enemy * self.few + end as usize] };
            match ends.iter().map(worth).reduce(f64::max) {
                Some(best) => sum += weight as f64 * best,
                None => stays += weight,
            }
        }
        let total = self.chance.total() as f64;
        (sum / total, stays as f64 / total)
    }
}

impl<G: BearsOff> AnyBearOff for BearOff<G> {
    fn placings(&self) -> &[Placing] {
        &self.placings
    }

    fn all_turns(&self) -> &[f64] {
        &self.turns
    }

    fn turns(&self, placing: &Placing) -> Option<f64> {
        self.number(placing).map(|number| self.turns[number])
    }

    fn distribution(&self, placing: &Placing) -> Option<Vec<f64>> {
        let start = self.number(placing)?;
        let throws = self.chance.weights().len();
        let mut now = vec![0.0; self.placings.len()];
        let mut next = now.clone();
        now[start] = 1.0;
        let (mut shares, mut left) = (Vec::new(), 1.0);
        loop {
            let off = std::mem::take(&mut now[0]);
            shares.push(off);
            left -= off;
            if left <= REST {
                return Some(shares);
            }
            for (number, share) in now.iter_mut().enumerate() {
                if *share == 0.0 {
                    continue;
                }
                for (throw, &weight) in self.chance.weights().iter().enumerate() {
                    let after = self.played[number * throws + throw];
                    next[after as usize] += *share * weight as f64 / self.chance.total() as f64;
                }
                *share = 0.0;
            }
            std::mem::swap(&mut now, &mut next);
        }
    }

    fn value(&self, position: &dyn Any) -> Result<Option<f64>, Error> {
        let position = position.downcast_ref::<Position<G>>();
        same_values("the bear-off is", &self.game, position.map(Position::game), G::DECISIVE)?;
        Ok(position.and_then(|position| self.at(position.state())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_placing_has_its_number() {
        for (at, placing) in placings(MOST as u8).iter().enumerate() {
            assert_eq!(number(placing, placing.iter().map(|&pieces| pieces as usize).sum()), at as u32);
        }
    }
}
