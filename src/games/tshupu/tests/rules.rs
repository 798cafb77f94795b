//! The rules R1 to R12, one after the other.

use super::*;

#[test]
fn r1_four_seats_two_teams_and_four_pieces_on_the_start_squares() {
    let t = Table::start(Rules::default());
    assert_eq!(t.game.num_players(), 4);
    assert_eq!([0, 1, 2, 3].map(|seat| t.game.side(Player(seat)).0), [0, 1, 0, 1]);
    assert_eq!([0, 1, 2, 3].map(|seat| t.seat(seat)), [[1; 4]; 4]);
    t.thrower(0, 0);
}

#[test]
fn r1_two_dice_with_the_faces_1_3_4_6() {
    let t = Table::start(Rules::default());
    let weights = t.game.chance(&t.state).weights();
    assert_eq!(weights.iter().sum::<u32>(), 16);
    let names: Vec<String> =
        (0..weights.len()).map(|outcome| t.game.outcome_name(&t.state, Outcome(outcome as u8))).collect();
    assert_eq!(names, ["1-1", "1-3", "1-4", "1-6", "3-3", "3-4", "3-6", "4-4", "4-6", "6-6"]);
    for (name, &weight) in names.iter().zip(weights) {
        let double = name[..1] == name[2..];
        assert_eq!(weight, if double { 1 } else { 2 }, "{name}");
    }
    assert_eq!(t.game.max_chance_outcomes(), 10);
}

#[test]
fn r2_turns_pass_clockwise_and_pieces_go_anticlockwise() {
    let mut t = Table::start(Rules::default());
    for (turn, name) in ["1/2", "1/2", "1/2", "1/2", "2/3", "2/3"].into_iter().enumerate() {
        t.thrower((turn % 4) as u8, turn as u16);
        t.roll(1, 1).play(name).play(name);
    }
    // South's first quarter ends on east's start square: L7, which is 8 in its course and 1 in east's.
    let mut t = Table::new(Rules::default(), "1 1 1 4 | 5 5 5 5 | 5 5 5 5 | 1 5 5 5");
    t.roll(1, 3).play("4/8* (both)");
    assert_eq!((t.seat(0), t.seat(3)), ([1, 1, 1, 8], [0, 5, 5, 5]));
    // After a whole round it is on its own start square, and then in its own column.
    let mut t = Table::new(Rules::default(), "28 33 33 33");
    t.plays(1, 1, &["28/30 (both)"]);
}

#[test]
fn r3_a_throw_is_the_total_for_one_piece_or_a_die_for_each_of_two() {
    let mut t = Table::new(Rules::default(), "4 11 33 33");
    t.plays(1, 4, &["4/9 (both)", "11/16 (both)", "4/5 & 11/15", "4/8* & 11/12"]);
    // The other die is due to the other piece, though the moved one could play it too.
    t.play("4/5");
    assert_eq!((t.state.phase, t.legal()), (Phase::Second, vec!["11/15".to_owned()]));
    t.play("11/15").thrower(1, 1);
    assert_eq!(t.seat(0), [5, 15, 33, 33]);
}

#[test]
fn r3_of_the_total_only_the_end_square_counts() {
    // By 1 and 3 the piece passes east's on 5 and a barred cross-cut on 6, and hits nobody.
    let mut t = Table::new(Rules::default(), "4 33 33 33 | 1 1 1 1 | 1 1 1 1 | 1 1 26 27");
    t.plays(1, 3, &["4/8* (both)"]);
    t.play("4/8* (both)");
    assert_eq!((t.seat(3), t.counts.0[0]), ([0, 0, 26, 27], [2, 0, 0, 0]));
}

#[test]
fn r3_a_piece_on_the_square_where_the_first_came_down_is_another_piece() {
    let mut t = Table::new(Rules::default(), "10 11 33 33");
    t.roll(1, 4).play("10/11");
    assert_eq!(t.legal(), ["11/15"]);
    t.play("11/15");
    assert_eq!(t.seat(0), [11, 15, 33, 33]);
    // A piece alone is not.
    let mut t = Table::new(Rules::default(), "10 33 33 33");
    t.plays(1, 4, &["10/15 (both)"]);
}

