//! The moving phase: R5 to R8, R10 to R12.

use super::*;

#[test]
fn r5_a_stone_moves_to_a_neighbouring_empty_point_only() {
    // Every point alone: its moves are the neighbouring pairs of its lines.
    for (point, count) in
        [(0, 2), (1, 3), (4, 4), (7, 3), (9, 3), (10, 4), (12, 3), (13, 4), (19, 4), (23, 2)]
    {
        let far: Vec<usize> = (0..24)
            .filter(|&p| p != point && super::super::board::neighbours(1 << point) >> p & 1 == 0)
            .collect();
        let t = Table::moving(Rules::default(), &[point, far[0], far[1]], &far[2..5], 0);
        let moves = t
            .actions()
            .iter()
            .filter(|a| super::super::board::ENDS[a.index() - 24][0] as usize == point)
            .count();
        assert_eq!(moves, count, "{point}");
    }
    // No jumping: d7 is taken, and a7 has only one way.
    let t = Table::moving(Rules::default(), &[0, 20, 23], &[1, 17, 15], 0);
    assert!(t.legal().contains(&"a7-a4".into()) && !t.legal().iter().any(|name| name == "a7-g7"));
    assert_eq!(t.legal().iter().filter(|name| name.starts_with("a7")).count(), 1);
}

#[test]
fn r5_players_move_in_turn() {
    let mut t = Table::moving(Rules::default(), &[0, 10, 23], &[1, 12, 15], 0);
    t.plays("a7-a4").stands(Phase::Slide, 1, 31);
    t.plays("d7-a7").stands(Phase::Slide, 0, 32);
    t.plays("g1-d1").stands(Phase::Slide, 1, 33);
}

#[test]
fn r6_a_mill_removes_any_enemy_stone_also_one_in_a_mill() {
    let mut t = Table::moving(Rules::default(), &[0, 1, 14, 20], &[3, 4, 5, 23], 0);
    t.plays("g4-g7");
    t.legal_are("xb6 xd6 xf6 xg1");
    t.plays("xf6").stands(Phase::Slide, 1, 31);
    assert_eq!(t.state.stones[1], set(&[3, 4, 23]));
}

#[test]
fn r6_opening_and_closing_the_same_mill_counts_each_time() {
    let mut t = Table::moving(Rules::default(), &[0, 1, 14, 20], &[3, 6, 10, 15, 18], 0);
    t.plays("g4-g7 xb6 b4-b6 g7-g4 b6-b4");
    t.plays("g4-g7").stands(Phase::Remove, 0, 34);
    t.plays("xb4");
    assert_eq!(t.counts.0, [[2, 0], [2, 0], [0, 0]]);
}

#[test]
fn r6_a_move_within_a_mill_line_is_no_new_mill() {
    // Moving out of a mill makes none, even though a mill stood before.
    let mut t = Table::moving(Rules::default(), &[0, 1, 2, 20], &[3, 4, 11, 15], 0);
    t.plays("g7-g4").stands(Phase::Slide, 1, 31);
    assert_eq!(t.counts.0[super::super::MILLS], [0, 0]);
}

#[test]
fn r7_a_move_that_blocks_is_followed_by_an_extra_move_in_the_same_turn() {
    let mut t = Table::moving(Rules::default(), &[1, 9, 13, 22], &[0, 2, 21], 0);
    t.plays("f4-g4").stands(Phase::Slide, 0, 30);
    assert!(t.state.extra);
    assert_eq!(t.state.no_capture, 1);
    t.legal_are("d7-d6 a4-b4 g4-f4 g4-g1 d1-d2 d1-g1");
    t.plays("g4-f4").stands(Phase::Slide, 1, 31);
    assert_eq!((t.state.extra, t.state.no_capture), (false, 2));
    assert_eq!(t.counts.0, [[0, 0], [0, 0], [1, 0]]);
}

#[test]
fn r7_further_extra_moves_are_turns_of_their_own() {
    // The stone on c5 may go to and fro while all others stay; its mill on d5 captures nothing.
    let own = [1, 4, 6, 9, 10, 13, 14, 19, 22, 23];
    let mut t = Table::extra(Rules::default(), &own, &[0, 2, 21], 0);
    for turn in 31..50 {
        t.plays(if turn % 2 == 1 { "c5-d5" } else { "d5-c5" }).stands(Phase::Slide, 0, turn);
        assert!(t.state.extra);
    }
    assert_eq!(t.state.no_capture, 19);
    assert_eq!(t.counts.0, [[0, 0], [10, 0], [19, 0]]);
}

#[test]
fn r7_extra_moves_never_outlast_max_turns() {
    let own = [1, 4, 9, 10, 13, 14, 19, 22, 23];
    let mut t = Table::extra(Rules { max_turns: 31, ..Rules::default() }, &own, &[0, 2, 21], 0);
    t.plays("d6-d5").ends(None, 31);
}

