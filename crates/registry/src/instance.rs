//! One problem, its type forgotten: moves are texts, everything else is numbers.

use std::borrow::Cow;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

use nestling::search::{Files, Searches};
use nestling::{
    Allowance, Certified, Estimate, Evaluation, Examples, Goal, Illegal, Outcome, PlanError, Problem, Run, RunError,
    Search, Suggestion, TaskError, Weights, state_after,
};
use nestling_presentation::{
    Canvas, Comparison, Meaning, Mistakes, MoveReason, Picture, Presentation, Published, Record, Solutions,
};
use serde_json::Value;

use crate::device::Device;
use crate::gpu::GpuSearches;
use crate::pasted::contained;
use crate::run::{Controls, Ready, Resume, SteppedTask, Tasks};
use crate::table::Table;

const NO_KERNELS: &str = "this problem has no kernels for GPUs; only the processor can search it";

/// A problem with its parameters, as the command line sees it.
pub trait Instance: Send + Sync {
    /// The name it was opened by, parameters included.
    fn name(&self) -> &str;
    /// Whether it is maximised or minimised.
    fn goal(&self) -> Goal;
    /// The best result known.
    fn record(&self) -> Option<Record>;
    /// A score in words.
    fn unit(&self) -> Option<&'static str>;
    /// What the score of a game means, if the number needs an explanation; `proven` if the score is optimal.
    fn meaning(&self, score: f64, proven: bool) -> Option<Meaning>;
    /// A description of a game's score; `complete` if no legal move is left.
    fn worth(&self, score: f64, complete: bool) -> String;
    /// The game for two that this is, if it is one.
    fn table(&self) -> Option<&dyn Table>;
    /// The search to use when a person names none, and why.
    fn default_search(&self, allowance: Allowance) -> Suggestion;
    /// The estimated cost of a search here after these moves.
    fn estimate(&self, search: &Search, from: &[String]) -> Result<Estimate, RunError>;
    /// Whether a search fits the problem.
    fn check(&self, search: &Search) -> Result<(), PlanError>;
    /// The search for GPUs to use when a person names none, and why; `None` where GPUs have nothing for the problem.
    fn gpu_default_search(&self) -> Option<Suggestion>;
    /// Whether the GPUs of this machine can run a search; if not, a message with the reason.
    fn gpu_check(&self, search: &Search) -> Result<(), String>;
    /// Makes a run on this problem, which has been [decided on](crate::Registry::ready) for it.
    fn run(&self, ready: &Ready, controls: Controls<'_>) -> Result<Outcome, RunError>;
    /// The tasks of such a run, for others to make; see [`Ready::tasks`].
    fn tasks(&self, ready: &Ready, resume: Option<Resume>) -> Result<Box<dyn Tasks + '_>, RunError>;
    /// Makes one of them; see [`Ready::make_task`].
    fn make_task(&self, ready: &Ready, task: &[u8], by: &str, controls: Controls<'_>) -> Result<Vec<u8>, RunError>;
    /// Makes one of them step by step; see [`Ready::task_stepper`].
    fn task_stepper<'a>(
        &'a self,
        ready: &Ready,
        task: &[u8],
        controls: Controls<'a>,
    ) -> Result<Box<dyn SteppedTask + 'a>, RunError>;
    /// A picture of a game.
    fn draw(&self, game: &Certified, canvas: Canvas) -> Result<String, Illegal>;
    /// A picture of a game as SVG; `None` where the problem has none.
    fn picture(&self, game: &Certified, picture: &Picture) -> Result<Option<String>, Illegal>;
    /// What programs need to show the state after a game; `None` where the problem has nothing of the kind.
    fn view(&self, game: &Certified) -> Result<Option<Value>, Illegal>;
    /// How many solutions there are; `None` if that is undefined or takes too long.
    fn solutions(&self) -> Option<Solutions>;
    /// Which moves of a game contradict the solution; see [`Presentation::mistakes`].
    fn mistakes(&self, game: &Certified) -> Result<Option<Mistakes>, Illegal>;
    /// Which of some moves, each by itself, contradict the solution; `None` where there is not exactly one, or that takes too long to find out.
    fn contradicting(&self, moves: &[String]) -> Option<Vec<usize>>;
    /// What follows after a game by reasoning; see [`Presentation::reasons`].
    fn reasons(&self, game: &Certified) -> Result<Option<Vec<MoveReason>>, Illegal>;
    /// The games that were published as records.
    fn published(&self) -> Vec<Published>;
    /// Replays a game by the plain rules. It may have moves left.
    fn certify(&self, moves: &[String]) -> Result<Certified, Illegal>;
    /// The legal moves after a game, in the problem's order; none when it is over.
    fn legal_moves(&self, game: &Certified) -> Result<Vec<String>, Illegal>;
    /// Bytes that are the same for two games that people would call the same.
    fn identity(&self, game: &Certified) -> Result<Vec<u8>, Illegal>;
    /// What games of one family have in common; see [`Presentation::family`].
    fn family(&self, game: &Certified) -> Result<Vec<u8>, Illegal>;
    /// The legal moves after a game with their codes, biases and weights, in the problem's order.
    fn coded_moves(&self, game: &Certified, weights: &Weights) -> Result<Vec<CodedMove>, Illegal>;
    /// The code of the move with this text, or a message why there is none; see [`Presentation::code_of`].
    fn code_of(&self, text: &str) -> Result<u64, String>;
    /// The weights of a policy that plays like these games, as far as their moves can be played after `start`, which is a game too; see
    /// [`Weights::towards_all`].
    fn weights_towards(&self, games: &[Certified], start: &Certified) -> Result<Weights, Illegal>;
    /// How many features its moves have, for networks; see [`Problem::feature_count`].
    fn feature_count(&self) -> usize;
    /// Adds the positions of a game to the examples for a network.
    fn add_examples(&self, game: &Certified, examples: &mut Examples) -> Result<(), Illegal>;
    /// How much two games have in common.
    fn compare(&self, one: &Certified, other: &Certified) -> Result<Comparison, Illegal>;
}

/// A legal move with its code and weight.
#[derive(Clone, Debug, PartialEq)]
pub struct CodedMove {
    /// As people write it.
    pub text: String,
    /// Its code, see [`Problem::code`].
    pub code: u64,
    /// Its bias, see [`Problem::bias`].
    pub bias: f64,
    /// Its weight, that of a network included.
    pub weight: f64,
}

/// The one implementation of [`Instance`], for the searches of a set.
pub(crate) struct Named<P: Problem, S> {
    pub name: String,
    pub problem: P,
    pub hooks: Hooks<P>,
    pub searches: PhantomData<fn() -> S>,
}

/// The parts of a problem beside its presentation.
pub(crate) struct Hooks<P: Problem> {
    pub gpu: Option<Arc<dyn GpuSearches<P>>>,
    /// The game for two that it is.
    pub table: Option<for<'a> fn(&'a P) -> &'a dyn Table>,
    /// Whether its name may lead to a file of puzzles.
    pub reads_puzzles: bool,
}

