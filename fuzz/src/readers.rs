//! Readers of texts and files.

use std::sync::OnceLock;

use nestling::{Problem, Run, Search, Stream};
use nestling_lab::Experiment;
use nestling_morpion::{MorpionGame, ProvenTail, published};
use nestling_puzzles::colouring::Colouring;
use nestling_puzzles::graph::Graph;
use nestling_puzzles::kakuro::{Kakuro, SumBounds};
use nestling_puzzles::model::Model;
use nestling_puzzles::samegame::SameGameBoard;
use nestling_puzzles::sudoku::Sudoku;
use nestling_puzzles::tsptw::TourInstance;
use nestling_registry::{Instance, Registry, read_weights};

use crate::presentable;

/// All problems. None reads a file: what files say is for targets of their own.
pub(crate) fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| Registry::standard().without_files())
}

/// Search expressions and players: what can be parsed is printed as a text that means the same.
pub fn expressions(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match registry().searches().parse(text) {
        Ok(search) => {
            let printed = search.to_string();
            assert_eq!(printed.parse::<Search>().as_ref(), Ok(&search), "{text:?} is printed as {printed:?}");
            let _ = search.expand();
        }
        Err(error) => presentable(&error),
    }
    if let Err(error) = registry().players().parse(text) {
        presentable(&error);
    }
}

/// Files of games, in every format.
pub fn games(bytes: &[u8]) {
    if let Err(error) = registry().verify(bytes) {
        presentable(&error);
    }
}

/// Files of puzzles and plans.
pub fn puzzles(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let read = [
        Sudoku::read(&text).map(drop).map_err(|error| error.to_string()),
        Kakuro::read(&text, None, SumBounds::Weak).map(drop).map_err(|error| error.to_string()),
        SameGameBoard::read(&text).map(drop).map_err(|error| error.to_string()),
        TourInstance::read(&text).map(drop).map_err(|error| error.to_string()),
    ];
    read.into_iter().filter_map(Result::err).for_each(|error| presentable(&error));
}

/// Files of models. A few moves of a random game must have the same values for the compiled expressions and for the interpreter.
pub fn models(bytes: &[u8]) {
    let model = match Model::read(&String::from_utf8_lossy(bytes)) {
        Ok(model) => model,
        Err(error) => return presentable(&error),
    };
    let (mut state, mut rng, mut legal, mut played) = (model.clone(), Stream::new(1).rng(), Vec::new(), Vec::new());
    while played.len() < 8 {
        state.legal_moves(&mut legal);
        if legal.is_empty() {
            break;
        }
        let choice = legal[rng.below(legal.len())];
        state.play(choice);
        played.push(choice);
    }
    // Expressions may have no value in a game that was not tried; the interpreter must find the same.
    match model.certify(&played) {
        Ok(certificate) => assert_eq!(certificate.score.to_bits(), state.score().to_bits(), "{played:?}"),
        Err(illegal) => presentable(&illegal),
    }
}

/// Files of graphs. A small graph is coloured.
pub fn graphs(bytes: &[u8]) {
    match Graph::read(&String::from_utf8_lossy(bytes)) {
        Ok(graph) if graph.vertices() <= 60 => {
            let edges: Vec<(u16, u16)> = graph.edges().collect();
            assert!(edges.iter().all(|&(one, other)| graph.has_edge(one, other) && graph.has_edge(other, one)));
            let problem = Colouring::new(graph);
            let run = Run::new(&problem, "playout".parse().expect("it is a search")).seed(1).threads(1);
            let colours = run.start().expect("it can be made").score().expect("there is a game");
            assert!(edges.is_empty() || colours >= 2.0);
        }
        Ok(_) => {}
        Err(error) => presentable(&error),
    }
}

/// Files of experiments.
pub fn experiments(bytes: &[u8]) {
    if let Err(error) = Experiment::read("some.toml", &String::from_utf8_lossy(bytes), registry()) {
        presentable(&error);
    }
}

/// Checkpoints of proofs: as they are in the bytes, and with numbers from the bytes below a right checksum. The prover goes on for a while.
pub fn proofs(bytes: &[u8]) {
    static GAME: OnceLock<MorpionGame> = OnceLock::new();
    let game = GAME.get_or_init(|| {
        let mut game = published().swap_remove(0).reading.game;
        game.moves.truncate(40);
        game
    });
    let mut read: Vec<ProvenTail> = ProvenTail::read(bytes, game).into_iter().collect();
    let mut forged = ProvenTail::nothing(game);
    for change in bytes.chunks_exact(2) {
        let places = forged.order.len();
        match change[0] {
            255 => forged.moves = usize::from(change[1]),
            254 => forged.positions = u64::MAX - u64::from(change[1]),
            253 => forged.order[usize::from(change[1]) % places] = usize::from(change[1]),
            place => forged.order.swap(usize::from(place) % places, usize::from(change[1]) % places),
        }
    }
    let file = forged.write(game);
    read.extend(ProvenTail::read(file.as_bytes(), game));
    for tail in read {
        match tail.prover(game) {
            Ok(mut prover) => {
                let mut left = 200;
                prover.step_in_any_order(&mut |_| {
                    left -= 1;
                    left > 0
                });
                let reached = ProvenTail::by(&prover, game);
                assert_eq!(ProvenTail::read(reached.write(game).as_bytes(), game), Some(reached));
            }
            Err(illegal) => presentable(&illegal),
        }
    }
}

/// Names of problems with their parameters.
pub fn names(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match registry().open(text) {
        Ok(problem) => assert!(!problem.name().is_empty()),
        Err(error) => presentable(&error),
    }
}

/// Files of weights and networks, for a problem with codes of moves and one with a network.
pub fn weights(bytes: &[u8]) {
    static PROBLEMS: OnceLock<[Box<dyn Instance>; 2]> = OnceLock::new();
    let open = |name| registry().open(name).expect("it is a problem");
    for problem in PROBLEMS.get_or_init(|| ["morpion-5d", "samegame:seed=1,size=5x5"].map(open)) {
        if let Err(error) = read_weights(bytes, problem.as_ref()) {
            presentable(&error);
        }
        let _ = registry().holds_weights(bytes, problem.as_ref());
    }
}