#[test]
fn r7_blocked_loses() {
    let rules = Rules { blocked: Blocked::Loses, ..Rules::default() };
    let mut t = Table::moving(rules.clone(), &[1, 9, 13, 22], &[0, 2, 21], 0);
    t.plays("f4-g4").ends(Some(0), 30);
    // After a capture, too.
    let mut t = Table::moving(rules, &[1, 3, 9, 11, 14, 18, 22], &[0, 2, 17, 21], 0);
    t.plays("c4-b4 xe3").ends(Some(0), 30);
}

#[test]
fn r8_two_stones_left_lose_at_once() {
    let mut t = Table::moving(Rules::default(), &[3, 4, 20], &[0, 1, 14], 1);
    t.plays("g4-g7 xf2").ends(Some(1), 30);
    assert_eq!(t.state.no_capture, 0);
}

#[test]
fn r9_the_game_knows_no_series_and_its_first_player_may_be_either() {
    // A series is played over the game, which only has to let either seat begin.
    for seat in 0..2 {
        let t = Table::start(Rules { first_player: FirstPlayer::Seat(Player(seat)), ..Rules::default() });
        t.stands(Phase::Place, seat, 0);
    }
}

#[test]
fn r10_moves_without_a_capture_draw() {
    let rules = Rules { no_capture_limit: 3, ..Rules::default() };
    let mut t = Table::moving(rules.clone(), &[0, 10, 23], &[1, 12, 15], 0);
    t.plays("a7-a4 d7-a7").stands(Phase::Slide, 0, 32);
    assert_eq!(t.state.no_capture, 2);
    // The draw counts its turn.
    t.plays("g1-d1").ends(None, 33);
    assert_eq!(t.state.no_capture, 3);
    // Extra moves count, and a draw by the move before one leaves it unmade.
    let mut t = Table::changed(rules.clone(), &[1, 9, 13, 22], &[0, 2, 21], |s| s.no_capture = 1);
    t.plays("f4-g4 g4-f4").ends(None, 31);
    let mut t = Table::changed(rules, &[1, 9, 13, 22], &[0, 2, 21], |s| s.no_capture = 2);
    t.plays("f4-g4").ends(None, 31);
}

#[test]
fn r10_a_capture_sets_the_count_back_and_a_pending_removal_leaves_it() {
    let rules = Rules { no_capture_limit: 8, ..Rules::default() };
    let mut t = Table::changed(rules, &[0, 1, 14, 20], &[3, 4, 5, 23], |s| s.no_capture = 7);
    t.plays("g4-g7").stands(Phase::Remove, 0, 30);
    assert_eq!(t.state.no_capture, 7);
    t.plays("xg1");
    assert_eq!(t.state.no_capture, 0);
}

#[test]
fn r10_without_a_limit_moves_are_counted_all_the_same() {
    let rules = Rules { no_capture_limit: 0, ..Rules::default() };
    let mut t = Table::changed(rules, &[0, 10, 23], &[1, 12, 15], |s| s.no_capture = 70_000);
    t.plays("a7-a4").stands(Phase::Slide, 1, 31);
    assert_eq!(t.state.no_capture, 70_001);
    // No count runs over.
    t.state.no_capture = u32::MAX;
    t.plays("d7-a7");
    assert_eq!(t.state.no_capture, u32::MAX);
}

#[test]
fn r10_max_turns_draws_and_a_win_in_the_last_turn_counts() {
    let rules = Rules { max_turns: 31, ..Rules::default() };
    let mut t = Table::moving(rules.clone(), &[0, 10, 23], &[1, 12, 15], 0);
    t.plays("a7-a4").ends(None, 31);
    let mut t = Table::moving(rules.clone(), &[0, 1, 14], &[3, 4, 20], 0);
    t.plays("g4-g7 xb6").ends(Some(0), 30);
    // The limit does not cut a turn short: the extra move is still made.
    let mut t = Table::moving(rules, &[1, 9, 13, 22], &[0, 2, 21], 0);
    t.plays("f4-g4").stands(Phase::Slide, 0, 30);
    t.plays("g4-f4").ends(None, 31);
}

#[test]
fn r11_endings_are_looked_at_in_order() {
    // Blocked before the limit of moves, the limit before the turns.
    let rules = Rules { blocked: Blocked::Loses, no_capture_limit: 1, max_turns: 31, ..Rules::default() };
    let mut t = Table::moving(rules.clone(), &[1, 9, 13, 22], &[0, 2, 21], 0);
    t.plays("f4-g4").ends(Some(0), 30);
    assert_eq!(t.state.no_capture, 1);
    let mut t = Table::moving(rules, &[0, 10, 23], &[1, 12, 15], 0);
    t.plays("a7-a4").ends(None, 31);
    // Fewer than three stones before everything.
    let mut t = Table::moving(Rules { max_turns: 31, ..Rules::default() }, &[0, 1, 14], &[3, 4, 20], 0);
    t.plays("g4-g7 xd6").ends(Some(0), 30);
}

#[test]
fn r12_a_move_with_its_capture_is_a_turn() {
    let mut t = Table::moving(Rules::default(), &[0, 1, 14, 20], &[3, 4, 5, 23], 0);
    t.plays("g4-g7").stands(Phase::Remove, 0, 30);
    t.plays("xg1").stands(Phase::Slide, 1, 31);
}