#[test]
fn r4_a_first_die_is_legal_only_if_the_second_can_be_played() {
    // Only the piece on 20 can play the 6, so it may not play the 1.
    let mut t = Table::new(Rules::default(), "20 30 33 33");
    t.plays(1, 6, &["20/26 & 30/31", "20/27 (both)"]);
    assert_eq!(t.legal(), ["30/31", "20/26", "20/27 (both)"]);
    // A full play by one piece rules out every play of one die.
    let mut t = Table::new(Rules::default(), "10 33 33 33");
    t.plays(3, 6, &["10/19 (both)"]);
}

#[test]
fn r4_one_die_is_played_where_nothing_plays_both() {
    let mut t = Table::new(Rules::default(), "28 33 33 33");
    t.plays(1, 4, &["28/29", "28/32"]);
    t.play("28/32").thrower(1, 1);
    assert_eq!(t.counts.0[2], [1, 0, 0, 0]);
    // Of a double that cannot be played twice, once is played.
    let mut t = Table::new(Rules::default(), "28 33 33 33");
    t.plays(3, 3, &["28/31"]);
    t.play("28/31").thrower(1, 1);
    // A whole play is no partial one.
    let mut t = Table::new(Rules::default(), "28 33 33 33");
    t.roll(1, 3).play("28/32 (both)").thrower(1, 1);
    assert_eq!(t.counts.0[2], [0; 4]);
}

#[test]
fn r4_the_turn_passes_where_nothing_can_be_played() {
    Table::new(Rules::default(), "29 30 31 32").passes(6, 6);
    Table::new(Rules::default(), "32 32 32 32").passes(3, 6);
    // West holds 3 and 6, the first two cross-cuts of south's course; the square 9 is open.
    let held = "0 33 33 33 | 1 1 10 13 | 1 1 1 1 | 1 1 1 1";
    Table::new(Rules::default(), held).plays(3, 6, &["hand/9 (both)"]);
    Table::new(Rules::default(), held).passes(3, 3);
}

#[test]
fn r5_the_centre_is_entered_by_an_exact_throw_only() {
    Table::new(Rules::default(), "26 33 33 33").plays(3, 3, &["26/32 (both)"]);
    Table::new(Rules::default(), "26 33 33 33").plays(1, 6, &["26/27", "26/32"]);
    Table::new(Rules::default(), "27 33 33 33").plays(4, 6, &["27/31"]);
    Table::new(Rules::default(), "29 33 33 33").passes(4, 6);
    Table::new(Rules::default(), "30 33 33 33").passes(3, 4);
}

#[test]
fn r6_all_enemies_on_the_square_go_to_their_owners_hands() {
    // L4: 5 to south, 12 to west, 26 to east, 19 to north.
    let mut t = Table::new(Rules::default(), "1 1 1 4 | 1 1 12 12 | 1 1 1 19 | 1 1 1 26");
    t.roll(1, 1).play("4/5*");
    assert_eq!((t.seat(1), t.seat(2), t.seat(3)), ([0, 0, 1, 1], [1, 1, 1, 19], [0, 1, 1, 1]));
    assert_eq!(t.counts.0[0], [3, 0, 0, 0]);
}

#[test]
fn r6_own_and_partners_pieces_share_squares() {
    let mut t = Table::new(Rules::default(), "4 5 33 33 | 1 1 1 1 | 1 1 19 19");
    t.roll(1, 1).play("4/5").play("5/6");
    assert_eq!((t.seat(0), t.seat(2), t.counts.0[0]), ([5, 6, 33, 33], [1, 1, 19, 19], [0; 4]));
}