impl<P: Problem> Default for Hooks<P> {
    fn default() -> Self {
        Hooks { gpu: None, table: None, reads_puzzles: false }
    }
}

impl<P: Problem> Clone for Hooks<P> {
    fn clone(&self) -> Self {
        Hooks { gpu: self.gpu.clone(), table: self.table, reads_puzzles: self.reads_puzzles }
    }
}

impl<P: Presentation, S> Named<P, S> {
    fn parsed(&self, texts: &[String]) -> Result<Vec<P::Move>, Illegal> {
        self.problem.parse(&texts.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The moves of a game; of one that was kept as texts they are read, and checked again.
    fn moves<'g>(&self, game: &'g Certified) -> Result<Cow<'g, [P::Move]>, Illegal> {
        if let Some(moves) = game.moves_of() {
            return Ok(Cow::Borrowed(moves));
        }
        let moves = self.parsed(game.texts())?;
        self.problem.certify(&moves)?;
        Ok(Cow::Owned(moves))
    }

    /// The files that a search mentions.
    fn files(&self, ready: &Ready) -> Result<Files<P::Move>, RunError> {
        let weights = ready.weights().iter().map(|(name, weights)| (name.clone(), weights.clone().into())).collect();
        let mut files = Files { weights, games: HashMap::new() };
        for (name, games) in &ready.spec().games {
            let parsed = games.iter().zip(1..).map(|(game, number)| {
                self.parsed(game).map_err(|error| RunError::Games { name: name.clone(), number, error })
            });
            files.games.insert(name.clone(), parsed.collect::<Result<_, _>>()?);
        }
        Ok(files)
    }

    fn gpu(&self) -> Result<&dyn GpuSearches<P>, String> {
        self.hooks.gpu.as_deref().ok_or_else(|| NO_KERNELS.to_owned())
    }
}

