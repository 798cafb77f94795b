//! What networks are told of contact and shots, against what the rules allow.

use super::super::board::POINTS;
use super::*;
use crate::agents::playout::settle;
use crate::agents::random;
use crate::agents::rng::Stream;

/// The features of a position by name, as the seat to throw sees it.
fn features(game: &Shuanglu, state: &State) -> impl Fn(&str) -> f32 + use<> {
    let mut cells = vec![0; Shuanglu::OBSERVATION_LEN];
    game.observe(state, state.player, &mut cells);
    let mut out = vec![f32::NAN; Shuanglu::FEATURES.len()];
    (Shuanglu::FEATURES.write)(&cells, &mut out);
    let names = Shuanglu::FEATURES.named();
    assert_eq!(names.len(), out.len());
    move |name| out[names.iter().position(|(known, _)| known == name).expect("a feature")]
}

/// The most that the enemy may have lost by the end of the turn.
fn most_lost(game: &Shuanglu, state: &State, lost: usize) -> usize {
    if state.phase != Phase::Move {
        return lost;
    }
    let mut most = lost;
    for action in game.legal_actions(state) {
        let mut next = *state;
        game.apply(&mut next, action, &mut ());
        let (seat, enemy) = (state.player.index(), state.player.index() ^ 1);
        let mut now = lost;
        if next.counts[enemy][BAR] > state.counts[enemy][BAR] {
            let hit = (1..BAR).find(|&at| next.counts[seat][at] > state.counts[seat][at]).expect("who hit");
            now = now.max(hit);
        }
        most = most.max(if next.player == state.player { most_lost(game, &next, now) } else { now });
    }
    most
}

#[test]
fn shots_are_the_throws_that_hit() {
    let game = Shuanglu::new(backgammon()).expect("fair rules");
    let (mut shots_seen, mut alike, mut looked_at) = (0, 0, 0);
    for number in 0..40 {
        let mut rng = Stream::new(5, number);
        let mut state = game.initial_state();
        for _ in 0..rng.below(80) {
            let Turn::Player(_) = settle(&game, &mut state, &mut rng, &mut ()) else { break };
            let action = random(game.legal_actions(&state), &mut rng);
            game.apply(&mut state, action, &mut ());
        }
        if state.phase != Phase::Roll {
            continue;
        }
        let (mut shots, mut loss) = (0, 0);
        for (outcome, weight) in TWO_D6.weights().iter().enumerate() {
            let mut next = state;
            game.resolve(&mut next, Outcome(outcome as u8), &mut ());
            let lost = if next.player == state.player { most_lost(&game, &next, 0) } else { 0 };
            shots += weight * u32::from(lost > 0);
            loss += *weight as usize * lost;
        }
        let feature = features(&game, &state);
        let off = (feature("own_shots") * 36.0 - shots as f32).abs();
        assert!(off < 4.5, "{}: {} by the rules, {off} off", game.text(&state), shots);
        looked_at += 1;
        shots_seen += shots;
        alike += u32::from(off < 0.5 && (feature("own_loss") * 432.0 - loss as f32).abs() < 0.5);
    }
    assert!(looked_at > 15 && shots_seen > 100, "{looked_at} {shots_seen}");
    assert!(10 * alike >= 9 * looked_at, "{alike} of {looked_at}");
}

#[test]
fn features_say_what_their_names_say() {
    let game = Shuanglu::new(backgammon()).expect("fair rules");
    let at = |players: &str| {
        let state = game.parse(&line(ROLL, players)).expect("a position");
        features(&game, &state)
    };
    // A full prime from 2 to 7 holds a piece on the own 1.
    let primed = at("7:2 6:2 5:2 4:2 3:2 2:2 13:3 | 24:1 6:5 5:5 4:4");
    assert_eq!((primed("own_prime"), primed("enemy_escape"), primed("own_block")), (1.0, 0.0, 1.0));
    assert_eq!(primed("own_contact"), (6 * 2 + 5 * 2 + 4 * 2 + 3 * 2 + 2 * 2 + 2 + 12 * 3) as f32 / 100.0);
    assert_eq!((primed("own_behind"), primed("enemy_behind")), (1.0, 1.0 / 15.0));
    // Three closed points: 27 of 36 throws enter.
    assert_eq!(primed("own_entry"), 0.75);
    // Eleven throws have a 6; 5-1 and 4-2, twice each, 3-3 and 2-2 reach as far.
    let blot = at("13:2 6:13 | 18:1 1:14");
    assert_eq!((blot("own_shots"), blot("own_hindmost")), (17.0 / 36.0, 13.0 / 25.0));
    let anchors = at("24:2 20:2 6:11 | 6:5 8:5 13:5");
    assert_eq!((anchors("own_anchor_ahead"), anchors("own_anchor_back")), (20.0 / 24.0, 1.0));
    assert_eq!((anchors("enemy_anchor_back"), anchors("own_blots")), (0.0, 0.0));
    // Who has passed has none.
    let race = at("6:5 5:10 | 6:5 4:10");
    assert!(Shuanglu::FEATURES.named().iter().all(|(name, _)| race(name) == 0.0));
    assert_eq!(POINTS.count_ones(), 24);
}