#[test]
fn r6_a_start_square_is_hit_from_both_ends_of_a_course() {
    // West stands on L0 as 8; south comes there by 29 of its course, and by 1.
    let mut t = Table::new(Rules::default(), "0 28 33 33 | 1 1 1 8");
    t.roll(1, 1);
    assert_eq!(t.legal(), ["hand/1*", "28/29*", "hand/2 (both)", "28/30 (both)"]);
    t.play("28/29*");
    assert_eq!(t.seat(1), [0, 1, 1, 1]);
    // And south's piece that stands there as 29 is met by west's 8.
    let mut t = Table::at(Rules::default(), &roll_line(1, 1, "10 10 10 29 | 4 33 33 33"));
    t.roll(1, 3).play("4/8* (both)");
    assert_eq!(t.seat(0), [0, 10, 10, 10]);
}

#[test]
fn r7_a_crosscut_that_holds_an_enemy_is_barred() {
    // South's cross-cuts, and the progress that pieces of west and of east have there.
    let crosscuts = [
        (3, 10, 24),
        (6, 13, 27),
        (10, 17, 3),
        (13, 20, 6),
        (17, 24, 10),
        (20, 27, 13),
        (24, 3, 17),
        (27, 6, 20),
    ];
    let one_on = |progress: u8| {
        let mut values = [15, 15, 15, progress];
        values.sort_unstable();
        values.map(|value| value.to_string()).join(" ")
    };
    for (own, west, east) in crosscuts {
        let lands = |[west, north, east]: [u8; 3]| {
            let seats = [west, north, east].map(one_on).join(" | ");
            let mut t = Table::new(Rules::default(), &format!("{0} {0} 33 33 | {seats}", own - 3));
            t.roll(3, 3);
            t.legal().iter().any(|name| name.ends_with(&format!("/{own}")))
        };
        assert!(lands([15, 15, 15]), "{own} is open");
        assert!(!lands([west, 15, 15]), "{own} is held by west");
        assert!(!lands([15, 15, east]), "{own} is held by east");
        // The partner's pieces bar nothing.
        assert!(lands([15, (own + 13) % 28 + 1, 15]), "{own} is shared with north");
    }
}

#[test]
fn r7_passing_over_is_free() {
    let t = &mut Table::new(Rules::default(), "1 33 33 33 | 1 1 1 10 | 1 1 1 1 | 1 1 1 27");
    t.plays(3, 4, &["1/8* (both)"]);
}

#[test]
fn r7_start_squares_are_crosscuts_with_sides_and_ends() {
    // East's start square, 8 in south's course, and south's own, which it meets as 1 and as 29.
    Table::new(ends(), "4 33 33 33").plays(4, 4, &["4/12 (both)"]);
    Table::new(ends(), "1 33 33 33").plays(1, 6, &["1/2", "1/7"]);
    Table::new(Rules::default(), "1 33 33 33").plays(1, 6, &["1/8* (both)"]);
    Table::new(ends(), "0 28 33 33 | 1 1 1 8").plays(1, 1, &["hand/2 (both)", "28/30 (both)"]);
    Table::new(ends(), "28 33 33 33 | 1 1 1 8").plays(1, 1, &["28/30 (both)"]);
    // Whoever stands on a start square can no longer be hit there.
    let mut t = Table::at(ends(), &roll_line(1, 1, "1 1 1 29 | 1 33 33 33"));
    t.plays(1, 6, &["1/2", "1/7"]);
}

#[test]
fn r8_in_the_centre_and_in_the_columns_nobody_is_hit_or_barred() {
    let all = "31 33 33 33 | 32 32 32 32 | 32 32 32 32 | 32 32 32 32";
    let mut t = Table::new(Rules::default(), all);
    t.plays(1, 1, &["31/32"]).play("31/32");
    assert_eq!([1, 2, 3].map(|seat| t.seat(seat)), [[32; 4]; 3]);
    assert_eq!(t.counts.0[0], [0; 4]);
    let columns = "29 33 33 33 | 30 30 31 31 | 1 1 1 1 | 30 30 31 31";
    let mut t = Table::new(Rules::default(), columns);
    t.plays(1, 1, &["29/31 (both)"]).play("29/31 (both)");
    assert_eq!([1, 3].map(|seat| t.seat(seat)), [[30, 30, 31, 31]; 2]);
}