impl<P: Presentation, S: Searches> Named<P, S> {
    /// A run as it was decided on, for the processor.
    fn built<'a, 'c: 'a>(&'a self, ready: &Ready, controls: Controls<'c>) -> Result<Run<'a, P>, RunError> {
        let (spec, Controls { cancel, scores, began, resume, listener, journal, around, workers: _ }) =
            (ready.spec(), controls);
        let from = self.parsed(&spec.from).map_err(RunError::From)?;
        let mut run = Run::of::<S>(&self.problem, ready.search().clone())
            .seed(ready.seed())
            .threads(ready.threads())
            .from(&from)
            .cancel(cancel);
        if let Some(around) = around {
            run = run.around(around);
        }
        if let Some(listener) = listener {
            run = run.on_event(listener);
        }
        if let Some(time) = spec.time {
            run = run.time(time);
        }
        if let Some(began) = began {
            run = run.began(began);
        }
        if let Some(playouts) = spec.playouts {
            run = run.playouts(playouts);
        }
        if let Some(target) = spec.target {
            run = run.target(target);
        }
        if let Some(keep) = spec.keep {
            run = run.keep(keep);
        }
        run = run.files(self.files(ready)?);
        if let Some(scores) = scores {
            run = run.scores(scores);
        }
        if let Some((checkpoint, spent)) = resume {
            run = run.resume(checkpoint).spent(spent);
        }
        if let Some(journal) = journal {
            run = run.journal(journal, spec.checkpoint);
        }
        Ok(run)
    }

    /// The same for the device that it was decided on for, which is opened.
    fn opened<'a, 'c: 'a>(&'a self, ready: &Ready, controls: Controls<'c>) -> Result<Run<'a, P>, RunError> {
        let (spec, run) = (ready.spec(), self.built(ready, controls)?);
        if spec.device != Device::Cuda {
            return Ok(run);
        }
        let from = self.parsed(&spec.from).map_err(RunError::From)?;
        self.problem.certify(&from).map_err(RunError::From)?;
        let gpu = self.gpu().map_err(RunError::Accelerator)?;
        let start = state_after(&self.problem, &from);
        let machine = gpu.open(&start, ready.search(), &self.files(ready)?, ready.seed());
        Ok(run.accelerator(machine.map_err(RunError::Accelerator)?))
    }
}

impl<P: Presentation, S: Searches> Instance for Named<P, S> {
    fn name(&self) -> &str {
        &self.name
    }

    fn goal(&self) -> Goal {
        self.problem.goal()
    }

    fn record(&self) -> Option<Record> {
        self.problem.record()
    }

