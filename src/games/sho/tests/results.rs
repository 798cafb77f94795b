//! What is counted, and what the greedy agent takes.

use super::*;
use crate::agents::greedy;
use crate::games::sho::{COINS_SENT_HOME, KILLS, PA_RA, STACKS};

#[test]
fn kills_stacks_and_pa_ra_are_counted_for_the_seat() {
    let mut t = Table::new(two(), "10:2 15:1 h6 | 12:2 40:1 h6");
    t.roll(1, 1).roll(1, 2);
    t.play("value 2").play("10/12*");
    t.play_roll(1, 1);
    t.roll(4, 4).play("value 3").play("12/15+").roll(6, 6).play("value 12").play("15/27");
    t.roll(4, 5).play("40/49");
    let mut due = [[0; 4]; 4];
    due[KILLS][0] = 1;
    due[COINS_SENT_HOME][0] = 2;
    due[STACKS][0] = 1;
    due[PA_RA][0] = 2;
    assert_eq!(t.counts.0, due);
    let names: Vec<&str> = Sho::STATISTICS.iter().map(|statistic| statistic.name).collect();
    assert_eq!(
        [names[KILLS], names[STACKS], names[PA_RA], names[COINS_SENT_HOME]],
        ["kills", "stacks", "pa_ra", "coins_sent_home"]
    );
}

#[test]
fn seats_of_a_team_are_counted_apart() {
    let rules = Rules { players: 4, teams: true, ..Rules::default() };
    let mut t = Table::at(rules, &ROLL.replace("player=0", "player=2"), "10:1 h8 | 15:1 h8");
    t.roll(2, 3).play("10/15*");
    assert_eq!(t.counts.0[KILLS], [0, 0, 1, 0]);
}

#[test]
fn every_move_of_a_split_and_an_overflow_is_counted() {
    let mut t = Table::new(flexible(), "10:1 20:1 h7 | 14:1 29:1 h7");
    t.roll(1, 1).roll(5, 6).play("value 4").play("10/14*").play("20/29*");
    assert_eq!((t.counts.0[KILLS][0], t.counts.0[COINS_SENT_HOME][0], t.counts.0[PA_RA][0]), (2, 2, 1));
    let mut t = Table::new(Rules { finish_overflow: true, ..two() }, "59:2 30:1 h6 | 36:1 h8");
    t.roll(5, 6).play("59/off").play("30/36*");
    assert_eq!(t.counts.0[KILLS][0], 1);
}

#[test]
fn pa_ra_counts_at_the_bound_of_the_pool_but_not_where_it_is_a_plain_two() {
    let head = ROLL.replace("pool=-", "pool=2,3,4,5,6,7,8");
    let mut t = Table::at(two(), &head, "10:1 h8 | h9");
    t.roll(1, 1);
    assert_eq!(t.counts.0[PA_RA], [1, 0, 0, 0]);
    let mut t = Table::new(Rules { pa_ra: PaRa::None, ..two() }, "10:1 h8 | h9");
    t.roll(1, 1);
    assert_eq!(t.counts.0[PA_RA], [0; 4]);
}

impl Table {
    /// Throws, and expects to throw again at once.
    fn play_roll(&mut self, one: u8, other: u8) {
        self.roll(one, other);
        assert_eq!(self.phase(), Phase::Reroll);
    }

    fn greedy(&self) -> String {
        self.name(greedy(&self.game, &self.state, self.game.legal_actions(&self.state)))
    }
}

/// What the greedy agent moves after this throw.
fn after(rules: Rules, sides: &str, dice: (u8, u8)) -> String {
    let mut t = Table::new(rules, sides);
    t.roll(dice.0, dice.1);
    t.greedy()
}

#[test]
fn greedy_finishes_kills_stacks_and_else_moves_the_rearmost() {
    let finish = "10:2 15:1 20:1 60:1 h4 | 25:1 h8";
    assert_eq!(after(two(), finish, (2, 3)), "60/off");
    let kill = "10:2 15:1 20:1 40:1 h4 | 25:1 h8";
    assert_eq!(after(two(), kill, (2, 3)), "20/25*");
    let stack = "10:2 15:1 20:1 40:1 h4 | 26:1 h8";
    assert_eq!(after(two(), stack, (2, 3)), "10/15+");
    assert_eq!(after(two(), "10:2 20:1 h6 | h9", (2, 3)), "hand/5");
    assert_eq!(after(two(), "10:2 20:1 o6 | h9", (2, 3)), "10/15");
}

#[test]
fn greedy_kills_and_stacks_and_finishes_the_most() {
    let kills = "10:1 20:3 h5 | 15:1 25:3 h5";
    assert_eq!(after(two(), kills, (2, 3)), "20/25*");
    let stacks = "10:1 15:1 30:2 35:2 h3 | h9";
    assert_eq!(after(two(), stacks, (2, 3)), "30/35+");
    assert_eq!(after(two(), "60:1 62:3 h5 | h9", (2, 3)), "62/off");
    // Of equals the smallest id.
    assert_eq!(after(two(), "10:1 20:1 h7 | 15:1 25:1 h7", (2, 3)), "10/15*");
}

#[test]
fn greedy_chooses_the_value_of_its_best_move() {
    let mut t = Table::new(two(), "10:1 23:2 h6 | 12:1 40:2 h6");
    t.roll(1, 1).roll(5, 6);
    assert_eq!(t.greedy(), "value 2");
    t.play("value 2");
    assert_eq!(t.greedy(), "10/12*");
    // Where all are alike, the farthest.
    let mut t = Table::new(two(), "h9 | h9");
    t.roll(1, 1).roll(5, 6);
    assert_eq!(t.greedy(), "value 13");
}

#[test]
fn greedy_judges_the_first_part_of_a_split() {
    let mut t = Table::new(flexible(), "10:1 20:1 h7 | 14:1 h8");
    t.roll(1, 1).roll(5, 6);
    assert_eq!(t.greedy(), "value 4");
    t.play("value 4");
    assert_eq!(t.greedy(), "10/14*");
}

#[test]
fn greedy_brings_all_and_uses_the_overflow() {
    let rules = Rules { six_three: true, ..two() };
    assert_eq!(after(rules, "h9 cleared | h9", (6, 3)), "hand/9 all");
    let mut t = Table::new(Rules { finish_overflow: true, ..two() }, "59:2 30:7 | h9");
    t.roll(5, 6).play("59/off");
    assert_eq!(t.greedy(), "30/36");
}
