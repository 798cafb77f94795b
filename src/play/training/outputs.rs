//! What the network of a trainer puts out, and how it is read.
//!
//! A network that is trained ends with its heads. These are sigmoids, each the chance that a return gets over one step of the
//! way from the lowest to the highest: with gammons there are six steps from -3 to 3, and the third head is the chance of
//! more than -0.5. The value is the lowest return plus every step times its chance. So a small chance of a gammon is not
//! mistaken for a small lead. In files a last layer, which does not learn, adds the steps up.

use crate::nets::{Activation, Layer, Net, Outputs, are_two, seen, sides};
use crate::rules::{Game, MAX_PLAYERS, PerPlayer, Player};

/// The most heads: a layer that learns has fewer units than go through the processor together.
pub(super) const MOST: usize = 7;

/// A training target of a position, for any viewer: the chances of the steps, those of each seat or, with two sides, those
/// of the first seat's.
pub(super) type Target = [f64; MOST];

/// The prediction of the network for a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prediction {
    /// The expected return of each player.
    pub values: PerPlayer<f64>,
    /// The same as a training target.
    pub target: Target,
}

/// How the heads of a network are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heads {
    outputs: Outputs,
    /// How many there are.
    count: usize,
    /// The lowest return.
    low: f64,
    /// How long a step is.
    step: f64,
    /// What the two heads of a step, one for each side, add up to: 1 where they are chances, 0 where they are values.
    both: f64,
}

impl Heads {
    /// Those with which a network of this game begins to learn.
    pub fn of<G: Game>(game: &G) -> Self {
        let outputs = if are_two(&sides(game)) { Outputs::Viewer } else { Outputs::Seats };
        let values = if outputs == Outputs::Viewer { 1 } else { game.num_players() };
        let (low, high) = game.returns_range();
        let range = high - low;
        // From a loss to a win is one step; where some wins count more, every point is one.
        let points =
            if outputs == Outputs::Viewer && range.fract() == 0.0 && (3.0..=MOST as f64).contains(&range) {
                range as usize
            } else {
                1
            };
        Heads { outputs, count: values * points, low, step: range / points as f64, both: 1.0 }
    }