#[test]
fn r9_a_die_or_the_total_enters_a_piece() {
    for (face, to) in [(1, "hand/1"), (3, "hand/3"), (4, "hand/4"), (6, "hand/6")] {
        let mut t = Table::new(Rules::default(), "0 0 33 33");
        t.roll(face, face).play(to).play(to);
        assert_eq!((t.seat(0), t.counts.0[1]), ([face, face, 33, 33], [2, 0, 0, 0]));
    }
    let mut t = Table::new(Rules::default(), "0 33 33 33");
    t.plays(4, 6, &["hand/10 (both)"]).play("hand/10 (both)");
    assert_eq!(t.counts.0[1], [1, 0, 0, 0]);
}

#[test]
fn r9_entering_hits_and_is_barred_like_any_move() {
    // L3 is 4 to south and 25 to east; L2 is 3 to south and 24 to east.
    let mut t = Table::new(Rules::default(), "0 0 0 0 | 1 1 1 1 | 1 1 1 1 | 1 1 24 25");
    t.roll(3, 4);
    assert_eq!(t.legal(), ["hand/7 (both)"]);
    let mut t = Table::new(Rules::default(), "0 0 0 0 | 1 1 1 1 | 1 1 1 1 | 1 1 25 25");
    t.roll(3, 4).play("hand/4*").play("hand/3");
    assert_eq!((t.seat(3), t.counts.0), ([0, 0, 1, 1], [[2, 0, 0, 0], [2, 0, 0, 0], [0; 4]]));
}

#[test]
fn r9_entering_is_a_choice() {
    let mut t = Table::new(Rules::default(), "0 10 10 33");
    t.roll(1, 4).play("10/11").play("10/14").thrower(1, 1);
    assert_eq!(t.seat(0), [0, 11, 14, 33]);
}

#[test]
fn r10_a_die_that_shows_1_bears_off_from_the_centre() {
    let mut t = Table::new(Rules::default(), "10 32 33 33");
    t.roll(1, 3).play("32/off");
    assert_eq!((t.state.moved, t.legal()), (33, vec!["10/13".to_owned()]));
    t.play("10/13");
    assert_eq!(t.seat(0), [13, 33, 33, 33]);
    for face in [3, 4, 6] {
        Table::new(Rules::default(), "32 32 33 33").passes(face, face);
    }
}

#[test]
fn r10_bearing_off_is_forced_where_nothing_else_plays_the_throw() {
    Table::new(Rules::default(), "32 32 33 33").plays(1, 1, &["32/off & 32/off"]);
    Table::new(Rules::default(), "32 33 33 33").plays(1, 6, &["32/off"]);
    // But not where something else does.
    Table::new(Rules::default(), "10 32 33 33").plays(1, 3, &["10/13 & 32/off", "10/14 (both)"]);
}

#[test]
fn r10_the_total_never_bears_off_and_no_other_square_does() {
    Table::new(Rules::default(), "31 33 33 33").plays(1, 1, &["31/32"]);
    Table::new(Rules::default(), "30 33 33 33").passes(3, 3);
    Table::new(Rules::default(), "29 33 33 33").passes(4, 4);
    Table::new(Rules::default(), "27 33 33 33").passes(6, 6);
}

