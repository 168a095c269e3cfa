//! All tests of the crate in one program: what they share is compiled once.

mod common;
mod docs;
mod duel_cancel;
mod duel_matches;
mod duel_players;
mod duel_uct;
mod expressions;
mod laws_accelerator;
mod laws_engine;
mod laws_hostile;
mod laws_ledger;
mod laws_merge;
mod laws_order;
mod laws_resume;
mod laws_search;
mod laws_stepper;
mod laws_stop;
mod old_checkpoints;
mod papers;
mod papers_learning;
mod papers_pool;
mod tables;
mod weights;
