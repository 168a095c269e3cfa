//! UCT for two players on games that minimax can look through.

use crate::tables::{Doubles, Flaw, Flawed, TicTacToe, minimax};
use nestling::duel::{Contest, Decision, Joined, MatchCounts, Memories, Past, Setting, Strategy};
use nestling::{Ending, Game, Player, Stream, conformance};

fn strategy(text: &str) -> Strategy {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What a strategy does at a state.
fn decide<G: Game>(text: &str, state: &G, seed: u64) -> Decision<G::Move> {
    strategy(text).agent(state, &Setting::default()).unwrap().choose(Stream::new(seed))
}

/// States along random games.
fn states<G: Game>(start: &G, games: u64) -> Vec<G> {
    let mut states = Vec::new();
    for game in 0..games {
        let (mut rng, mut state, mut moves) = (Stream::new(game).rng(), start.clone(), Vec::new());
        while state.ending().is_none() {
            state.legal_moves(&mut moves);
            let next = moves[rng.below(moves.len())];
            states.push(state.clone());
            state.play(next);
        }
    }
    states
}

fn after<G: Game>(state: &G, played: G::Move) -> G {
    let mut after = state.clone();
    after.play(played);
    after
}

#[test]
fn the_games_keep_the_laws() {
    conformance::check_game(&TicTacToe::new(), 200).unwrap();
    conformance::check_game(&Doubles::new(7), 200).unwrap();
    conformance::check_game(&Joined::new(Doubles::new(7)), 100).unwrap();
}

#[test]
fn the_laws_find_mistakes() {
    let check = |flaw| conformance::check_game(&Flawed(TicTacToe::new(), flaw), 50).map_err(|violation| violation.law);
    assert_eq!(check(Flaw::None), Ok(()));
    assert_eq!(check(Flaw::Key), Err("states with the same key have the same future"));
    assert_eq!(check(Flaw::Canonical), Err("a representative represents itself"));
    assert_eq!(check(Flaw::Playout), Err("an engine's playouts end as the plain ones do"));
    assert_eq!(check(Flaw::Certificate), Err("the rules agree with the engine"));
    assert_eq!(check(Flaw::Solver), Err("a state is worth what its best move is worth"));
    assert_eq!(check(Flaw::Text), Err("the text of a move is read as that move"));
}

#[test]
fn never_loses_at_noughts_and_crosses() {
    let game = TicTacToe::new();
    for opponent in ["random", "winning", "alphabeta(4)", "exact"] {
        let sides = [strategy("uct(3000, proof=off)"), strategy(opponent)];
        let standing = Contest::new(&game, sides).games(20).seed(3).play(|_| {}).unwrap();
        assert_eq!(standing.total().losses, 0, "against {opponent}: {standing:?}");
    }
}

#[test]
fn proven_values_are_those_of_minimax() {
    let options =
        ["", ", transpositions=on", ", symmetry=on", ", transpositions=on, symmetry=on", ", exact=4", ", trees=3"];
    for option in options {
        let mut proven = 0;
        for state in states(&TicTacToe::new(), 6) {
            let Decision { played, assessments } = decide(&format!("uct(4000{option})"), &state, 5);
            for assessment in &assessments {
                let Some(proof) = assessment.proof else { continue };
                let truth = minimax(&after(&state, assessment.played));
                assert_eq!(proof.ending, truth.ending, "{option}: {state:?} {assessment:?}");
                proven += 1;
            }
            let best = minimax(&state);
            if state.stage() >= 3 {
                assert_eq!(minimax(&after(&state, played)).ending, best.ending, "{option}: {state:?}");
            }
        }
        assert!(proven > 60, "{option}: only {proven} moves were proven");
    }
}

#[test]
fn what_the_solver_knows_is_played() {
    for state in states(&TicTacToe::new(), 10).iter().filter(|state| state.stage() >= 3) {
        let best = minimax(state);
        for option in ["", ", symmetry=on, transpositions=on", ", trees=3", ", turn=joined"] {
            let Decision { played, assessments } = decide(&format!("uct(5, exact=3{option})"), state, 1);
            let truth = minimax(&after(state, played));
            assert_eq!(truth.ending, best.ending, "{option}: {state:?} {played}");
            if best.ending != Ending::Draw && state.stage() < 8 {
                assert_eq!(
                    truth.moves + 1,
                    best.moves,
                    "{option}: the soonest win or the latest loss: {state:?} {played}"
                );
                let proven = assessments.iter().all(|assessment| assessment.proof.is_some());
                assert!(proven || option.contains("joined"), "{option}: {assessments:?}");
            }
        }
    }
    let exact = decide("exact", &states(&TicTacToe::new(), 1)[4], 1);
    assert!(exact.assessments.iter().all(|assessment| assessment.proof.is_some()));
}

#[test]
fn the_same_player_may_move_twice() {
    for state in states(&Doubles::new(7), 8) {
        let best = minimax(&state);
        for option in ["", ", turn=joined", ", transpositions=on", ", symmetry=on", ", turn=joined, symmetry=on"] {
            let text = format!("uct(20000{option})");
            let played = decide(&text, &state, 1).played;
            assert_eq!(minimax(&after(&state, played)).ending, best.ending, "{text}: {state:?} {played}");
        }
    }
}

/// The policy of this game plays winning moves where there are some, so a tree of its moves has only these.
#[test]
fn the_tree_may_have_only_the_moves_of_the_policy() {
    let state = [0, 3, 1, 4].into_iter().fold(TicTacToe::new(), |state, cell| after(&state, cell));
    let tried = |option: &str| {
        let text = format!("uct(200, proof=off, policy=winning{option})");
        decide(&text, &state, 1).assessments.iter().map(|tried| tried.played).collect::<Vec<_>>()
    };
    assert_eq!(tried(""), [2, 5, 6, 7, 8]);
    assert_eq!(tried(", children=policy"), [2]);
    assert_eq!(tried(", children=policy, turn=joined"), [2]);
    let refused = strategy("uct(9, policy=winning, children=policy)").agent(&state, &Setting::default()).err();
    let reason = "children=policy: some of the moves prove nothing; add proof=off and leave out exact=";
    assert_eq!(refused.map(|error| error.to_string()).as_deref(), Some(reason));
}

#[test]
fn a_new_tree_knows_nothing_of_the_last_move() {
    let visits = |option: &str| {
        let mut agent =
            strategy(&format!("uct(300, proof=off{option})")).agent(&TicTacToe::new(), &Setting::default()).unwrap();
        let first = agent.choose(Stream::new(1)).played;
        let reply = if first == 4 { 0 } else { 4 };
        [first, reply].into_iter().for_each(|played| agent.observe(played));
        agent.choose(Stream::new(2)).assessments.iter().map(|tried| tried.visits).sum::<u64>()
    };
    assert!(visits("") > 300, "the simulations of the first move are kept");
    assert_eq!(visits(", tree=new"), 300);
}

#[test]
fn joined_turns_are_pairs_of_moves() {
    let mut moves = Vec::new();
    let mut game = Joined::new(Doubles::new(7));
    game.legal_moves(&mut moves);
    assert_eq!(moves.len(), 7, "the first turn is one move");
    game.play(moves[3]);
    game.legal_moves(&mut moves);
    assert_eq!(moves.len(), 6 * 5);
    assert_eq!(game.turn(), Player::Second);
    assert_eq!(game.move_text(moves[0]), "0 1");
}

#[test]
fn a_joined_turn_is_reported_move_by_move() {
    let mut agent = strategy("uct(5000, turn=joined)").agent(&Doubles::new(9), &Setting::default()).unwrap();
    agent.observe(4);
    let first = agent.choose(Stream::new(1));
    assert_eq!(first.assessments.iter().map(|first| first.visits).sum::<u64>(), 5000);
    assert_eq!(first.assessments.len(), 8);
    agent.observe(first.played);
    let second = agent.choose(Stream::new(2));
    assert_ne!(second.played, first.played);
    let visits: u64 = second.assessments.iter().map(|second| second.visits).sum();
    assert_eq!(Some(visits), first.assessments.iter().find(|of| of.played == first.played).map(|of| of.visits));
}

#[test]
fn visits_add_up_and_the_tree_is_kept() {
    let game = TicTacToe::new();
    let sum = |decision: &Decision<u8>| decision.assessments.iter().map(|move_| move_.visits).sum::<u64>();
    assert_eq!(sum(&decide("uct(1000)", &game, 1)), 1000);
    assert_eq!(sum(&decide("uct(1000, trees=4)", &game, 1)), 4000);
    let symmetric = decide("uct(1000, symmetry=on)", &game, 1);
    assert_eq!((symmetric.assessments.len(), sum(&symmetric)), (3, 1000), "corner, edge and middle");

    for options in ["", ", transpositions=on", ", symmetry=on", ", transpositions=on, symmetry=on"] {
        let mut agent = strategy(&format!("uct(1000, proof=off{options})")).agent(&game, &Setting::default()).unwrap();
        let first = agent.choose(Stream::new(1));
        agent.observe(first.played);
        let reply = agent.choose(Stream::new(2));
        assert!(sum(&reply) > 1200, "{options}: what the first search found is not lost: {}", sum(&reply));
        // A reply that is only alike, not the same, finds the tree too.
        let mirrored = if reply.played == 0 { 8 } else { 0 };
        agent.observe(mirrored);
        assert!(sum(&agent.choose(Stream::new(3))) >= 1000);
    }
}

#[test]
fn threads_make_no_difference() {
    let game = Doubles::new(9);
    let choose = |threads| {
        strategy("uct(700, trees=5)")
            .agent(&game, &Setting { threads, ..Setting::default() })
            .unwrap()
            .choose(Stream::new(9))
    };
    let alone = choose(1);
    for threads in [2, 3, 8] {
        assert_eq!(choose(threads), alone, "{threads} threads");
    }
    assert_ne!(decide("uct(700, trees=5)", &game, 10).assessments, alone.assessments);
}

#[test]
fn a_full_memory_is_pruned() {
    let game = Doubles::new(12);
    for option in ["", ", transpositions=on"] {
        let text = format!("uct(100000, memory=1, proof=off{option})");
        let decision = decide(&text, &game, 1);
        assert_eq!(decision.assessments.iter().map(|move_| move_.visits).sum::<u64>(), 100_000);
        let roomy = decide(&format!("uct(100000, proof=off{option})"), &game, 1);
        assert_ne!(decision, roomy, "this game needs more than a megabyte");
        let larger = decide(&format!("uct(100000, proof=off, memory=1024{option})"), &game, 1);
        assert_eq!(larger, roomy, "what fits is not touched, whatever the bound is");
    }
    let mut agent = strategy("uct(30000, memory=1)").agent(&TicTacToe::new(), &Setting::default()).unwrap();
    let mut state = TicTacToe::new();
    while state.ending().is_none() {
        let played = agent.choose(Stream::new(u64::from(state.stage()))).played;
        state.play(played);
        agent.observe(played);
    }
    assert_eq!(state.ending(), Some(Ending::Draw));
}

/// What is dropped does not depend on the threads.
#[test]
fn threads_make_no_difference_to_a_full_memory() {
    let decide = |threads| {
        let setting = Setting { threads, ..Setting::default() };
        let mut agent = strategy("uct(60000, memory=1, trees=3)").agent(&Doubles::new(12), &setting).unwrap();
        agent.choose(Stream::new(7))
    };
    assert_eq!(decide(1), decide(3));
}

#[test]
fn other_walks_and_last_moves_play_well() {
    for text in ["uct(3000, epsilon=0.2)", "uct(3000, final=value)", "uct(3000, c=1, draw=0.5, policy=winning)"] {
        let sides = [strategy(text), strategy("random")];
        let MatchCounts { wins, losses, .. } =
            Contest::new(&TicTacToe::new(), sides).games(100).seed(1).play(|_| {}).unwrap().total();
        assert!(wins >= 80 && losses <= 2, "{text}: {wins} wins, {losses} losses");
    }
}

#[test]
fn a_time_is_kept() {
    let began = std::time::Instant::now();
    let decision = decide("uct(time=50ms, proof=off)", &TicTacToe::new(), 1);
    assert!(began.elapsed().as_millis() >= 50);
    assert!(decision.assessments.iter().map(|move_| move_.visits).sum::<u64>() >= 64);
}

#[test]
fn a_strategy_that_does_not_fit_is_refused() {
    let refused = |game: &TicTacToe, text: &str| match strategy(text).agent(game, &Setting::default()) {
        Ok(_) => panic!("{text} was taken"),
        Err(error) => error.to_string(),
    };
    let (game, plain) = (TicTacToe::new(), TicTacToe { plain: true, ..TicTacToe::new() });
    assert_eq!(
        refused(&game, "wining"),
        "there is no player \"wining\"; there are random, winning, uct(n), alphabeta(d) and exact; did you mean winning?"
    );
    assert_eq!(refused(&game, "uct(9, policy=best)"), "there is no policy \"best\"; there are random and winning");
    assert_eq!(refused(&game, "exact(from=3, before=utc)"), refused(&game, "utc"));
    assert!(refused(&plain, "exact").contains("no exact solver"));
    assert!(refused(&plain, "uct(9, exact=3)").contains("leave the option out"));
    assert!(refused(&plain, "uct(9, symmetry=on)").contains("symmetry=on"));
}

#[test]
fn a_tree_begins_with_earlier_games() {
    let game = TicTacToe::new();
    // In all of them the corner wins and the edge loses.
    let past = |moves: &[u8], ending| Past { moves: moves.to_vec(), ending };
    let corner = past(&[0, 1, 4, 2, 8], Ending::Win(Player::First));
    let edge = past(&[1, 0, 2, 4, 3, 8], Ending::Win(Player::Second));
    let games: Vec<_> = (0..500).flat_map(|_| [corner.clone(), edge.clone()]).collect();
    let memories = std::sync::Arc::new(Memories::from([("old.jsonl".to_owned(), games)]));
    for option in ["", ", symmetry=on", ", transpositions=on, symmetry=on", ", turn=joined", ", transpositions=on"] {
        let text = format!("uct(1, proof=off, final=value, games=old.jsonl, weight=0.5{option})");
        let setting = Setting { memories: memories.clone(), ..Setting::default() };
        let decision = strategy(&text).agent(&game, &setting).unwrap().choose(Stream::new(1));
        let visits = |wanted: u8| decision.assessments.iter().find(|of| of.played == wanted).map_or(0, |of| of.visits);
        assert!((250..=251).contains(&visits(0)) && (250..=251).contains(&visits(1)), "{text}: {decision:?}");
        assert_eq!(decision.played, 0, "{text}: {decision:?}");
    }
    let light = strategy("uct(1, games=old.jsonl, weight=0.0001)");
    let decision = light.agent(&game, &Setting { memories, ..Setting::default() }).unwrap().choose(Stream::new(1));
    assert_eq!(decision.assessments.len(), 1, "what weighs nothing leaves nothing");
    let unread = light.agent(&game, &Setting::default()).err().map(|error| error.to_string());
    assert_eq!(unread.as_deref(), Some("games=\"old.jsonl\": this file of games was not read"));
}
