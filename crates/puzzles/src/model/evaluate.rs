//! Compiled expressions, and how they are computed: without allocation, and always with an end.

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Index,
    Divisor,
    Root,
    Range,
    Infinite,
}

impl Fault {
    pub fn reason(self) -> String {
        match self {
            Fault::Index => "an index is outside of its list".to_owned(),
            Fault::Divisor => "a division by zero".to_owned(),
            Fault::Root => "a square root of a negative number".to_owned(),
            Fault::Range => format!("range() takes a whole number from 0 to {WIDEST}"),
            Fault::Infinite => format!("the value is not a number between -{LARGEST:e} and {LARGEST:e}"),
        }
    }
}

/// The largest value of an expression: sums of very many stay finite.
pub(super) const LARGEST: f64 = 1e100;

/// The largest number of `range`.
pub(super) const WIDEST: usize = 10_000;

/// The most variables of `all`, `sum` and so on at one place.
pub(super) const MOST_LOCALS: usize = 16;

/// Data of a model: a number, a list, or lists in a list.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Data {
    Number(f64),
    Numbers(Vec<f64>),
    Lists(Vec<Data>),
}

/// A number or a truth value (1 or 0).
#[derive(Debug)]
pub(super) enum Node {
    Constant(f64),
    Choice,
    Step,
    State(usize),
    Local(usize),
    Not(Box<Node>),
    NotFalse(Box<Node>),
    Apply(Function, Box<Node>),
    Combine(Operator, Box<[Node; 2]>),
    And(Box<[Node; 2]>),
    Or(Box<[Node; 2]>),
    If(Box<[Node; 3]>),
    Item(Box<ListNode>, Box<Node>),
    Size(Box<ListNode>),
    Contains(Box<Node>, Box<ListNode>),
    Fold(Box<Fold>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Function {
    Minus,
    Abs,
    Ceil,
    Floor,
    Root,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Max,
    Min,
    Equal,
    Different,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A list of numbers, or of lists.
#[derive(Debug)]
pub(super) enum ListNode {
    Data(usize),
    /// The elements of a list in the state: the first one, and how many.
    State(usize, usize),
    Played,
    Range(Node),
    Row(Box<ListNode>, Node),
}

/// total = start; for each item of the list, while `goes_on`: total = step; the value is `result`.
#[derive(Debug)]
pub(super) struct Fold {
    pub list: ListNode,
    /// The places of the item and of the total among the local variables.
    pub item: usize,
    pub total: usize,
    pub start: Node,
    pub goes_on: Node,
    pub step: Node,
    pub result: Node,
}

/// What an expression can mention.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub data: &'a [(String, Data)],
    pub state: &'a [f64],
    pub played: &'a [u16],
    pub choice: u16,
}

enum Items<'a> {
    Numbers(&'a [f64]),
    Choices(&'a [u16]),
    Lists(&'a [Data]),
    Range(usize),
}

impl Items<'_> {
    fn len(&self) -> usize {
        match self {
            Items::Numbers(items) => items.len(),
            Items::Choices(items) => items.len(),
            Items::Lists(items) => items.len(),
            Items::Range(end) => *end,
        }
    }

    fn number(&self, index: usize) -> Result<f64, Fault> {
        match self {
            Items::Numbers(items) => items.get(index).copied(),
            Items::Choices(items) => items.get(index).map(|&choice| choice.into()),
            Items::Lists(_) => None,
            Items::Range(end) => (index < *end).then_some(index as f64),
        }
        .ok_or(Fault::Index)
    }
}

/// The variables of `all`, `sum` and so on.
type Locals = [f64; MOST_LOCALS];

impl Node {
    /// The value; a truth value is 1 or 0.
    pub fn value(&self, scene: Scene<'_>) -> Result<f64, Fault> {
        self.compute(scene, &mut [0.0; MOST_LOCALS])
    }

    fn compute(&self, scene: Scene<'_>, locals: &mut Locals) -> Result<f64, Fault> {
        Ok(match self {
            Node::Constant(value) => *value,
            Node::Choice => scene.choice.into(),
            Node::Step => scene.played.len() as f64,
            Node::State(place) => scene.state[*place],
            Node::Local(place) => locals[*place],
            Node::Not(truth) => 1.0 - truth.compute(scene, locals)?,
            // In CEL, a part of `all` without a value matters only if no other part decides.
            Node::NotFalse(truth) => f64::from(truth.compute(scene, locals) != Ok(0.0)),
            Node::Apply(function, argument) => function.apply(argument.compute(scene, locals)?)?,
            Node::Combine(operator, sides) => {
                let left = sides[0].compute(scene, locals)?;
                operator.combine(left, sides[1].compute(scene, locals)?)?
            }
            Node::And(sides) => decided(0.0, sides, scene, locals)?,
            Node::Or(sides) => decided(1.0, sides, scene, locals)?,
            Node::If(parts) => {
                let holds = parts[0].compute(scene, locals)? == 1.0;
                parts[if holds { 1 } else { 2 }].compute(scene, locals)?
            }
            Node::Item(list, index) => {
                let items = list.items(scene, locals)?;
                items.number(whole(index.compute(scene, locals)?)?)?
            }
            Node::Size(list) => list.items(scene, locals)?.len() as f64,
            Node::Contains(item, list) => {
                let item = item.compute(scene, locals)?;
                let items = list.items(scene, locals)?;
                f64::from((0..items.len()).any(|index| items.number(index) == Ok(item)))
            }
            Node::Fold(fold) => fold.compute(scene, locals)?,
        })
    }
}

/// The value of `&&` (decided by 0) and `||` (decided by 1): a side that decides is enough, even if the other one has no value.
fn decided(by: f64, sides: &[Node; 2], scene: Scene<'_>, locals: &mut Locals) -> Result<f64, Fault> {
    match sides[0].compute(scene, locals) {
        Ok(value) if value == by => Ok(by),
        Ok(_) => sides[1].compute(scene, locals),
        Err(fault) => match sides[1].compute(scene, locals) {
            Ok(value) if value == by => Ok(by),
            _ => Err(fault),
        },
    }
}

impl ListNode {
    fn items<'a>(&self, scene: Scene<'a>, locals: &mut Locals) -> Result<Items<'a>, Fault> {
        Ok(match self {
            ListNode::Data(place) => scene.data[*place].1.items(),
            ListNode::State(first, size) => Items::Numbers(&scene.state[*first..first + size]),
            ListNode::Played => Items::Choices(scene.played),
            ListNode::Range(end) => {
                let end = whole(end.compute(scene, locals)?).map_err(|_| Fault::Range)?;
                Items::Range(if end <= WIDEST { end } else { return Err(Fault::Range) })
            }
            ListNode::Row(lists, index) => {
                let index = whole(index.compute(scene, locals)?)?;
                match lists.items(scene, locals)? {
                    Items::Lists(lists) => lists.get(index).ok_or(Fault::Index)?.items(),
                    _ => return Err(Fault::Index),
                }
            }
        })
    }
}

impl Data {
    fn items(&self) -> Items<'_> {
        match self {
            Data::Number(_) => Items::Range(0),
            Data::Numbers(numbers) => Items::Numbers(numbers),
            Data::Lists(lists) => Items::Lists(lists),
        }
    }
}

