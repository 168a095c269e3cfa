//! Players that are defined outside of the crate, in a set with Nestling's own.

use crate::tables::TicTacToe;
use nestling::duel::{
    Agent, And, Contest, Decision, PlayerCatalogue, PlayerKind, Seat, Setting, StandardPlayers, Strategy, StrategyError,
};
use nestling::search::{Argument, Form};
use nestling::{Game, Stream};

/// `nth(n)`: the n-th legal move, or the last; counted from the end with `end=on`. With `mix=S`, it is `uct(10)` that plays with
/// probability S.
struct Nth;

impl PlayerKind for Nth {
    const FORM: Form = Form {
        name: "nth",
        example: "nth(2)",
        about: "plays the n-th legal move",
        arguments: &[Argument::integer("place", 1, 1000).symbol("n")],
        options: &[Argument::switch("end", false), Argument::share("mix").default_number(0.0), Argument::file("notes")],
        menu: None,
    };

    fn agent<G: Game>(strategy: &Strategy, seat: &Seat<'_, G>) -> Result<Box<dyn Agent<G>>, StrategyError> {
        Ok(Box::new(NthAgent {
            state: seat.start.clone(),
            place: strategy.integer("place") as usize,
            end: strategy.is_on("end"),
            mix: strategy.number("mix"),
            other: seat.agent(&Strategy::uct(10))?,
        }))
    }

    fn width(strategy: &Strategy) -> usize {
        strategy.integer("place") as usize
    }
}

struct NthAgent<G> {
    state: G,
    place: usize,
    end: bool,
    mix: f64,
    other: Box<dyn Agent<G>>,
}

impl<G: Game> Agent<G> for NthAgent<G> {
    fn observe(&mut self, played: G::Move) {
        self.state.play(played);
        self.other.observe(played);
    }

    fn choose(&mut self, stream: Stream) -> Decision<G::Move> {
        if stream.own().rng().below(100) < (100.0 * self.mix) as usize {
            return self.other.choose(stream);
        }
        let mut moves = Vec::new();
        self.state.legal_moves(&mut moves);
        let place = self.place.min(moves.len()) - 1;
        Decision::plain(moves[if self.end { moves.len() - 1 - place } else { place }])
    }
}

type Ours = And<(Nth,), StandardPlayers>;

fn read(text: &str) -> Strategy {
    PlayerCatalogue::of::<Ours>().parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn are_read_and_printed() {
    for text in ["nth(2)", "nth(2, end=on, mix=0.5, notes=a.txt)", "nth(1, from=3, before=nth(2))", "uct(10)", "second"]
    {
        assert_eq!(read(text).to_string(), text);
    }
    let built = Strategy::of::<Nth>().with("place", 2_u64).with("notes", "a b").before(Strategy::exact());
    assert_eq!(built, read("nth(2, notes=\"a b\", before=exact)"));
    assert_eq!((built.width(), built.is_timed(), built.files()), (2, false, vec!["a b"]));
    assert!(built.is_of::<Nth>() && !Strategy::uct(3).is_of::<Nth>());
}

#[test]
fn are_refused_with_the_same_words() {
    let catalogue = PlayerCatalogue::of::<Ours>();
    let refused = |text| catalogue.parse(text).unwrap_err().message;
    assert_eq!(refused("nth"), "expected \"(\" after nth, as in nth(2), found the end");
    assert_eq!(refused("nth(0)"), "the place of nth must be at least 1, found 0");
    assert_eq!(
        refused("nth(1, ent=on)"),
        "expected an option of nth (end=, mix=, notes=, from= or before=), found \"ent\"; did you mean end=?"
    );
    assert!(refused("nht(2)").ends_with("found \"nht\" with a number; did you mean nth?"));
    let only = PlayerCatalogue::of::<(Nth,)>();
    assert_eq!(only.parse("uct(10)").unwrap_err().message, "expected a player (nth), found \"uct\"");
    assert_eq!(
        read("nth(2)").with("mix", 1.5).check().unwrap_err().message,
        "mix must be a number from 0 to 1, found 1.5"
    );
    assert_eq!(Strategy::of::<Nth>().check().unwrap_err().message, "expected the place of nth, found nothing");
}

#[test]
fn play_matches() {
    let game = TicTacToe::new();
    let contest = Contest::new(&game, [read("nth(1)"), read("nth(1, end=on)")]).players::<Ours>();
    let mut games = Vec::new();
    contest.play(|played| games.push(played.moves.clone())).unwrap();
    assert_eq!(games, [[0, 8, 1, 7, 2].to_vec(), [8, 0, 7, 1, 6].to_vec()]);

    let sides = [read("uct(500)"), read("nth(1, mix=0.1, from=2, before=random)")];
    let standing = Contest::new(&game, sides).players::<Ours>().games(20).play(|_| {}).unwrap();
    assert!(standing.score() > 0.8, "{standing:?}");
}

#[test]
fn need_their_set() {
    let game = TicTacToe::new();
    let alien = read("nth(1)");
    let error = Contest::new(&game, [alien.clone(), Strategy::exact()]).play(|_| {}).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the player \"nth\" is not in this set of players, which has random, uct, alphabeta, exact"
    );
    let error = alien.agent_among::<(Nth,), _>(&game, &Setting::default()).err().unwrap();
    assert_eq!(error.to_string(), "the player \"uct\" is not in this set of players, which has nth");
    assert!(alien.agent_among::<Ours, _>(&game, &Setting::default()).is_ok());

    let error = read("nht").agent_among::<Ours, _>(&game, &Setting::default()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "there is no player \"nht\"; there are random, winning, nth(n), uct(n), alphabeta(d) and exact; did you mean nth?"
    );
}
