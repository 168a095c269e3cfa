//! `nestling bench`: our engine beside the paper's technique, in one run, as ratios.

pub(crate) mod args;
mod change;
mod gpu;
mod rounds;
mod sheet;
mod work;

use std::time::Duration;

use anyhow::{Result, bail};
use nestling::Search;
use nestling_lab::TECHNIQUES;
use nestling_lab::baseline::Technique;
use nestling_morpion::{Board, Instructions, Variant};

use self::args::BenchArgs;
use crate::args::DeviceChoice;
use crate::failure::Exit;
use crate::text;
use rounds::{Clock, Contestant, ContestantResult, RoundBudget, compare};
use sheet::{BenchTable, Columns, Row};
use work::{Work, by_technique, run, side_by_side};

const VARIANTS: [Variant; 2] = [Variant::FiveD, Variant::FiveT];

pub(crate) fn bench(args: &BenchArgs) -> Result<Exit> {
    if let [before, after] = &args.compare[..] {
        change::print(&change::read(before)?, &change::read(after)?, args.json)?;
        return Ok(Exit::Done);
    }
    let before = args.compare.first().map(|before| change::read(before)).transpose()?;
    let bench = Bench { quick: args.quick, deep: args.deep, sheet: BenchTable::new(args.json) };
    let gpu = match (args.device, nestling_gpu::available()) {
        (DeviceChoice::Cuda, Err(missing)) => bail!("--device cuda: {missing}"),
        (device, found) => device != DeviceChoice::Cpu && found.is_ok(),
    };
    if args.device != DeviceChoice::Cuda {
        bench.engine()?;
        bench.threads()?;
        bench.techniques()?;
    }
    if gpu {
        bench.gpu()?;
    }
    let after = bench.sheet.finish();
    if let Some(before) = before {
        change::print(&before, &after, args.json)?;
    }
    Ok(Exit::Done)
}

struct Bench {
    quick: bool,
    deep: bool,
    sheet: BenchTable,
}

