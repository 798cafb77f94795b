//! Looking some turns ahead, in games of two without chance: alpha-beta over the ends of turns.

use super::{MOST_ENDS, Trainer};
use crate::agents::turns::TurnEnds;
use crate::base::{Error, multiversion};
use crate::rules::{FullGame, PerPlayer, Player, Turn};

/// A win that tables promise in so many turns counts as a draw, so that sooner ones are better. None takes half as many.
const NEVER: f64 = 1000.0;

/// The ends of one turn on the way.
#[derive(Debug)]
pub(super) struct Level<S> {
    /// The ends.
    pub turns: TurnEnds<S>,
    /// Their indices, those that look best first.
    order: Vec<(f64, usize)>,
}

impl<S> Default for Level<S> {
    fn default() -> Self {
        Level { turns: TurnEnds::default(), order: Vec::new() }
    }
}

impl<G: FullGame> Trainer<G> {
    /// The best of the ends of the first turn after looking ahead, and what both players may expect there.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn searched(
        &mut self,
        first: &mut Level<G::State>,
        player: Player,
    ) -> Result<(usize, PerPlayer<f64>), Error> {
        self.rank(first, player);
        let mut best = (first.order[0].1, f64::NEG_INFINITY);
        for &(_, at) in &first.order {
            let end = *first.turns.end(at);
            let ahead = self.training.ahead - 1;
            let node = End { trainer: self, end, player, ahead, level: 1, low: best.1, high: f64::INFINITY };
            let value = node_value(node)?;
            if value > best.1 {
                best = (at, value);
            }
        }
        let mut values = PerPlayer::new(2, -best.1);
        values[player] = best.1;
        Ok((best.0, values))
    }

    /// Puts the ends that look best to a player first.
    #[cfg_attr(fast, inline(always))]
    fn rank(&mut self, level: &mut Level<G::State>, player: Player) {
        let Level { turns, order } = level;
        order.clear();
        order.extend((0..turns.len()).map(|at| (self.values(turns.end(at))[player], at)));
        order.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    }

    /// What tables know of a position, to the player to act.
    #[cfg_attr(fast, inline(always))]
    fn certain(&self, state: &G::State) -> Result<Option<f64>, Error> {
        let Some(oracle) = &self.oracle else { return Ok(None) };
        let worth = oracle.value_of_tabled(state)?;
        Ok(worth.map(|worth| f64::from(worth.value) * (1.0 - f64::from(worth.turns.unwrap_or(0)) / NEVER)))
    }

    /// What a position is worth to the player to act who looks so many turns ahead; what is outside `low` to `high` may be
    /// further outside.
    #[cfg_attr(fast, inline(always))]
    fn best_reply(
        &mut self,
        here: &mut Level<G::State>,
        state: &G::State,
        player: Player,
        ahead: u8,
        (mut low, high): (f64, f64),
    ) -> Result<f64, Error> {
        if here.turns.list(&self.game, state, MOST_ENDS).is_err() {
            return Ok(self.values(state)[player]);
        }
        let level = (self.training.ahead - ahead) as usize + 1;
        let searches = ahead > 1;
        if searches {
            self.rank(here, player);
        }
        let mut best = f64::NEG_INFINITY;
        for at in 0..here.turns.len() {
            let at = if searches { here.order[at].1 } else { at };
            let end = *here.turns.end(at);
            let node = End { trainer: self, end, player, ahead: ahead - 1, level, low, high };
            // What looks no further need not be called.
            let value = if searches { node_value(node)? } else { node.value()? };
            best = best.max(value);
            low = low.max(best);
            if low >= high {
                break;
            }
        }
        Ok(best)
    }
}

/// The end of a turn, to be judged by looking `ahead` turns further.
struct End<'a, G: FullGame> {
    trainer: &'a mut Trainer<G>,
    end: G::State,
    /// To whom it is judged.
    player: Player,
    ahead: u8,
    /// How many turns it has looked ahead so far.
    level: usize,
    low: f64,
    high: f64,
}

multiversion! {
    fn node_value[G: FullGame](node: End<'_, G>) -> Result<f64, Error> {
        node.value()
    }
}

