//! Which values of a pool pay for a distance (R9), against all parts one by one.

use std::cmp::Reverse;

use proptest::prelude::*;

use super::*;
use crate::games::sho::state::Pool;

fn pool_of(values: &[u8]) -> Pool {
    let mut pool = Pool::default();
    for &value in values {
        pool.push(value);
    }
    pool
}

/// All non-empty parts as (the part descending, the rest ascending).
fn parts(values: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    (1u32..1 << values.len())
        .map(|mask| {
            let pick = |taken: bool| -> Vec<u8> {
                let chosen = values.iter().enumerate().filter(|&(at, _)| (mask >> at & 1 != 0) == taken);
                chosen.map(|(_, &value)| value).collect()
            };
            let (mut part, mut rest) = (pick(true), pick(false));
            part.sort_by_key(|&value| Reverse(value));
            rest.sort();
            (part, rest)
        })
        .collect()
}

fn spent(values: &[u8], distance: u8) -> Vec<u8> {
    let mut pool = pool_of(values);
    pool.spend(distance);
    pool.as_slice().to_vec()
}

#[test]
fn r9_the_fewest_values_are_spent() {
    assert_eq!(spent(&[2, 3, 5], 5), [2, 3]);
    assert_eq!(spent(&[2, 2, 2, 6], 6), [2, 2, 2]);
}

#[test]
fn r9_of_as_many_the_larger_are_spent() {
    assert_eq!(spent(&[2, 5, 5, 8], 10), [5, 5]);
    assert_eq!(spent(&[2, 3, 4, 5, 6], 8), [3, 4, 5]);
    let mut t = Table::at(two(), &value_of("2,5,5,8"), "10:1 20:1 h7 | h9");
    t.play("value 10").play("10/20+").throws_again(&[5, 5]);
}

proptest! {
    #[test]
    fn spending_agrees_with_all_parts(
        values in prop::collection::vec(2u8..=12, 1..=8), chosen in any::<prop::sample::Index>(),
    ) {
        let parts = parts(&values);
        let distance: u8 = parts[chosen.index(parts.len())].0.iter().sum();
        let best = parts
            .iter()
            .filter(|(part, _)| part.iter().sum::<u8>() == distance)
            .min_by_key(|(part, _)| (part.len(), Reverse(part.clone())));
        prop_assert_eq!(&spent(&values, distance), &best.expect("the chosen part is one").1);
    }

    #[test]
    fn sums_agree_with_all_parts(values in prop::collection::vec(2u8..=12, 1..=8)) {
        let due = parts(&values).iter().fold(0u128, |sums, (part, _)| sums | 1 << part.iter().sum::<u8>());
        let pool = pool_of(&values);
        prop_assert_eq!(pool.sums(), due);
        prop_assert_eq!(pool.total(), values.iter().sum::<u8>());
        prop_assert!(pool.as_slice().is_sorted());
    }
}