impl Bench {
    /// Our engine beside the paper's technique, every set of instructions by itself, on one thread.
    fn engine(&self) -> Result<()> {
        let columns = Columns {
            table: "engine",
            title:
                "CPU nanoseconds per move. The paper's technique: Range Query with SSE2 lists (Buzer and Cazenave 2022)"
                    .to_owned(),
            how: "instructions",
            left: ("ours".to_owned(), "ours_ns"),
            right: ("paper's".to_owned(), "paper_ns"),
        };
        let levels = [Work::Nested(1), Work::Nested(2), Work::Nrpa(1), Work::Nrpa(2)];
        let works = [&[Work::Uniform, Work::Weighted], &levels[..]].concat().into_iter();
        let works = works.chain((!self.quick).then_some(Work::Nrpa(3))).chain(self.deep.then_some(Work::Nested(3)));
        self.sheet.begin(&columns)?;
        for (variant, work) in every_variant(works) {
            let sets = Instructions::available();
            let boards: Vec<_> = sets.iter().map(|&set| Board::new(variant).with(set)).collect();
            let mut contestants: Vec<Contestant<'_>> = vec![Box::new(move |seed| work.papers(variant, seed))];
            contestants
                .extend(boards.iter().map(|board| -> Contestant<'_> { Box::new(|seed| work.ours(board, seed)) }));
            let long = matches!(work, Work::Nested(3) | Work::Nrpa(3));
            let standings = self.compare(Clock::Processor, variant, &work.name(), long, &contestants)?;
            let (paper, ours) = standings.split_first().expect("the paper's technique is there");
            for (set, ContestantResult { time, ratio }) in sets.iter().zip(ours) {
                let (what, how) = (&work.name(), format!("{set:?}").to_lowercase());
                let row = Row { variant: variant.name(), what, how, left: *time, right: paper.time, ratio: *ratio };
                self.sheet.row(&columns, &row)?;
            }
        }
        self.sheet.end()
    }

    /// What all threads add to one, where the work can be split; and what as many runs side by side add, which is what the
    /// machine has to give.
    fn threads(&self) -> Result<()> {
        let all = nestling_registry::all_threads();
        let columns = Columns {
            table: "threads",
            title:
                "Wall-clock nanoseconds per move, ours on one thread and on all; side by side: an independent run on each thread"
                    .to_owned(),
            how: "how",
            left: ("1 thread".to_owned(), "one_ns"),
            right: (text::plural(all as u64, "thread"), "all_ns"),
        };
        let searches = ["repeat(100000, playout)", "nested(2)", "repeat(16, nrpa(2))"].into_iter();
        let searches = searches.chain(self.deep.then_some("nested(3)"));
        self.sheet.begin(&columns)?;
        for (variant, text) in every_variant(searches) {
            let (board, search): (_, Search) = (Board::new(variant), text.parse()?);
            let on = |threads| -> Contestant<'_> {
                let (board, search) = (&board, &search);
                Box::new(move |seed| run(board, search, threads, seed))
            };
            let mut contestants = vec![on(1), on(all)];
            if !self.quick {
                contestants.push(Box::new(|seed| side_by_side(&board, &search, all, seed)));
            }
            let standings = self.compare(Clock::Wall, variant, text, text == "nested(3)", &contestants)?;
            for (how, many) in ["split", "side by side"].into_iter().zip(&standings[1..]) {
                let (how, left) = (how.to_owned(), standings[0].time);
                let (right, ratio) = (many.time, many.ratio);
                self.sheet.row(&columns, &Row { variant: variant.name(), what: text, how, left, right, ratio })?;
            }
        }
        self.sheet.end()
    }

    /// The paper's other techniques beside its proposal: its table I, and what it says of SSE2 in III.C.
    fn techniques(&self) -> Result<()> {
        let columns = Columns {
            table: "paper",
            title: "The paper's other techniques and its proposal, CPU nanoseconds per move".to_owned(),
            how: "technique",
            left: ("this one".to_owned(), "technique_ns"),
            right: ("proposal".to_owned(), "proposal_ns"),
        };
        let (proposal, others): (Vec<_>, Vec<_>) =
            TECHNIQUES.into_iter().partition(|(_, technique, _)| *technique == Technique::RangeQuery);
        self.sheet.begin(&columns)?;
        for variant in VARIANTS {
            let contestant = |&(_, technique, games): &(_, Technique, u64)| -> Contestant<'_> {
                Box::new(move |seed| by_technique(technique, variant, games, seed))
            };
            let contestants: Vec<_> = proposal.iter().chain(&others).map(contestant).collect();
            let standings = self.compare(Clock::Processor, variant, "the paper's techniques", false, &contestants)?;
            for ((name, ..), standing) in others.iter().zip(&standings[1..]) {
                let (what, how) = ("uniform playouts", (*name).to_owned());
                let (left, right, ratio) = (standing.time, standings[0].time, standing.ratio.inverse());
                let row = Row { variant: variant.name(), what, how, left, right, ratio };
                self.sheet.row(&columns, &row)?;
            }
        }
        Ok(())
    }

    fn compare(
        &self,
        clock: Clock,
        variant: Variant,
        what: &str,
        long: bool,
        contestants: &[Contestant<'_>],
    ) -> Result<Vec<ContestantResult>> {
        let effort = match (long, self.quick) {
            (true, _) => RoundBudget { time: Duration::from_secs(60), least: 1 },
            (false, true) => RoundBudget { time: Duration::from_millis(500), least: 3 },
            (false, false) => RoundBudget { time: Duration::from_secs(5), least: 5 },
        };
        let variant = variant.name();
        compare(clock, effort, contestants, |round| self.sheet.doing(format!("{variant} {what}, round {round}")))
    }
}

fn every_variant<T: Copy>(things: impl Iterator<Item = T> + Clone) -> impl Iterator<Item = (Variant, T)> {
    VARIANTS.into_iter().flat_map(move |variant| things.clone().map(move |thing| (variant, thing)))
}
