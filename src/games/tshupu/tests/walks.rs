//! Random games under random options: every invariant holds, and every throw on the way can be played as counted out.

use proptest::prelude::*;

use super::naive::compare_all_throws;
use super::*;
use crate::agents::playout::sample;
use crate::agents::random;
use crate::agents::rng::Stream;

pub(super) fn any_rules() -> impl Strategy<Value = Rules> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    let first =
        prop_oneof![Just(FirstPlayer::Random), (0u8..4).prop_map(|seat| FirstPlayer::Seat(Player(seat)))];
    (1u8..=4, flags, first, 1u16..=400).prop_map(|(pieces, flags, first_player, max_turns)| {
        let (ends, same_piece_both_dice, partner_plays) = flags;
        Rules {
            pieces,
            crosscuts: if ends { Crosscuts::SidesAndEnds } else { Crosscuts::Sides },
            same_piece_both_dice,
            finished_player: if partner_plays { FinishedPlayer::PartnerPlays } else { FinishedPlayer::Pass },
            first_player,
            max_turns,
        }
    })
}

/// The two teams never share a square of the loop in play.
fn teams_are_apart(t: &Table) {
    let squares = |team: usize| -> Vec<usize> {
        [team, team + 2]
            .into_iter()
            .flat_map(|seat| t.seat(seat).into_iter().filter_map(move |p| super::naive::square(seat, p)))
            .collect()
    };
    let (one, other) = (squares(0), squares(1));
    assert!(!one.iter().any(|square| other.contains(square)), "{}", t.game.text(&t.state));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn random_games_keep_every_invariant(rules in any_rules(), seed in any::<u64>()) {
        let mut t = Table::start(rules);
        let mut rng = Stream::new(seed, 0);
        let mut first = t.game.rules().first_player;
        loop {
            match t.game.turn(&t.state) {
                Turn::Over => break,
                Turn::Chance => {
                    if t.state.phase == Phase::Roll && rng.below(4) == 0 {
                        compare_all_throws(&t.game, &t.state);
                    }
                    let drawing = t.state.phase == Phase::First;
                    let outcome = sample(t.game.chance(&t.state), &mut rng);
                    t.resolve(outcome.index());
                    if drawing {
                        first = FirstPlayer::Seat(t.state.player);
                    }
                }
                Turn::Player(player) => {
                    prop_assert_eq!(player, t.state.player);
                    let legal = t.game.legal_actions(&t.state);
                    t.game.apply(&mut t.state, random(legal, &mut rng), &mut t.counts);
                    t.settle();
                }
            }
            teams_are_apart(&t);
            if let (FirstPlayer::Seat(first), Phase::Roll | Phase::Move | Phase::Second) = (first, t.state.phase) {
                prop_assert_eq!(t.state.player.index(), (first.index() + t.state.turn as usize) % 4);
            }
        }
    }
}

#[test]
fn random_games_are_won_by_both_teams() {
    let game = TshuPu::new(Rules::default()).expect("the rules are valid");
    let mut wins = [0; 2];
    for seed in 0..50 {
        let mut rng = Stream::new(seed, 2);
        let mut state = game.initial_state();
        loop {
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    let outcome = sample(game.chance(&state), &mut rng);
                    game.resolve(&mut state, outcome, &mut ());
                }
                Turn::Player(_) => {
                    let action = random(game.legal_actions(&state), &mut rng);
                    game.apply(&mut state, action, &mut ());
                }
            }
        }
        wins[game.winner(&state).expect("2000 turns are enough").index()] += 1;
    }
    assert!(wins.iter().all(|&count| count > 10), "{wins:?}");
}
