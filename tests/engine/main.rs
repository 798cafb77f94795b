//! Tests of the engine from outside, through what the crate makes public. They are one program, because linking the engine
//! anew for each file took longer than the tests do.

mod analyses;
mod batch;
mod batch_lineups;
mod batch_seats;
mod common;
mod contract;
mod cpu;
mod drawings;
mod exact;
mod exact_placing;
mod forms;
mod golden;
mod nine_mens_counts;
mod perft;
mod rollout;
mod rollout_dice;
mod series;
mod strength;