impl<G: FullGame> End<'_, G> {
    #[cfg_attr(fast, inline(always))]
    fn value(self) -> Result<f64, Error> {
        let End { trainer, end, player, ahead, level, low, high } = self;
        let Turn::Player(next) = trainer.game.turn(&end) else {
            return Ok(trainer.game.returns(&end)[player]);
        };
        let goes_on = next == player;
        let value = if let Some(value) = trainer.certain(&end)? {
            value
        } else if ahead == 0 {
            trainer.values(&end)[next]
        } else {
            let mut here = std::mem::take(&mut trainer.levels[level]);
            let bounds = if goes_on { (low, high) } else { (-high, -low) };
            let value = trainer.best_reply(&mut here, &end, next, ahead, bounds);
            trainer.levels[level] = here;
            value?
        };
        Ok(if goes_on { value } else { -value })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AnyTrainer, Training};
    use super::*;
    use crate::agents::perfect::Source;
    use crate::agents::rng::Stream;
    use crate::base::control::Control;
    use crate::games::shah::{OpeningRemovals, Rules, Shah};
    use crate::games::sho::Sho;
    use crate::rules::{Game, Show};

    fn trainer(rules: Rules, training: Training) -> Trainer<Shah> {
        let mut trainer = Trainer::new(Shah::new(rules).expect("fair rules"), 5, training).expect("sensible");
        // Weights that tell positions apart.
        trainer.play(3, &Control::default()).expect("there is memory");
        trainer
    }

    /// Without bounds, without order.
    fn plain(trainer: &mut Trainer<Shah>, end: &<Shah as Game>::State, player: Player, ahead: u8) -> f64 {
        let Turn::Player(next) = trainer.game.turn(end) else { return trainer.game.returns(end)[player] };
        let sign = if next == player { 1.0 } else { -1.0 };
        if let Some(value) = trainer.certain(end).expect("sound tables") {
            return sign * value;
        }
        if ahead == 0 {
            return trainer.values(end)[player];
        }
        let mut turns = TurnEnds::default();
        turns.list(&trainer.game, end, MOST_ENDS).expect("few ends");
        let ends: Vec<_> = (0..turns.len()).map(|at| *turns.end(at)).collect();
        let values = ends.iter().map(|end| plain(trainer, end, next, ahead - 1));
        sign * values.fold(f64::NEG_INFINITY, f64::max)
    }

    #[test]
    fn looking_ahead_finds_what_plain_minimax_finds() {
        let opening_removals = OpeningRemovals::None;
        let few = Rules { pieces: 4, opening_removals, ..Rules::default() };
        for (ahead, rules) in [(2, Rules::default()), (3, few.clone()), (4, few)] {
            let mut trainer = trainer(rules, Training { ahead, epsilon: 0.3, ..Training::of::<Shah>(9) });
            let mut rng = Stream::of_samples(1, 0);
            let mut looked_at = 0;
            let mut state = trainer.game.initial_state();
            while let Turn::Player(player) = trainer.game.turn(&state) {
                let legal = trainer.game.legal_actions(&state);
                // With many stones plain minimax takes long.
                if rng.below(if ahead == 2 { 8 } else { 30 }) == 0 && looked_at < 12 {
                    looked_at += 1;
                    let mut first = Level::default();
                    first.turns.list(&trainer.game, &state, MOST_ENDS).expect("few ends");
                    let (at, values) = trainer.searched(&mut first, player).expect("there is memory");
                    let ends: Vec<_> = (0..first.turns.len()).map(|at| *first.turns.end(at)).collect();
                    let due: Vec<f64> =
                        ends.iter().map(|end| plain(&mut trainer, end, player, ahead - 1)).collect();
                    let most = due.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    assert_eq!((values[player], values[Player(1 - player.0)]), (most, -most));
                    assert_eq!(due[at], most);
                }
                let action = crate::agents::random(legal, &mut rng);
                trainer.game.apply(&mut state, action, &mut ());
            }
            assert!(looked_at > 3, "{looked_at}");
        }
    }

    #[test]
    fn tables_say_what_few_stones_are_worth() {
        crate::agents::perfect::ship(concat!(env!("CARGO_MANIFEST_DIR"), "/python/sarai/_exact/data").into());
        let mut trainer = trainer(Rules::default(), Training { tables: true, ..Training::of::<Shah>(1) });
        let line = "slide player=0 board=00.....0...1....1......1 hand=0,0 beginner=0 opening_removals=0 extra=false \
                    lifted=- no_capture=0 turn=90 winner=-";
        let state = trainer.game.parse(line).expect("a state of Shah");
        assert_eq!(trainer.certain(&state), Ok(Some(1.0 - 3.0 / NEVER)));
        let mut first = Level::default();
        first.turns.list(&trainer.game, &state, MOST_ENDS).expect("few ends");
        let (at, values) = trainer.searched(&mut first, Player(0)).expect("there is memory");
        // Two turns are left after a good one.
        assert_eq!(values[Player(0)], 1.0 - 2.0 / NEVER);
        let end = *first.turns.end(at);
        assert_eq!(trainer.certain(&end), Ok(Some(-values[Player(0)])));
        assert_eq!(trainer.certain(&trainer.game.initial_state()), Ok(None));
        let other = Shah::new(Rules { no_capture_limit: 0, ..Rules::default() }).expect("fair rules");
        assert!(Source::shipped().tables(&other).is_ok());
    }

    #[test]
    fn dice_and_more_players_are_refused() {
        for (training, why) in [
            (
                Training { ahead: 3, ..Training::of::<Sho>(1) },
                "ahead got 3; in sho, which has dice, it takes 1 or 2",
            ),
            (Training { tables: true, ..Training::of::<Sho>(1) }, "leave out tables"),
        ] {
            let refused = Trainer::new(Sho::new(Default::default()).expect("fair rules"), 5, training);
            assert!(refused.expect_err("dice").to_string().contains(why));
        }
        let shah = Shah::new(Rules::default()).expect("fair rules");
        let far = Trainer::new(shah, 5, Training { ahead: 7, ..Training::of::<Shah>(1) });
        assert_eq!(far.expect_err("too far").to_string(), "ahead got 7; it takes 1 to 6 turns");
    }
}
