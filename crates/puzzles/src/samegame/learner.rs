//! NRPA's playouts: groups that a move leaves alone keep their codes and clocks.

use nestling::engine::{Codes, Exponential, INDEX_BITS, Learner, Recording, Rule, bias_factor};
use nestling::{Problem, Rng};

use super::column::Group;
use super::game::{Change, Extent, LARGE, OwnPolicy, SameGame, group_bias};
use super::{Cell, MAX_SIDE};

/// Plays NRPA's games from a position.
pub(super) struct LearnerGames<'a> {
    start: &'a SameGame,
    policy: Option<OwnPolicy>,
    /// By size and whether it is of the tabu colour, what the biases multiply the policy of a group with.
    factors: [[f64; 2]; LARGE + 1],
    game: SameGame,
    buffer: Group,
    /// By column: the cells of the tabu colour, at the start and now.
    first_tabu: [u64; MAX_SIDE],
    tabu: [u64; MAX_SIDE],
    /// The groups at the start and now.
    first_list: List,
    list: List,
    /// Where the next list is made.
    next: List,
    /// All groups ever considered in the game played last, in the order they came, and its moves.
    spans: Vec<GroupSpan>,
    moves: Vec<Cell>,
    /// The moves of the game recorded last.
    recorded: Vec<Cell>,
}

/// The groups that may be considered, in the order of the legal moves.
#[derive(Default)]
struct List {
    groups: Vec<KnownGroup>,
    /// Whether those of the tabu colour are among them, and whether all of these are considered.
    has_tabu: bool,
    takes_tabu: bool,
}

/// A group, known by its code.
#[derive(Clone, Copy)]
struct KnownGroup {
    code: u64,
    /// When it is taken; infinite while it is not considered.
    clock: f64,
    /// Where it is written down, if it is considered.
    span: u32,
    first: Cell,
    size: u16,
    extent: Extent,
    is_tabu: bool,
}

/// A group that was considered in the steps `from..to`.
#[derive(Clone, Copy)]
struct GroupSpan {
    code: u64,
    from: u32,
    to: u32,
    factor: f64,
    played: bool,
}

impl List {
    fn copy(&mut self, other: &List) {
        self.groups.clone_from(&other.groups);
        (self.has_tabu, self.takes_tabu) = (other.has_tabu, other.takes_tabu);
    }

    /// The group whose clock rings first, the first of equals, and when.
    fn first_to_ring(&mut self) -> Option<(&mut KnownGroup, f64)> {
        let (mut first, mut least) = (usize::MAX, f64::INFINITY.to_bits() >> INDEX_BITS);
        for (index, group) in self.groups.iter().enumerate() {
            let key = group.clock.to_bits() >> INDEX_BITS;
            if key < least {
                (first, least) = (index, key);
            }
        }
        Some((self.groups.get_mut(first)?, f64::from_bits(least << INDEX_BITS)))
    }
}

impl KnownGroup {
    /// The same group after some time.
    fn after(self, past: f64) -> KnownGroup {
        KnownGroup { clock: self.clock - past, ..self }
    }
}

impl<'a> LearnerGames<'a> {
    /// An engine for a rule, if it is one for this engine.
    pub fn new(start: &'a SameGame, rule: Rule) -> Option<Self> {
        let policy = match rule {
            Rule::Uniform => None,
            Rule::Mobility => return None,
            Rule::Own(policy) => Some(OwnPolicy::ALL[policy]),
        };
        let mut player = LearnerGames {
            start,
            policy,
            factors: [[1.0; 2]; LARGE + 1],
            game: start.clone(),
            buffer: Group::new(),
            first_tabu: [0; MAX_SIDE],
            tabu: [0; MAX_SIDE],
            first_list: List::default(),
            list: List::default(),
            next: List::default(),
            spans: Vec::new(),
            moves: Vec::new(),
            recorded: Vec::new(),
        };
        player.look(Change::ALL, 0.0);
        std::mem::swap(&mut player.list, &mut player.first_list);
        player.first_tabu = player.tabu;
        Some(player)
    }

    /// Lists the groups after a move and what it has changed, a time of `past` after the last. Groups that were there keep
    /// their clocks, which have gone on.
    #[inline]
    fn look(&mut self, change: Change, past: f64) {
        let change = self.see_tabu(change);
        let (next, spans) = (&mut self.next, &mut self.spans);
        next.groups.clear();
        (next.has_tabu, next.takes_tabu) = (self.list.has_tabu, self.list.takes_tabu);
        let step = self.moves.len() as u32;
        let mut end = |group: &KnownGroup| {
            if let Some(span) = spans.get_mut(group.span as usize) {
                span.to = step;
            }
        };
        // Both lists are in the order of the first cells.
        let mut old = &self.list.groups[..];
        for (index, column) in self.game.columns.iter().enumerate().take(change.high.saturating_add(1)) {
            let mut firsts = column.firsts & if next.has_tabu { u64::MAX } else { !self.tabu[index] };
            while firsts != 0 {
                let first = Cell { column: index as u8, row: firsts.trailing_zeros() as u8 };
                firsts &= firsts - 1;
                while let [group, rest @ ..] = old
                    && group.first < first
                {
                    end(group);
                    old = rest;
                }
                let mut before = None;
                if let [group, rest @ ..] = old
                    && group.first == first
                {
                    (before, old) = (Some(group), rest);
                }
                if let Some(group) = before
                    && change.spares(group.extent)
                {
                    next.groups.push(group.after(past));
                    continue;
                }
                let (code, size, extent) = self.game.describe(first);
                match before {
                    Some(group) if group.code == code => next.groups.push(group.after(past)),
                    _ => {
                        before.into_iter().for_each(&mut end);
                        let is_tabu = self.tabu[index] >> first.row & 1 == 1;
                        let (clock, span) = (f64::INFINITY, u32::MAX);
                        next.groups.push(KnownGroup { code, clock, span, first, size, extent, is_tabu });
                    }
                }
            }
        }
        while let [group, rest @ ..] = old
            && usize::from(group.first.column) <= change.high
        {
            end(group);
            old = rest;
        }
        next.groups.extend(old.iter().map(|group| group.after(past)));
        std::mem::swap(&mut self.list, next);
    }

