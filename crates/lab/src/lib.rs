//! The papers' tables and figures as data: run again, judged and drawn.

pub mod baseline;
mod catalogue;
mod compare;
mod defaults;
mod experiment;
mod export;
mod gpu_speed;
mod instrument;
mod judge;
mod papers;
mod reading;
mod report;
mod results;
pub mod rules;
mod runner;
pub mod statistics;
mod words;

pub use catalogue::{CatalogueError, of_folder, standard};
pub use compare::{Compared, SearchComparison};
pub use defaults::{CandidateTable, Candidates, Measuring};
pub use experiment::{
    AxisValue, Claim, Definition, Experiment, ExperimentError, Kind, Measure, Plot, PlotKind, PublishedFigure, Row,
    RowSeries, SearchDefinition, Selection, Size,
};
pub use export::readings_csv;
pub use gpu_speed::MEASURED_GPU;
pub use instrument::{TECHNIQUES, seed_of};
pub use judge::{ENOUGH, Judgement, MoreRuns, OpenClaim, RULES, Subject, judge, open_claims};
pub use papers::{Item, Paper, papers};
pub use reading::{FoundGame, Point, Reading, Sample, foremost, samples};
pub use report::{Report, ReportFile};
pub use results::{ExperimentResults, FullSize, Measured, RowOutcome};
pub use rules::Verdict;
pub use runner::{Cluster, Done, LabEffort, Progress, Runner, RunnerError};
pub use statistics::{Interval, Summary};
pub use words::{figure, lasting, range};