#[test]
fn r11_a_team_wins_when_both_partners_are_off() {
    let mut t = Table::new(Rules::default(), "32 33 33 33 | 1 1 1 1 | 1 1 1 1");
    t.roll(1, 1).play("32/off").thrower(1, 1);
    assert_eq!(t.game.winner(&t.state), None);
    let last = "33 33 33 33 | 32 33 33 33 | 1 1 1 1 | 33 33 33 33";
    let mut t = Table::at(Rules::default(), &roll_line(1, 1, last));
    t.roll(1, 1).play("32/off");
    assert_eq!((t.state.phase, t.state.turn), (Phase::Over, 1));
    assert_eq!(t.game.winner(&t.state).map(|team| team.0), Some(1));
    assert_eq!(t.game.returns(&t.state).as_slice(), [-1.0, 1.0, -1.0, 1.0]);
}

#[test]
fn r12_turns_of_a_player_whose_pieces_are_off_pass_without_a_throw() {
    let seats = "33 33 33 33 | 10 10 10 10 | 1 1 1 1 | 5 5 5 5";
    let mut t = Table::at(Rules::default(), &roll_line(3, 3, seats));
    t.roll(1, 1).play("5/6").play("5/6").thrower(1, 5);
    // Two neighbours in a row, both finished.
    let seats = "1 1 1 1 | 10 10 10 10 | 33 33 33 33 | 33 33 33 33";
    let mut t = Table::at(Rules::default(), &roll_line(1, 1, seats));
    t.roll(1, 1).play("10/11").play("10/11").thrower(0, 4);
    // Passing over a finished player after a throw that nobody could play.
    let seats = "33 33 33 33 | 10 10 10 10 | 1 1 1 1 | 29 29 29 29";
    let mut t = Table::at(Rules::default(), &roll_line(3, 3, seats));
    t.roll(6, 6).thrower(1, 5);
}

#[test]
fn r12_a_finished_player_plays_his_partners_pieces() {
    let seats = "33 33 33 33 | 1 1 1 1 | 4 29 33 33 | 12 12 20 20";
    let mut t = Table::at(partner_plays(), &roll_line(0, 4, seats));
    // North's 5 is east's 12; the split needs a second piece of north.
    t.plays(1, 3, &["4/5* & 29/32", "4/7 & 29/30", "4/8* (both)"]);
    t.play("4/5*");
    assert_eq!((t.state.player.0, t.state.moved, t.legal()), (0, 5, vec!["29/32".to_owned()]));
    t.play("29/32").thrower(1, 5);
    assert_eq!((t.seat(2), t.seat(3)), ([5, 32, 33, 33], [0, 0, 20, 20]));
    assert_eq!(t.counts.0, [[2, 0, 0, 0], [0; 4], [0; 4]]);
}

#[test]
fn r12_a_finished_player_may_win_with_his_partners_last_piece() {
    let seats = "33 33 33 33 | 1 1 1 1 | 32 33 33 33";
    let mut t = Table::at(partner_plays(), &roll_line(0, 4, seats));
    t.plays(1, 6, &["32/off"]).play("32/off");
    assert_eq!(
        (t.state.phase, t.state.turn, t.game.winner(&t.state).map(|team| team.0)),
        (Phase::Over, 4, Some(0))
    );
}

#[test]
fn r12_whose_pieces_move_is_settled_by_the_throw() {
    let seats = "32 33 33 33 | 1 1 1 1 | 4 10 33 33";
    let mut t = Table::new(partner_plays(), seats);
    t.plays(1, 4, &["32/off"]).play("32/off").thrower(1, 1);
    assert_eq!((t.seat(0), t.seat(2), t.counts.0[2]), ([33; 4], [4, 10, 33, 33], [1, 0, 0, 0]));
    let mut t = Table::at(partner_plays(), &roll_line(0, 4, "33 33 33 33 | 1 1 1 1 | 4 10 33 33"));
    t.roll(1, 4).play("4/8*").play("10/11").thrower(1, 5);
    // A partner in play moves his own pieces only.
    let mut t = Table::at(partner_plays(), &roll_line(2, 2, "4 10 33 33 | 1 1 1 1 | 29 33 33 33"));
    t.plays(1, 3, &["29/30", "29/32"]);
}