impl Fold {
    fn compute(&self, scene: Scene<'_>, locals: &mut Locals) -> Result<f64, Fault> {
        let items = self.list.items(scene, locals)?;
        locals[self.total] = self.start.compute(scene, locals)?;
        let mut pending = None;
        for index in 0..items.len() {
            if self.goes_on.compute(scene, locals)? == 0.0 {
                break;
            }
            locals[self.item] = items.number(index)?;
            match self.step.compute(scene, locals) {
                Ok(total) => locals[self.total] = total,
                // As in CEL, `all` and `exists` may be decided by an item after one without a value.
                Err(fault) if matches!(self.step, Node::And(_) | Node::Or(_)) => pending = pending.or(Some(fault)),
                Err(fault) => return Err(fault),
            }
        }
        match pending {
            Some(fault) if self.goes_on.compute(scene, locals)? == 1.0 => Err(fault),
            _ => self.result.compute(scene, locals),
        }
    }
}

/// An index.
pub(super) fn whole(number: f64) -> Result<usize, Fault> {
    if (0.0..1e9).contains(&number) && number.fract() == 0.0 { Ok(number as usize) } else { Err(Fault::Index) }
}

impl Function {
    pub fn apply(self, value: f64) -> Result<f64, Fault> {
        Ok(match self {
            Function::Minus => -value,
            Function::Abs => value.abs(),
            Function::Ceil => value.ceil(),
            Function::Floor => value.floor(),
            Function::Root if value < 0.0 => return Err(Fault::Root),
            Function::Root => value.sqrt(),
        })
    }
}

impl Operator {
    pub fn combine(self, left: f64, right: f64) -> Result<f64, Fault> {
        use Operator::{Greater, GreaterOrEqual, Less, LessOrEqual};
        // As in CEL, where such a comparison has no value.
        if matches!(self, Less | LessOrEqual | Greater | GreaterOrEqual) && (left.is_nan() || right.is_nan()) {
            return Err(Fault::Infinite);
        }
        let value = match self {
            Operator::Add => left + right,
            Operator::Subtract => left - right,
            Operator::Multiply => left * right,
            Operator::Divide | Operator::Remainder if right == 0.0 => return Err(Fault::Divisor),
            Operator::Divide => left / right,
            Operator::Remainder => left.rem_euclid(right),
            Operator::Max => left.max(right),
            Operator::Min => left.min(right),
            Operator::Equal => f64::from(left == right),
            Operator::Different => f64::from(left != right),
            Operator::Less => f64::from(left < right),
            Operator::LessOrEqual => f64::from(left <= right),
            Operator::Greater => f64::from(left > right),
            Operator::GreaterOrEqual => f64::from(left >= right),
        };
        Ok(value)
    }
}
