//! A two-player game of another crate, by the public interface only: it opens by name, is played in matches and at a table, and its games are verified.

use nestling::duel::MatchCounts;
use nestling::{Cancel, Ending, Game, Player, conformance};
use nestling_registry::{GamePresentation, MatchOrder, OpenError, Refusal, Registry, Remembered};

/// Take one or two matches; who takes the last one wins.
#[derive(Clone)]
struct Matches {
    left: u32,
    turn: Player,
}

impl Game for Matches {
    type Move = u32;

    fn legal_moves(&self, moves: &mut Vec<u32>) {
        moves.clear();
        moves.extend(1..=self.left.min(2));
    }

    fn play(&mut self, taken: u32) {
        self.left -= taken;
        self.turn = self.turn.other();
    }

    fn turn(&self) -> Player {
        self.turn
    }

    fn ending(&self) -> Option<Ending> {
        (self.left == 0).then_some(Ending::Win(self.turn.other()))
    }
}

impl GamePresentation for Matches {}

fn open(parameters: &str) -> Result<Matches, Refusal> {
    let left = if parameters.is_empty() { Some(7) } else { parameters.parse().ok().filter(|left| *left > 0) };
    let left = left.ok_or_else(|| Refusal::Parameters(format!("{parameters:?} is not a number of matches")))?;
    Ok(Matches { left, turn: Player::First })
}

fn registry() -> Registry {
    Registry::standard().with_game("matches", "take one or two; who takes the last wins", open)
}

#[test]
fn keeps_the_laws() {
    conformance::check_game(&open("").unwrap(), 50).unwrap();
}

#[test]
fn opens_by_name() {
    let registry = registry();
    assert!(registry.open("matches").unwrap().table().is_some());
    assert_eq!(registry.open("matches:9").unwrap().name(), "matches:9");
    let refused = registry.open("matches:many").err().expect("it is refused");
    assert!(matches!(refused, OpenError::Parameters { .. }), "{refused}");
    assert!(Registry::standard().open("matches").is_err());
}

/// Whoever begins with seven matches wins by leaving multiples of three, which a random player does not know.
#[test]
fn plays_matches() {
    let instance = registry().open("matches").unwrap();
    let order = MatchOrder {
        strategies: ["uct(500)", "random"].map(|player| player.parse().unwrap()),
        games: 20,
        seed: 1,
        threads: 2,
        opening: 0,
        cancel: Cancel::default(),
        moves: Default::default(),
        memories: Remembered::default(),
    };
    let mut games = Vec::new();
    let standing = instance.table().unwrap().contest(&order, &mut |played| games.push(played.moves.clone())).unwrap();
    assert_eq!(standing.as_first, MatchCounts { wins: 10, draws: 0, losses: 0 });
    assert_eq!(games.len(), 20);
    for moves in games {
        let certified = instance.certify(&moves).unwrap();
        assert_eq!(certified.texts(), moves);
    }
    assert!(instance.certify(&["2", "2", "2", "2"].map(str::to_owned)).is_err());
}

#[test]
fn is_played_move_by_move() {
    let instance = registry().open("matches:4").unwrap();
    let mut session = instance.table().unwrap().start_session(&Remembered::default()).unwrap();
    assert_eq!(session.choices(), ["1", "2"]);
    let thought = session.think(&"uct(500)".parse().unwrap(), 1, 1).unwrap();
    assert_eq!((thought.played.as_str(), thought.deed.as_str()), ("1", "plays 1"));
    session.play("1").unwrap();
    assert!(session.play("3").is_err());
    session.play("2").unwrap();
    session.play("1").unwrap();
    assert_eq!(session.ending().map(|(ending, _)| ending), Some(Ending::Win(Player::First)));
}