    /// Decides whether the tabu colour is in the list: by the rule it is only if there is nothing else, or if all that is
    /// left of it is one group. What may change the list.
    #[inline]
    fn see_tabu(&mut self, change: Change) -> Change {
        let (colour, columns) = (self.game.tabu(), &self.game.columns);
        let end = columns.len().min(change.high.saturating_add(1));
        for (tabu, column) in self.tabu[change.low..].iter_mut().zip(&columns[change.low..end]) {
            *tabu = column.of_colour(colour);
        }
        let (mut others, mut several, mut found) = (0, false, None);
        for (index, column) in columns.iter().enumerate() {
            let of_tabu = column.firsts & self.tabu[index];
            others |= column.firsts ^ of_tabu;
            if of_tabu != 0 {
                several |= found.is_some() || of_tabu & (of_tabu - 1) != 0;
                found = Some(Cell { column: index as u8, row: of_tabu.trailing_zeros() as u8 });
            }
        }
        self.list.takes_tabu =
            self.policy.is_none() || others == 0 || !several && found.is_some_and(|first| self.game.is_gathered(first));
        let takes_pairs = self.policy.is_some_and(|policy| policy.takes_tabu_pairs(self.game.played));
        let has_tabu = self.list.takes_tabu || takes_pairs;
        let as_before = std::mem::replace(&mut self.list.has_tabu, has_tabu) == has_tabu;
        if as_before { change } else { Change::ALL }
    }

    /// Gives the groups that the rule considers clocks, if they have none, and takes those of the others.
    #[inline]
    fn set_clocks(&mut self, codes: &Codes, policy: &[f64], rng: &mut Rng) {
        let (exponential, step) = (Exponential::new(), self.moves.len() as u32);
        let List { groups, takes_tabu, .. } = &mut self.list;
        let avoids_pairs = self.policy.is_some_and(|policy| policy.avoids_pairs(self.game.played));
        let without_pairs = avoids_pairs && groups.iter().any(|group| group.size > 2);
        let without_tabu = !*takes_tabu;
        for group in groups {
            if without_pairs && group.size == 2 || without_tabu && group.is_tabu && group.size > 2 {
                if let Some(span) = self.spans.get_mut(group.span as usize) {
                    span.to = step;
                    (group.span, group.clock) = (u32::MAX, f64::INFINITY);
                }
            } else if group.clock == f64::INFINITY {
                let factor = self.factors[usize::from(group.size).min(LARGE)][usize::from(group.is_tabu)];
                group.clock = exponential.draw(rng) / (codes.value(policy, group.code) * factor);
                group.span = self.spans.len() as u32;
                self.spans.push(GroupSpan { code: group.code, from: step, to: u32::MAX, factor, played: false });
            }
        }
    }
}

impl Learner<Cell> for LearnerGames<'_> {
    fn use_biases(&mut self, biases: &[usize]) -> bool {
        for (size, factors) in self.factors.iter_mut().enumerate().skip(2) {
            *factors =
                [false, true].map(|is_tabu| bias_factor(biases.iter().map(|&bias| group_bias(bias, is_tabu, size))));
        }
        true
    }

    fn play(&mut self, codes: &Codes, policy: &[f64], rng: &mut Rng) -> Option<(f64, usize)> {
        self.game.clone_from(self.start);
        self.tabu = self.first_tabu;
        self.list.copy(&self.first_list);
        self.spans.clear();
        self.moves.clear();
        loop {
            self.set_clocks(codes, policy, rng);
            let Some((group, time)) = self.list.first_to_ring() else { break };
            let first = group.first;
            self.spans[group.span as usize].played = true;
            // Its clock has rung: if other cells fall where its own were, that is another group.
            group.code = !group.code;
            let change = self.game.take(first, &mut self.buffer);
            self.moves.push(first);
            self.look(change, time);
        }
        Some((self.game.score(), self.moves.len()))
    }

    fn record(&mut self, codes: &mut Codes, mut game: Recording<'_, Cell>) {
        for &GroupSpan { code, from, to, factor, played } in &self.spans {
            game.biased_span(codes.number(code), from..to, played, factor);
        }
        game.moves(self.moves.iter().copied());
        game.end(self.game.score());
        self.recorded.clone_from(&self.moves);
    }

    fn is_recorded(&self) -> bool {
        self.recorded == self.moves
    }
}
