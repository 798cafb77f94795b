//! Strongly connected components, by Tarjan's algorithm without recursion.

use std::hash::Hash;

use super::graph::Graph;
use crate::base::control::Control;
use crate::base::error::Error;

/// The number of a position that has been visited; 0 before, and this after its component was found.
const DONE: u32 = u32::MAX;

/// How many components are found between two looks at the control.
const STRIDE: u32 = 1 << 10;

/// Shows every component, those that play can only come to later first, each in the order in which its positions were
/// visited.
pub(super) fn components<S: Copy + Eq + Hash>(
    graph: &Graph<S>,
    control: &Control,
    mut found: impl FnMut(&[u32]) -> Result<(), Error>,
) -> Result<(), Error> {
    let len = graph.len();
    let mut visited = vec![0u32; len];
    // The lowest number that can be come back to.
    let mut low = vec![0u32; len];
    // Those whose component is still open, and the way from the root to the present one, with what to follow next.
    let mut open: Vec<u32> = Vec::new();
    let mut way: Vec<(u32, u32)> = Vec::new();
    let (mut last, mut count) = (0, 0);
    for root in 0..len as u32 {
        if visited[root as usize] != 0 {
            continue;
        }
        let mut next = Some(root);
        loop {
            if let Some(node) = next.take() {
                last += 1;
                visited[node as usize] = last;
                low[node as usize] = last;
                open.push(node);
                way.push((node, 0));
            }
            let Some((node, step)) = way.last_mut() else { break };
            let at = *node as usize;
            if let Some(&after) = graph.after(at).get(*step as usize) {
                *step += 1;
                match visited[after as usize] {
                    0 => next = Some(after),
                    DONE => {}
                    number => low[at] = low[at].min(number),
                }
                continue;
            }
            way.pop();
            if let Some(&(before, _)) = way.last() {
                low[before as usize] = low[before as usize].min(low[at]);
            }
            if low[at] == visited[at] {
                let begin = open.iter().rposition(|&node| node as usize == at).expect("it is still open");
                count += 1;
                if count % STRIDE == 0 {
                    control.check()?;
                }
                found(&open[begin..])?;
                for &node in &open[begin..] {
                    visited[node as usize] = DONE;
                }
                open.truncate(begin);
            }
        }
    }
    Ok(())
}