    fn unit(&self) -> Option<&'static str> {
        self.problem.unit()
    }

    fn meaning(&self, score: f64, proven: bool) -> Option<Meaning> {
        P::meaning(score, proven)
    }

    fn worth(&self, score: f64, complete: bool) -> String {
        // People read the score: -0 is 0.
        self.problem.worth(score + 0.0, complete)
    }

    fn table(&self) -> Option<&dyn Table> {
        self.hooks.table.map(|table| table(&self.problem))
    }

    fn default_search(&self, allowance: Allowance) -> Suggestion {
        self.problem.default_search(allowance)
    }

    fn estimate(&self, search: &Search, from: &[String]) -> Result<Estimate, RunError> {
        let from = self.parsed(from).map_err(RunError::From)?;
        self.problem.certify(&from).map_err(RunError::From)?;
        Ok(Estimate::with::<S, P>(&state_after(&self.problem, &from), search)?)
    }

    fn check(&self, search: &Search) -> Result<(), PlanError> {
        nestling::search::check::<S, P>(&self.problem, search)
    }

    fn gpu_default_search(&self) -> Option<Suggestion> {
        self.hooks.gpu.as_ref().map(|gpu| gpu.default_search())
    }

    fn gpu_check(&self, search: &Search) -> Result<(), String> {
        self.gpu()?.check(search)
    }

    fn run(&self, ready: &Ready, controls: Controls<'_>) -> Result<Outcome, RunError> {
        self.opened(ready, controls)?.start().map(Outcome::erase)
    }

    fn tasks(&self, ready: &Ready, resume: Option<Resume>) -> Result<Box<dyn Tasks + '_>, RunError> {
        let run = self.built(ready, Controls { resume, ..Controls::default() })?;
        let ledger = if ready.is_one_task() { run.ledger_of_one(ready.batch_number()) } else { run.ledger() };
        let name = if self.hooks.reads_puzzles { contained(&self.name) } else { Ok(self.name.clone()) };
        let name = name.map_err(|reason| TaskError::Unwritten { what: "task", reason })?;
        Ok(Box::new(ledger?.described(ready.description(name))))
    }

    fn make_task(&self, ready: &Ready, task: &[u8], by: &str, controls: Controls<'_>) -> Result<Vec<u8>, RunError> {
        self.opened(ready, controls)?.run_task(task, by)
    }

    fn task_stepper<'a>(
        &'a self,
        ready: &Ready,
        task: &[u8],
        controls: Controls<'a>,
    ) -> Result<Box<dyn SteppedTask + 'a>, RunError> {
        Ok(Box::new(self.opened(ready, controls)?.task_stepper(task)?))
    }

    fn draw(&self, game: &Certified, canvas: Canvas) -> Result<String, Illegal> {
        Ok(self.problem.draw(&self.moves(game)?, canvas))
    }

    fn picture(&self, game: &Certified, picture: &Picture) -> Result<Option<String>, Illegal> {
        Ok(self.problem.picture(&self.moves(game)?, picture))
    }

    fn view(&self, game: &Certified) -> Result<Option<Value>, Illegal> {
        Ok(self.problem.view(&self.moves(game)?))
    }

    fn solutions(&self) -> Option<Solutions> {
        self.problem.solutions()
    }

    fn mistakes(&self, game: &Certified) -> Result<Option<Mistakes>, Illegal> {
        Ok(self.problem.mistakes(&self.moves(game)?))
    }

    fn contradicting(&self, moves: &[String]) -> Option<Vec<usize>> {
        // Only beside one solution is the order of the moves without meaning.
        if self.problem.solutions() != Some(Solutions::One) {
            return None;
        }
        // What cannot even be played at the start contradicts it, too.
        let alone = |text: &String| self.problem.parse(&[text.as_str()]).ok()?.pop();
        let (numbers, played): (Vec<usize>, Vec<P::Move>) =
            moves.iter().enumerate().filter_map(|(number, text)| Some((number, alone(text)?))).unzip();
        let Mistakes::Moves(wrong) = self.problem.mistakes(&played)? else { return None };
        let right: Vec<usize> =
            (0..numbers.len()).filter(|index| !wrong.contains(index)).map(|index| numbers[index]).collect();
        Some((0..moves.len()).filter(|number| !right.contains(number)).collect())
    }

    fn reasons(&self, game: &Certified) -> Result<Option<Vec<MoveReason>>, Illegal> {
        Ok(self.problem.reasons(&self.moves(game)?))
    }

    fn published(&self) -> Vec<Published> {
        self.problem.published()
    }

    fn certify(&self, moves: &[String]) -> Result<Certified, Illegal> {
        Ok(Certified::new(&self.problem, self.parsed(moves)?)?.erase())
    }

    fn legal_moves(&self, game: &Certified) -> Result<Vec<String>, Illegal> {
        let (state, mut legal) = (state_after(&self.problem, &self.moves(game)?), Vec::new());
        state.legal_moves(&mut legal);
        Ok(legal.into_iter().map(|played| state.move_text(played)).collect())
    }

    fn identity(&self, game: &Certified) -> Result<Vec<u8>, Illegal> {
        let moves = self.moves(game)?;
        Ok(game.identity(|| self.problem.identity(&moves)).to_vec())
    }

    fn family(&self, game: &Certified) -> Result<Vec<u8>, Illegal> {
        Ok(self.problem.family(&self.moves(game)?))
    }

    fn coded_moves(&self, game: &Certified, weights: &Weights) -> Result<Vec<CodedMove>, Illegal> {
        let (state, mut legal) = (state_after(&self.problem, &self.moves(game)?), Vec::new());
        state.legal_moves(&mut legal);
        let mut evaluation = Evaluation::default();
        let network = weights.network().filter(|network| network.features() == state.feature_count());
        let by_network = network.map_or(&[][..], |network| evaluation.of(network, &state, &legal));
        let coded = |(index, played)| {
            let code = state.code(played);
            let weight = weights.get(code) + by_network.get(index).copied().unwrap_or(0.0);
            CodedMove { text: state.move_text(played), code, bias: state.bias(played), weight }
        };
        Ok(legal.into_iter().enumerate().map(coded).collect())
    }

    fn feature_count(&self) -> usize {
        self.problem.feature_count()
    }

    fn add_examples(&self, game: &Certified, examples: &mut Examples) -> Result<(), Illegal> {
        examples.add_game(&self.problem, &self.moves(game)?);
        Ok(())
    }

    fn code_of(&self, text: &str) -> Result<u64, String> {
        self.problem.code_of(text)
    }

    fn weights_towards(&self, games: &[Certified], start: &Certified) -> Result<Weights, Illegal> {
        let start = state_after(&self.problem, &self.moves(start)?);
        let games = games.iter().map(|game| self.moves(game)).collect::<Result<Vec<_>, _>>()?;
        Ok(Weights::towards_all(&start, games.iter().map(|game| &game[..])))
    }

    fn compare(&self, one: &Certified, other: &Certified) -> Result<Comparison, Illegal> {
        Ok(self.problem.compare(&self.moves(one)?, &self.moves(other)?))
    }
}
