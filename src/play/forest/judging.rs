//! Storing evaluations, with noise for the priors of roots.

use super::ForestConfig;
use crate::agents::Stream;
use crate::agents::tree::Tree;
use crate::rules::{ActionSet, FullGame, PerPlayer, Player};

/// The expected return of each player: as given, or from that of one player. What a side wins the other sides lose, in
/// equal parts.
#[cfg_attr(fast, inline(always))]
pub(super) fn for_all<G: FullGame>(game: &G, player: Player, values: &[f32]) -> PerPlayer<f64> {
    let players = game.num_players();
    let mut all = PerPlayer::new(players, 0.0);
    if let [value] = values {
        let side = game.side(player);
        let seats = || (0..players).map(|seat| Player(seat as u8));
        let others = seats().filter(|&seat| game.side(seat) != side).count();
        let own = players - others;
        for seat in seats() {
            let share = -(own as f64) / others.max(1) as f64;
            all[seat] = f64::from(*value) * if game.side(seat) == side { 1.0 } else { share };
        }
    } else {
        all.as_mut_slice().iter_mut().zip(values).for_each(|(cell, value)| *cell = f64::from(*value));
    }
    all
}

/// Stores the evaluation of a node; the root is expanded at once, with noise.
#[cfg_attr(fast, inline(always))]
pub(super) fn judge<G: FullGame>(
    game: &G,
    tree: &mut Tree<G::State>,
    node: u32,
    hope: f64,
    logits: Option<(ActionSet, &[f32])>,
    config: &ForestConfig,
    rng: &mut Stream,
) {
    tree.evaluate(node, hope, logits);
    if node > 0 {
        return;
    }
    tree.expand_evaluated(game, node);
    if let Some((alpha, share)) = config.noise {
        let edges = tree.edges_mut(node);
        let noise: Vec<f64> = edges.iter().map(|_| gamma(alpha, rng)).collect();
        let sum: f64 = noise.iter().sum();
        let even = f64::from(1.0 / edges.len() as f32);
        for (edge, noise) in edges.iter_mut().zip(noise) {
            // With a tiny parameter all may come out as 0.
            let noise = if sum > 0.0 { noise / sum } else { even };
            edge.prior = ((1.0 - share) * f64::from(edge.prior) + share * noise) as f32;
        }
    }
}

/// A number from 0 to 1, neither of them.
fn uniform(rng: &mut Stream) -> f64 {
    ((rng.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

/// A number from the gamma distribution with this shape and scale 1 (Marsaglia and Tsang 2000; below 1 by their boost).
/// The mathematics is that of libm, the same on every machine.
fn gamma(shape: f64, rng: &mut Stream) -> f64 {
    if shape < 1.0 {
        let boost = libm::pow(uniform(rng), 1.0 / shape);
        return gamma(shape + 1.0, rng) * boost;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        // A normal number (Box and Muller).
        let radius = (-2.0 * libm::log(uniform(rng))).sqrt();
        let normal = radius * libm::cos(std::f64::consts::TAU * uniform(rng));
        let v = 1.0 + c * normal;
        if v <= 0.0 {
            continue;
        }
        let v = v * v * v;
        if libm::log(uniform(rng)) < 0.5 * normal * normal + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_numbers_have_the_mean_and_the_variance_of_their_shape() {
        for shape in [0.1, 0.3, 1.0, 2.5, 10.0] {
            let mut rng = Stream::new(1, 0);
            let n = 40_000;
            let drawn: Vec<f64> = (0..n).map(|_| gamma(shape, &mut rng)).collect();
            let mean = drawn.iter().sum::<f64>() / f64::from(n);
            let variance = drawn.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / f64::from(n);
            // Six standard errors: the fourth moment of a gamma is 3 shape^2 + 6 shape.
            let allowed = 6.0 / f64::from(n).sqrt();
            assert!((mean - shape).abs() < allowed * shape.sqrt(), "mean {mean} of {shape}");
            let spread = (2.0 * shape * shape + 6.0 * shape).sqrt();
            assert!((variance - shape).abs() < allowed * spread, "variance {variance} of {shape}");
        }
    }
}
