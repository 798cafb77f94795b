//! Games under way: one, many to their ends, many in lanes, and their results in columns.

pub mod batch;
pub mod forest;
pub mod game_in_play;
pub mod metrics;
pub mod recording;
pub mod rollout;
pub mod series;
pub mod states;
pub mod training;
pub mod window;