    /// Those of a network that begins to learn here, and its layers without the one that adds up. Outputs that nothing adds
    /// up are values, and learn by their squared error.
    ///
    /// # Errors
    /// Why its layers cannot learn.
    pub fn found<G: Game>(game: &G, net: &Net) -> Result<(Self, Vec<Layer>), &'static str> {
        let outputs = net.description().outputs;
        if outputs.has_policy() {
            return Err(
                "it has logits, and sarai.train learns values alone; give a network with outputs \"viewer\" or \
                        \"seats\"",
            );
        }
        let mut layers = net.mlp().layers();
        let begun = Self::of(game);
        match &layers[..] {
            [_, heads, sum]
                if heads.activation == Activation::Sigmoid && begun.sum().as_ref() == Some(sum) =>
            {
                layers.pop();
                Ok((begun, layers))
            }
            [_, last] => {
                if !matches!(last.activation, Activation::Identity | Activation::Softsign | Activation::Tanh)
                {
                    return Err(
                        "its outputs cannot be negative, as returns can; make the last activation identity, \
                                softsign or tanh",
                    );
                }
                Ok((Heads { outputs, count: last.bias.len(), low: 0.0, step: 1.0, both: 0.0 }, layers))
            }
            _ => Err(
                "it takes one hidden layer and one of outputs, and after sigmoids the fixed layer that sarai.train adds \
                      for these rules; keep that one as it is",
            ),
        }
    }

    pub fn outputs(&self) -> Outputs {
        self.outputs
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// The layer that makes values of chances; `None` where heads are values.
    pub fn sum(&self) -> Option<Layer> {
        let Heads { low, step, both, .. } = *self;
        if both == 0.0 {
            return None;
        }
        let values = if self.outputs == Outputs::Viewer { 1 } else { self.count };
        let own =
            |number: usize| self.outputs == Outputs::Viewer || number / self.count == number % self.count;
        let weight = |number| if own(number) { step as f32 } else { 0.0 };
        Some(Layer {
            weights: (0..values * self.count).map(weight).collect(),
            bias: vec![low as f32; values],
            activation: Activation::Identity,
        })
    }

    /// The prediction of the heads for a viewer's observation.
    #[cfg_attr(fast, inline(always))]
    pub fn predict<G: Game>(&self, game: &G, viewer: Player, heads: &[f32]) -> Prediction {
        let mut target = [0.0; MOST];
        let Heads { low, step, .. } = *self;
        let mut values = [0.0; MAX_PLAYERS];
        let values = if self.outputs.is_viewers() {
            let mut sum = 0.0;
            for (at, &chance) in heads.iter().enumerate() {
                sum += f64::from(chance);
                target[at] = f64::from(chance);
            }
            target = self.turned(game, viewer, &target);
            values[0] = (low + step * sum) as f32;
            &values[..1]
        } else {
            for (after, &chance) in heads.iter().enumerate() {
                values[after] = (low + step * f64::from(chance)) as f32;
                target[(viewer.index() + after) % heads.len()] = f64::from(chance);
            }
            &values[..heads.len()]
        };
        Prediction { values: seen(game, viewer, values), target }
    }

    /// The training target for these returns, real or expected.
    pub fn target_of(&self, returns: &PerPlayer<f64>) -> Target {
        let mut target = [0.0; MOST];
        let returns = returns.as_slice();
        for at in 0..self.count {
            target[at] = if !self.outputs.is_viewers() {
                (returns[at] - self.low) / self.step
            } else if self.both == 0.0 {
                returns[0]
            } else {
                ((returns[0] - self.low) / self.step - at as f64).clamp(0.0, 1.0)
            };
        }
        target
    }

    /// The training target of each head, as a viewer sees the position.
    #[cfg_attr(fast, inline(always))]
    pub fn targets<G: Game>(&self, game: &G, viewer: Player, target: &Target) -> [f32; MOST] {
        let mut targets = [0.0; MOST];
        let is_seen = self.outputs == Outputs::Viewer;
        let target = if is_seen { self.turned(game, viewer, target) } else { *target };
        for (at, cell) in targets.iter_mut().take(self.count).enumerate() {
            let from = if is_seen { at } else { (viewer.index() + at) % game.num_players() };
            *cell = target[from] as f32;
        }
        targets
    }

    /// The chances or values of two sides as the first seat sees them, from what the viewer sees, or the other way round: what one
    /// side does not win, the other does.
    #[cfg_attr(fast, inline(always))]
    fn turned<G: Game>(&self, game: &G, viewer: Player, chances: &Target) -> Target {
        let mut turned = *chances;
        if game.side(viewer) != game.side(Player(0)) {
            for at in 0..self.count {
                turned[at] = self.both - chances[self.count - 1 - at];
            }
        }
        turned
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AnyTrainer, Trainer, Training};
    use super::*;
    use crate::base::control::Control;
    use crate::games::shah::Shah;
    use crate::games::sho::{self, Sho};
    use crate::games::shuanglu::{self, Scoring, Shuanglu};
    use crate::games::tshupu::TshuPu;
    use crate::rules::{FullGame, Turn};

    fn gammons() -> Shuanglu {
        let scoring = Scoring::Gammon;
        Shuanglu::new(shuanglu::Rules { scoring, ..shuanglu::Rules::default() }).expect("fair rules")
    }

    fn shown(values: &[f64]) -> PerPlayer<f64> {
        let mut all = PerPlayer::new(values.len(), 0.0);
        all.as_mut_slice().copy_from_slice(values);
        all
    }

    #[test]
    fn each_point_of_a_gammon_is_a_step() {
        let game = gammons();
        let heads = Heads::of(&game);
        assert_eq!((heads.count(), heads.low, heads.step), (6, -3.0, 1.0));
        let target = heads.target_of(&shown(&[2.0, -2.0]));
        assert_eq!(target[..6], [1.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
        assert_eq!(heads.targets(&game, Player(0), &target)[..6], [1.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
        // The loser gets over the first step, from -3 to -2, alone.
        assert_eq!(heads.targets(&game, Player(1), &target)[..6], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        // A draw is in the middle.
        assert_eq!(heads.target_of(&shown(&[0.0, 0.0]))[..6], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn what_is_told_is_what_would_be_learnt_from_it() {
        let game = gammons();
        let heads = Heads::of(&game);
        let said = [0.9375, 0.875, 0.75, 0.5, 0.25, 0.125];
        for viewer in [Player(0), Player(1)] {
            let predicted = heads.predict(&game, viewer, &said);
            assert_eq!(predicted.values[viewer], 0.4375);
            assert_eq!(predicted.values[viewer.next(2)], -0.4375);
            assert_eq!(heads.targets(&game, viewer, &predicted.target)[..6], said);
        }
    }

    #[test]
    fn a_seat_of_three_has_the_chance_of_a_win() {
        let stake = 2.0;
        let game = Sho::new(sho::Rules { stake, ..sho::Rules::default() }).expect("fair rules");
        let heads = Heads::of(&game);
        assert_eq!((heads.count(), heads.low, heads.step), (3, -2.0, 6.0));
        let target = heads.target_of(&game_won_by(1));
        assert_eq!(target[..3], [0.0, 1.0, 0.0]);
        // Seats are counted from the viewer on.
        assert_eq!(heads.targets(&game, Player(2), &target)[..3], [0.0, 0.0, 1.0]);
        let predicted = heads.predict(&game, Player(2), &[0.25, 0.25, 0.5]);
        assert_eq!(predicted.values.as_slice(), [-0.5, 1.0, -0.5]);
        assert_eq!(heads.targets(&game, Player(2), &predicted.target)[..3], [0.25, 0.25, 0.5]);
    }

    fn game_won_by(seat: usize) -> PerPlayer<f64> {
        let mut returns = shown(&[-2.0; 3]);
        returns.as_mut_slice()[seat] = 4.0;
        returns
    }

    /// What the file of a network says of positions is what its trainer went by.
    fn assert_written_as_trained<G: FullGame>(game: G) {
        let mut trainer = Trainer::new(game.clone(), 9, Training::of::<G>(3)).expect("sensible");
        trainer.play(5, &Control::default()).expect("there is memory");
        let net = trainer.net("").expect("finite weights");
        let mut state = game.initial_state();
        let mut rng = crate::agents::rng::Stream::of_samples(1, 0);
        for _ in 0..60 {
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    let outcome = crate::agents::playout::sample(game.chance(&state), &mut rng);
                    game.resolve(&mut state, outcome, &mut ());
                }
                Turn::Player(_) => {
                    let action = crate::agents::random(game.legal_actions(&state), &mut rng);
                    game.apply(&mut state, action, &mut ());
                }
            }
            if game.turn(&state) == Turn::Over {
                break;
            }
            let (written, trained) = (net.evaluate(&game, &state), trainer.values(&state));
            for (written, trained) in written.as_slice().iter().zip(trained.as_slice()) {
                assert!((written - trained).abs() < 1e-5, "{}: {written}, not {trained}", G::NAME);
            }
        }
        let again = Trainer::resumed(game, &net, None).expect("trained before");
        assert_eq!(again.net("").expect("finite weights").digest(), net.digest());
    }

    #[test]
    fn outputs_that_nothing_adds_up_are_values() {
        let game = gammons();
        let heads = Heads { outputs: Outputs::Viewer, count: 1, low: 0.0, step: 1.0, both: 0.0 };
        let target = heads.target_of(&shown(&[2.0, -2.0]));
        assert_eq!(target[0], 2.0);
        for (viewer, own) in [(Player(0), 2.0), (Player(1), -2.0)] {
            assert_eq!(heads.targets(&game, viewer, &target)[0], own);
            let predicted = heads.predict(&game, viewer, &[own]);
            assert_eq!((predicted.values.as_slice(), predicted.target[0]), (&[2.0, -2.0][..], 2.0));
        }
    }

    #[test]
    fn files_say_what_was_trained() {
        assert_written_as_trained(gammons());
        assert_written_as_trained(Shuanglu::new(Default::default()).expect("fair rules"));
        assert_written_as_trained(Sho::new(Default::default()).expect("fair rules"));
        assert_written_as_trained(TshuPu::new(Default::default()).expect("fair rules"));
        assert_written_as_trained(Shah::new(Default::default()).expect("fair rules"));
    }
}
