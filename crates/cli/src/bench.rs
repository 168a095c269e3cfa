//! `nestling bench`: our engine beside the paper's technique, in one run, as ratios.
//!
//! Every figure is the median of several rounds, and the rounds of all contestants alternate: on a shared machine whatever
//! disturbs one disturbs the others too.

use std::time::Instant;

use anyhow::{Result, anyhow};
use nestling::playout::{Batch, PlayoutPolicy};
use nestling::{Goal, Problem, Run, Search, Stream};
use nestling_baseline::Technique;
use nestling_morpion::{Board, Instructions, Variant};
use serde_json::json;

use crate::args::BenchArgs;
use crate::failure::Exit;
use crate::{json, text};

/// Playouts per round.
const GAMES: usize = 2_000;

/// What is timed.
#[derive(Clone, Copy)]
enum Work {
    Uniform,
    Weighted,
    Nested(u32),
    Nrpa(u32),
}

impl Work {
    fn name(self) -> String {
        match self {
            Work::Uniform => "uniform playouts".to_owned(),
            Work::Weighted => "weighted playouts".to_owned(),
            Work::Nested(level) => format!("nested({level})"),
            Work::Nrpa(level) => format!("nrpa({level})"),
        }
    }

    fn rounds(self, quick: bool) -> usize {
        match self {
            Work::Nrpa(3) => 3,
            _ if quick => 7,
            _ => 25,
        }
    }

    /// Does the work with our engine; the moves played.
    fn ours(self, board: &Board, seed: u64) -> Result<u64> {
        let search = match self {
            Work::Uniform => {
                let policy = PlayoutPolicy::UNIFORM;
                let mut batch = Batch::repeated(&policy, Goal::Max, Stream::new(seed), 0, GAMES);
                board.playouts(&mut batch);
                return Ok(batch.moves_played());
            }
            Work::Weighted => return weighted(board, seed),
            Work::Nested(level) => Search::nested(level),
            Work::Nrpa(level) => Search::nrpa(level),
        };
        Ok(Run::new(board, search).seed(seed).start()?.counts.moves)
    }

    /// Does the work with the paper's technique; the moves played.
    fn papers(self, variant: Variant, seed: u64) -> Result<u64> {
        let games = GAMES as u64;
        let played = match self {
            Work::Uniform => nestling_baseline::uniform(variant, Technique::RangeQuery, games, seed),
            Work::Weighted => nestling_baseline::weighted(variant, Technique::RangeQuery, games, seed),
            Work::Nested(level) => nestling_baseline::nested(variant, level as usize, seed).map(|found| found.played),
            Work::Nrpa(level) => nestling_baseline::nrpa(variant, level as usize, seed).map(|found| found.played),
        };
        played.map_err(|refused| anyhow!("the paper's technique: {refused}"))
    }
}

/// Games drawn by a policy in which all moves weigh the same.
fn weighted(board: &Board, seed: u64) -> Result<u64> {
    let mut learner = board.learner().ok_or_else(|| anyhow!("this board has no engine"))?;
    let policy = vec![1.0; learner.codes().len()];
    let games = (0..GAMES as u64).filter_map(|game| learner.play(&policy, &mut Stream::new(seed).child(game).rng()));
    Ok(games.map(|(_, moves)| moves as u64).sum())
}

pub(crate) fn bench(args: &BenchArgs) -> Result<Exit> {
    let mut works = vec![Work::Uniform, Work::Weighted, Work::Nested(1), Work::Nested(2), Work::Nrpa(1), Work::Nrpa(2)];
    if !args.quick {
        works.push(Work::Nrpa(3));
    }
    if !args.json {
        text::print(
            "ns a move, medians; the paper's technique is Range Query with SSE2 lists (Buzer and Cazenave 2022)\n\n",
        )?;
        row(&["variant", "what", "instructions", "ours", "paper's", "ratio"])?;
    }
    for variant in [Variant::FiveD, Variant::FiveT] {
        for &work in &works {
            compare(args, variant, work)?;
        }
    }
    threads(args)?;
    Ok(Exit::Done)
}

/// Seconds per move of some work.
fn timed(work: impl FnOnce() -> Result<u64>) -> Result<f64> {
    let began = Instant::now();
    let moves = work()?;
    Ok(began.elapsed().as_secs_f64() / moves.max(1) as f64)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// One row for every set of instructions.
fn compare(args: &BenchArgs, variant: Variant, work: Work) -> Result<()> {
    let boards: Vec<_> =
        Instructions::available().into_iter().map(|set| (set, Board::new(variant).with(set))).collect();
    let (mut ours, mut ratios) = (vec![Vec::new(); boards.len()], vec![Vec::new(); boards.len()]);
    let mut papers = Vec::new();
    for round in 0..work.rounds(args.quick) as u64 {
        let paper = timed(|| work.papers(variant, round))?;
        papers.push(paper);
        for (index, (_, board)) in boards.iter().enumerate() {
            let time = timed(|| work.ours(board, round))?;
            ours[index].push(time);
            ratios[index].push(paper / time);
        }
    }
    let paper = median(papers) * 1e9;
    for (((set, _), times), ratios) in boards.iter().zip(ours).zip(ratios) {
        let (ours, set) = (median(times) * 1e9, format!("{set:?}").to_lowercase());
        let ratio = median(ratios);
        if args.json {
            let object = json!({
                "variant": variant.name(), "what": work.name(), "instructions": set,
                "ours_ns": ours, "paper_ns": paper, "ratio": ratio,
            });
            json::print(&object)?;
        } else {
            let figures = [format!("{ours:.1}"), format!("{paper:.1}"), format!("{ratio:.2}")];
            row(&[variant.name(), &work.name(), &set, &figures[0], &figures[1], &figures[2]])?;
        }
    }
    Ok(())
}

/// What all threads add to one.
fn threads(args: &BenchArgs) -> Result<()> {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    if !args.json {
        text::print(&format!("\nspeed of {} beside one\n\n", text::plural(all as u64, "thread")))?;
    }
    let searches: &[&str] = if args.quick {
        &["repeat(100000, playout)", "repeat(16, nrpa(2))"]
    } else {
        &["repeat(100000, playout)", "repeat(16, nrpa(2))", "nested(3)"]
    };
    for variant in [Variant::FiveD, Variant::FiveT] {
        let board = Board::new(variant);
        for search in searches {
            let parsed: Search = search.parse()?;
            let on = |threads| timed(|| Ok(Run::new(&board, parsed.clone()).threads(threads).start()?.counts.moves));
            let rounds = if *search == "nested(3)" { 1 } else { 3 };
            let (mut one, mut many) = (Vec::new(), Vec::new());
            for _ in 0..rounds {
                one.push(on(1)?);
                many.push(on(all)?);
            }
            let ratio = median(one) / median(many);
            if args.json {
                let object = json!({ "variant": variant.name(), "what": search, "threads": all, "ratio": ratio });
                json::print(&object)?;
            } else {
                row(&[variant.name(), search, &format!("{all} threads"), "", "", &format!("{ratio:.2}")])?;
            }
        }
    }
    Ok(())
}

fn row(cells: &[&str; 6]) -> Result<()> {
    let [variant, what, set, ours, papers, ratio] = cells;
    text::print(&format!("{variant:8} {what:24} {set:12} {ours:>8} {papers:>8} {ratio:>6}\n"))?;
    Ok(())
}
