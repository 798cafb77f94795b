//! The worked positions of the moving phase: H4, H6 to H13.

use super::*;

#[test]
fn h4_slides_along_lines_and_a_mill_takes_any_stone() {
    let mut t = Table::moving(Rules::default(), &[0, 1, 6, 14], &[3, 4, 5, 20, 23], 0);
    t.legal_are("a7-a4 d7-g7 c5-d5 c5-c4 g4-g7 g4-f4");
    t.plays("g4-g7").stands(Phase::Remove, 0, 30);
    t.legal_are("xb6 xd6 xf6 xf2 xg1");
    t.plays("xd6").stands(Phase::Slide, 1, 31);
}

#[test]
fn h6_extra_moves_that_open() {
    let mut t = Table::extra(Rules::default(), &[1, 9, 14, 22], &[0, 2, 21], 0);
    t.legal_are("d7-d6 a4-b4 g4-f4 g4-g1 d1-d2 d1-g1");
    t.plays("d7-d6").stands(Phase::Slide, 1, 31);
    assert!(!t.state.extra);
    t.legal_are("a7-d7 g7-d7");
}

#[test]
fn h7_a_mill_made_by_an_extra_move_captures_nothing() {
    let mut t = Table::extra(Rules::default(), &[1, 3, 9, 14, 18, 22], &[0, 2, 21], 0);
    t.legal_are("d7-d6 a4-b4 g4-f4 g4-g1 d1-d2 d1-g1");
    t.plays("a4-b4").stands(Phase::Slide, 1, 31);
    assert_eq!(t.state.stones, [set(&[1, 3, 10, 14, 18, 22]), set(&[0, 2, 21])]);
    assert_eq!(t.counts.0, [[0, 0], [1, 0], [1, 0]]);
    assert_eq!(t.state.no_capture, 1);
}

#[test]
fn h8_extra_moves_that_do_not_open_are_illegal_while_others_do() {
    let t = Table::extra(Rules::default(), &[1, 9, 14, 16, 22], &[0, 2, 21], 0);
    t.legal_are("d7-d6 a4-b4 g4-f4 g4-g1 d1-d2 d1-g1");
}

#[test]
fn h9_where_no_extra_move_opens_any_is_legal() {
    let own = [1, 4, 9, 10, 13, 14, 19, 22, 23];
    let mut t = Table::extra(Rules::default(), &own, &[0, 2, 21], 0);
    assert_eq!(t.legal().len(), 12);
    t.plays("d6-d5");
    // R7: an extra move after which the opponent is still blocked counts as a turn.
    t.stands(Phase::Slide, 0, 31);
    assert!(t.state.extra);
    t.legal_are("d7-d6");
    t.plays("d7-d6").stands(Phase::Slide, 1, 32);
}

#[test]
fn h10_a_capture_that_blocks_is_followed_by_an_extra_move() {
    let mill = || {
        let mut t = Table::moving(Rules::default(), &[1, 3, 9, 11, 14, 18, 22], &[0, 2, 17, 21], 0);
        t.plays("c4-b4").stands(Phase::Remove, 0, 30);
        t
    };
    let mut t = mill();
    t.plays("xe3").stands(Phase::Slide, 0, 30);
    assert!(t.state.extra);
    t.legal_are("d7-d6 g4-f4 g4-g1 d1-d2 d1-g1");
    t.plays("d7-d6").stands(Phase::Slide, 1, 31);
    assert_eq!(t.counts.0, [[1, 0], [1, 0], [1, 0]]);
    for other in ["xa7", "xg7", "xa1"] {
        let mut t = mill();
        t.plays(other).stands(Phase::Slide, 1, 31);
        let legal = t.legal();
        assert!(legal.contains(&"e3-e4".into()) && legal.contains(&"e3-d3".into()), "{legal:?}");
        assert_eq!(legal.len(), 2);
    }
}

#[test]
fn h11_the_beginner_is_blocked_after_the_opening_removals() {
    let a = [2, 3, 4, 5, 10, 13, 17, 18, 19, 20, 21];
    let b = [1, 6, 7, 8, 9, 11, 12, 14, 15, 16, 22];
    // The last removal is seat 1's: it takes the stone of seat 0, the beginner, on a7.
    let removal = |rules: Rules| {
        Table::changed(rules, &[&a[..], &[0]].concat(), &b, |s| {
            s.phase = Phase::Remove;
            s.player = Player(1);
            s.opening_removals = 1;
            s.turn = 25;
        })
    };
    let mut t = removal(Rules::default());
    t.plays("xa7").stands(Phase::Slide, 1, 26);
    assert!(t.state.extra);
    t.legal_are("d7-a7 a4-a7 g4-g1 d1-g1");
    // R12: the extra moves at the start of the moving phase are a turn of their own.
    t.plays("g4-g1").stands(Phase::Slide, 0, 27);
    assert!(!t.state.extra);
    // R12: where the blocked lose, the win does not count the turn.
    removal(Rules { blocked: Blocked::Loses, ..Rules::default() }).plays("xa7").ends(Some(1), 25);
    removal(Rules { blocked: Blocked::Loses, max_turns: 26, ..Rules::default() })
        .plays("xa7")
        .ends(Some(1), 25);
    removal(Rules { max_turns: 26, ..Rules::default() }).plays("xa7").ends(None, 26);
}

#[test]
fn h12_three_stones_do_not_fly_in_this_game() {
    let t = Table::extra(Rules::default(), &[4, 9, 14, 20], &[0, 1, 2], 0);
    t.legal_are("d6-b6 d6-f6 d6-d5 a4-b4 a4-a1 g4-f4 g4-g1");
}

#[test]
fn h13_the_last_capture_wins_at_once() {
    let mut t = Table::moving(Rules::default(), &[0, 1, 14], &[3, 4, 20], 0);
    t.plays("g4-g7").stands(Phase::Remove, 0, 30);
    for stone in ["xb6", "xd6", "xf2"] {
        let mut t = Table::on(&t.game, t.state);
        t.plays(stone).ends(Some(0), 30);
    }
}
