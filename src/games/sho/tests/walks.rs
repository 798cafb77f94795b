//! Random games under random options: every invariant holds, and the bit tricks agree with the rules read one by one.

use proptest::prelude::*;

use super::*;
use crate::agents::playout::sample;
use crate::agents::random;
use crate::agents::rng::Stream;
use crate::rules::FirstPlayer;

fn any_rules() -> impl Strategy<Value = Rules> {
    let board = (2u8..=4, any::<bool>(), 4u8..=64, 1u8..=9, 1u8..=3);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let pa_ra = prop_oneof![Just(PaRa::Choose), Just(PaRa::Flexible), Just(PaRa::None)];
    (board, flags, pa_ra, 1u16..=300).prop_map(|(board, flags, pa_ra, max_turns)| {
        let (players, teams, num_shells, coins, entry_coins) = board;
        let (niner_stack, six_three, last_kill_ends_turn, finish_overflow, draw) = flags;
        let niner_stack = niner_stack || six_three || coins <= entry_coins;
        let first_player = if draw { FirstPlayer::Random } else { FirstPlayer::default() };
        Rules {
            players,
            teams: teams && players == 4,
            num_shells,
            coins,
            entry_coins,
            niner_stack,
            six_three,
            last_kill_ends_turn,
            pa_ra,
            finish_overflow,
            first_player,
            stake: 1.0,
            max_turns,
        }
    })
}

/// R2, R3, R6 and R10 for one source, read from the dict.
fn may_move(t: &Table, source: u8, value: u8) -> bool {
    let rules = t.game.rules();
    let dict = serde_json::to_value(t.game.to_dict(&t.state)).expect("plain data");
    let own = t.game.side(t.state.player).index();
    let size_of = |side: usize, at: u8| dict["sides"][side]["stacks"][at.to_string()].as_u64().unwrap_or(0);
    let hand = dict["sides"][own]["hand"].as_u64().expect("a number");
    let size = match source {
        0 if hand == rules.coins as u64 => hand.min(rules.entry_coins as u64),
        0 => hand.min(1),
        _ => size_of(own, source),
    };
    let target = source + value;
    size != 0
        && (target >= rules.num_shells
            || (0..rules.num_sides()).all(|side| match size_of(side, target) {
                there if side != own => there <= size,
                there => rules.niner_stack || there == 0 || there + size < rules.coins as u64,
            }))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn random_games_keep_every_invariant(rules in any_rules(), seed in any::<u64>()) {
        let mut t = Table::start(rules);
        let mut rng = Stream::new(seed, 0);
        for _ in 0..400 {
            match t.game.turn(&t.state) {
                Turn::Over => break,
                Turn::Chance => {
                    // Half of the throws are forced to be 1-1 or 6-3, so that rare rules are met.
                    let outcome = sample(t.game.chance(&t.state), &mut rng);
                    let outcome = match rng.below(6) {
                        0 | 1 if t.phase() != Phase::First => Outcome(0),
                        2 if t.phase() != Phase::First => Outcome(14),
                        _ => outcome,
                    };
                    t.game.resolve(&mut t.state, outcome, &mut t.counts);
                }
                Turn::Player(player) => {
                    prop_assert_eq!(player, t.state.player);
                    let legal = t.game.legal_actions(&t.state);
                    if t.phase() == Phase::Overflow || t.pool().len() == 1 && t.state.moved == 0 {
                        for source in 0..64 {
                            let due = may_move(&t, source, t.state.value);
                            prop_assert_eq!(legal.contains(Action(source as u16)), due, "{}", source);
                        }
                    }
                    if t.phase() == Phase::Value && t.game.rules().pa_ra == PaRa::Choose {
                        let sums = t.state.pool.sums();
                        for value in 1..=64u8 {
                            let due = sums >> value & 1 != 0 && (0..64).any(|source| may_move(&t, source, value));
                            prop_assert_eq!(legal.contains(Action(value as u16 + 63)), due, "{}", value);
                        }
                    }
                    let action = random(legal, &mut rng);
                    t.game.apply(&mut t.state, action, &mut t.counts);
                }
            }
            t.settle();
        }
    }
}
