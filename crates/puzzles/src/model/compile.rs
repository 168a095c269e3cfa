//! From the tree of an expression to its compiled form: names become places, and the types are checked.

use cel::common::ast::{CallExpr, ComprehensionExpr, Expr, IdedExpr, LiteralValue, operators};

use super::evaluate::{Data, Fold, Function, ListNode, MOST_LOCALS, Node, Operator, WIDEST};
use super::language;

/// The most steps that one computation of an expression may take.
pub(super) const MOST_STEPS: f64 = 1e6;

/// The names that an expression can use.
pub(super) struct Names<'a> {
    pub data: &'a [(String, Data)],
    pub state: &'a [Variable],
    /// The number of choices, and the most moves of a game.
    pub choices: usize,
    pub length: usize,
    /// Whether a move is about to be played, so that `choice` has a value.
    pub has_choice: bool,
}

/// A value that changes during a game: a number, or a list of numbers.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: String,
    /// The place of its first number in the state.
    pub place: usize,
    /// The length of the list; `None` for a number.
    pub size: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Number,
    Truth,
}

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Kind::Number => "a number",
            Kind::Truth => "true or false",
        }
    }
}

/// Compiles an expression whose value is of a kind; and the most steps that computing it takes.
pub(super) fn compile(tree: &IdedExpr, names: &Names<'_>, wanted: Kind) -> Result<(Node, f64), String> {
    let mut compiler = Compiler { names, locals: Vec::new() };
    let part = compiler.node(tree)?;
    if part.steps > MOST_STEPS {
        return Err(format!(
            "computing it can take {:.0} steps, more than {MOST_STEPS:.0}; use shorter lists, or keep a running value in [state]",
            part.steps
        ));
    }
    let steps = part.steps;
    Ok((part.of(wanted, "the expression")?, steps))
}

struct Compiler<'n> {
    names: &'n Names<'n>,
    /// The local variables in scope, innermost last; the index of one is its place.
    locals: Vec<(String, Kind)>,
}

/// A compiled part.
struct Part {
    node: Node,
    kind: Kind,
    /// The most steps that computing it takes.
    steps: f64,
    /// The largest value, if that is known.
    most: Option<f64>,
}

impl Part {
    fn new(node: Node, kind: Kind, steps: f64) -> Part {
        Part { node, kind, steps, most: None }
    }

    fn of(self, wanted: Kind, what: &str) -> Result<Node, String> {
        if self.kind == wanted {
            return Ok(self.node);
        }
        Err(format!("{what} is {}, but should be {}", self.kind.words(), wanted.words()))
    }
}

/// A compiled list.
struct List {
    node: ListNode,
    /// 1 for a list of numbers, 2 for a list of such lists, and so on.
    depth: usize,
    longest: usize,
    steps: f64,
    /// The largest number in it, if that is known.
    most: Option<f64>,
}

impl Compiler<'_> {
    fn node(&mut self, tree: &IdedExpr) -> Result<Part, String> {
        match &tree.expr {
            Expr::Literal(LiteralValue::Double(number)) => {
                let number = *number.inner();
                Ok(Part { most: Some(number), ..Part::new(Node::Constant(number), Kind::Number, 1.0) })
            }
            Expr::Literal(LiteralValue::Boolean(truth)) => {
                Ok(Part::new(Node::Constant(f64::from(*truth.inner())), Kind::Truth, 1.0))
            }
            Expr::Ident(name) => self.name(name),
            Expr::Call(call) => self.call(call),
            Expr::Comprehension(parts) => self.fold(parts),
            _ => Err("this part of CEL is not supported".to_owned()),
        }
    }

    fn number(&mut self, tree: &IdedExpr) -> Result<Part, String> {
        let part = self.node(tree)?;
        match part.kind {
            Kind::Number => Ok(part),
            Kind::Truth => Err("true or false stands where a number is needed; write condition ? 1 : 0".to_owned()),
        }
    }

    fn truth(&mut self, tree: &IdedExpr) -> Result<Part, String> {
        let part = self.node(tree)?;
        match part.kind {
            Kind::Truth => Ok(part),
            Kind::Number => Err("a number stands where true or false is needed; compare it, as in x > 0".to_owned()),
        }
    }

    fn name(&self, name: &str) -> Result<Part, String> {
        if let Some(place) = self.locals.iter().rposition(|(local, _)| local == name) {
            return Ok(Part::new(Node::Local(place), self.locals[place].1, 1.0));
        }
        let names = self.names;
        let known = |node, most: f64| Ok(Part { most: Some(most), ..Part::new(node, Kind::Number, 1.0) });
        match name {
            "choice" if names.has_choice => return known(Node::Choice, names.choices as f64),
            "choice" => return Err("choice has no value here: it is the move that is about to be played".to_owned()),
            "step" => return known(Node::Step, names.length as f64),
            "length" => return known(Node::Constant(names.length as f64), names.length as f64),
            _ => {}
        }
        if let Some(variable) = names.state.iter().find(|variable| variable.name == name) {
            return match variable.size {
                None => Ok(Part::new(Node::State(variable.place), Kind::Number, 1.0)),
                Some(_) => Err(format!("{name} is a list; take an element, as in {name}[0]")),
            };
        }
        match names.data.iter().find(|(data, _)| data == name) {
            Some((_, Data::Number(number))) => known(Node::Constant(*number), *number),
            Some(_) => Err(format!("{name} is a list; take an element, as in {name}[0]")),
            None if name == "played" => Err("played is a list; take an element, as in played[0]".to_owned()),
            None => Err(self.unknown(name)),
        }
    }

    fn unknown(&self, name: &str) -> String {
        let data = self.names.data.iter().map(|(name, _)| name.as_str());
        let state = self.names.state.iter().map(|variable| variable.name.as_str());
        let choice = self.names.has_choice.then_some("choice");
        let known: Vec<&str> = data.chain(state).chain(choice).chain(["step", "length", "played"]).collect();
        format!("there is no name {name:?}; there are {}", known.join(", "))
    }

    fn call(&mut self, call: &CallExpr) -> Result<Part, String> {
        let arguments = &call.args[..];
        match (call.func_name.as_str(), arguments) {
            (operators::CONDITIONAL, [condition, one, other]) => self.conditional(condition, one, other),
            (operators::LOGICAL_AND, [left, right]) => self.both(left, right, Node::And),
            (operators::LOGICAL_OR, [left, right]) => self.both(left, right, Node::Or),
            (operators::LOGICAL_NOT, [truth]) => {
                let part = self.truth(truth)?;
                Ok(Part::new(Node::Not(Box::new(part.node)), Kind::Truth, part.steps + 1.0))
            }
            (operators::NOT_STRICTLY_FALSE, [truth]) => {
                let part = self.truth(truth)?;
                Ok(Part::new(Node::NotFalse(Box::new(part.node)), Kind::Truth, part.steps + 1.0))
            }
            (operators::INDEX, [list, index]) => {
                let list = self.list(list)?;
                if list.depth != 1 {
                    return Err("a list stands where a number is needed; take an element of it too".to_owned());
                }
                let index = self.number(index)?;
                let steps = list.steps + index.steps + 1.0;
                let node = Node::Item(Box::new(list.node), Box::new(index.node));
                Ok(Part { most: list.most, ..Part::new(node, Kind::Number, steps) })
            }
            // Indices are checked where the element is taken.
            ("@index", [index]) => self.number(index),
            ("double", [size]) => {
                let Expr::Call(size) = &size.expr else { return Err("double() is not supported".to_owned()) };
                let list = self.list(&size.args[0])?;
                let most = Some(list.longest as f64);
                Ok(Part { most, ..Part::new(Node::Size(Box::new(list.node)), Kind::Number, list.steps + 1.0) })
            }
            (operators::IN, [item, list]) => {
                let (item, list) = (self.number(item)?, self.list(list)?);
                if list.depth != 1 {
                    return Err("in needs a list of numbers at its right".to_owned());
                }
                let steps = item.steps + list.steps + list.longest as f64;
                Ok(Part::new(Node::Contains(Box::new(item.node), Box::new(list.node)), Kind::Truth, steps))
            }
            (name, [left, right]) => self.combination(name, left, right),
            (name, [argument]) => self.application(name, argument),
            (name, _) => Err(format!("{name} is not supported")),
        }
    }

    fn conditional(&mut self, condition: &IdedExpr, one: &IdedExpr, other: &IdedExpr) -> Result<Part, String> {
        let (condition, one, other) = (self.truth(condition)?, self.node(one)?, self.node(other)?);
        if one.kind != other.kind {
            return Err("both values of condition ? … : … must be numbers, or both true or false".to_owned());
        }
        let (kind, steps) = (one.kind, condition.steps + one.steps + other.steps + 1.0);
        let most = one.most.zip(other.most).map(|(one, other)| one.max(other));
        Ok(Part { most, ..Part::new(Node::If(Box::new([condition.node, one.node, other.node])), kind, steps) })
    }

    fn both(
        &mut self,
        left: &IdedExpr,
        right: &IdedExpr,
        node: impl FnOnce(Box<[Node; 2]>) -> Node,
    ) -> Result<Part, String> {
        let (left, right) = (self.truth(left)?, self.truth(right)?);
        let steps = left.steps + right.steps + 1.0;
        Ok(Part::new(node(Box::new([left.node, right.node])), Kind::Truth, steps))
    }

    fn combination(&mut self, name: &str, left: &IdedExpr, right: &IdedExpr) -> Result<Part, String> {
        let (operator, kind) = match name {
            operators::ADD => (Operator::Add, Kind::Number),
            operators::SUBSTRACT => (Operator::Subtract, Kind::Number),
            operators::MULTIPLY => (Operator::Multiply, Kind::Number),
            "@divide" => (Operator::Divide, Kind::Number),
            "@remainder" => (Operator::Remainder, Kind::Number),
            "@max" => (Operator::Max, Kind::Number),
            "@min" => (Operator::Min, Kind::Number),
            operators::EQUALS => (Operator::Equal, Kind::Truth),
            operators::NOT_EQUALS => (Operator::Different, Kind::Truth),
            operators::LESS => (Operator::Less, Kind::Truth),
            operators::LESS_EQUALS => (Operator::LessOrEqual, Kind::Truth),
            operators::GREATER => (Operator::Greater, Kind::Truth),
            operators::GREATER_EQUALS => (Operator::GreaterOrEqual, Kind::Truth),
            _ => return Err(format!("{name} is not supported")),
        };
        let (left, right) = (self.number(left)?, self.number(right)?);
        let steps = left.steps + right.steps + 1.0;
        Ok(Part::new(Node::Combine(operator, Box::new([left.node, right.node])), kind, steps))
    }

    fn application(&mut self, name: &str, argument: &IdedExpr) -> Result<Part, String> {
        let function = match name {
            operators::NEGATE => Function::Minus,
            "@abs" => Function::Abs,
            "@ceil" => Function::Ceil,
            "@floor" => Function::Floor,
            "@sqrt" => Function::Root,
            "@range" => return Err("range(n) is a list; use it as in range(n).all(x, …)".to_owned()),
            _ => return Err(format!("{name} is not supported")),
        };
        let part = self.number(argument)?;
        Ok(Part::new(Node::Apply(function, Box::new(part.node)), Kind::Number, part.steps + 1.0))
    }

    fn list(&mut self, tree: &IdedExpr) -> Result<List, String> {
        match &tree.expr {
            Expr::Ident(name) => self.named_list(name),
            Expr::Call(call) if call.func_name == "@range" => {
                let end = self.number(&call.args[0])?;
                let longest = end.most.map_or(WIDEST, |most| most.clamp(0.0, WIDEST as f64) as usize);
                Ok(List { node: ListNode::Range(end.node), depth: 1, longest, steps: end.steps, most: end.most })
            }
            Expr::Call(call) if call.func_name == operators::INDEX => {
                let (list, index) = (self.list(&call.args[0])?, self.number(&call.args[1])?);
                if list.depth == 1 {
                    return Err("a number stands where a list is needed".to_owned());
                }
                let (steps, depth) = (list.steps + index.steps + 1.0, list.depth - 1);
                let node = ListNode::Row(Box::new(list.node), index.node);
                Ok(List { node, depth, steps, longest: list.longest, most: list.most })
            }
            Expr::Comprehension(_) => Err("map and filter are not supported; use sum(x, …) and count(x, …)".to_owned()),
            _ => Err("a list is needed here: one of [data] or [state], played, or range(n)".to_owned()),
        }
    }

    fn named_list(&self, name: &str) -> Result<List, String> {
        let names = self.names;
        let of_numbers = |node, longest| List { node, depth: 1, longest, steps: 1.0, most: None };
        if self.locals.iter().any(|(local, _)| local == name) {
            return Err(format!("{name} is a number, but a list is needed"));
        }
        if name == "played" {
            return Ok(List { most: Some(names.choices as f64), ..of_numbers(ListNode::Played, names.length) });
        }
        if let Some(variable) = names.state.iter().find(|variable| variable.name == name) {
            let size = variable.size.ok_or_else(|| format!("{name} is a number, but a list is needed"))?;
            return Ok(of_numbers(ListNode::State(variable.place, size), size));
        }
        let place = names.data.iter().position(|(data, _)| data == name).ok_or_else(|| self.unknown(name))?;
        match &names.data[place].1 {
            Data::Number(_) => Err(format!("{name} is a number, but a list is needed")),
            data => {
                let (node, most) = (ListNode::Data(place), Some(data.most()));
                Ok(List { node, depth: data.depth(), longest: data.longest(), steps: 1.0, most })
            }
        }
    }

    fn fold(&mut self, parts: &ComprehensionExpr) -> Result<Part, String> {
        let list = self.list(&parts.iter_range)?;
        if list.depth != 1 {
            return Err("the items of this list are lists; go through their numbers, as in range(size(table)).sum(i, table[i][0])".to_owned());
        }
        let start = self.node(&parts.accu_init)?;
        let kind = start.kind;
        let item = self.locals.len();
        let total = item + 1;
        if total >= MOST_LOCALS {
            return Err("all, exists, sum and so on are nested too deeply".to_owned());
        }
        self.locals.push((parts.iter_var.clone(), Kind::Number));
        self.locals.push((parts.accu_var.clone(), kind));
        let inside = [&parts.loop_cond, &parts.loop_step, &parts.result].map(|part| self.node(part));
        self.locals.truncate(item);
        let [goes_on, step, result] = inside;
        let (goes_on, step, result) = (goes_on?, step?, result?);
        if step.kind != kind {
            let name = if kind == Kind::Number { "sum, count, max or min" } else { "all or exists" };
            return Err(format!("in {name}: {} stands where {} is needed", step.kind.words(), kind.words()));
        }
        let each = goes_on.steps + step.steps + 1.0;
        let steps = list.steps + start.steps + result.steps + list.longest as f64 * each;
        let result_kind = result.kind;
        let fold = Fold {
            list: list.node,
            item,
            total,
            start: start.node,
            goes_on: goes_on.node,
            step: step.node,
            result: result.node,
        };
        Ok(Part::new(Node::Fold(Box::new(fold)), result_kind, steps))
    }
}

impl Data {
    fn depth(&self) -> usize {
        match self {
            Data::Number(_) => 0,
            Data::Numbers(_) => 1,
            Data::Lists(lists) => 1 + lists.iter().map(Data::depth).max().unwrap_or(0),
        }
    }

    /// The length of the longest list in it.
    fn longest(&self) -> usize {
        match self {
            Data::Number(_) => 0,
            Data::Numbers(numbers) => numbers.len(),
            Data::Lists(lists) => lists.iter().map(Data::longest).max().unwrap_or(0).max(lists.len()),
        }
    }

    /// The largest number in it.
    fn most(&self) -> f64 {
        match self {
            Data::Number(number) => *number,
            Data::Numbers(numbers) => numbers.iter().copied().fold(0.0, f64::max),
            Data::Lists(lists) => lists.iter().map(Data::most).fold(0.0, f64::max),
        }
    }
}

/// Whether a name can be used in expressions.
pub(super) fn is_name(name: &str) -> bool {
    let plain = |symbol: char| symbol.is_ascii_alphanumeric() || symbol == '_';
    name.starts_with(|symbol: char| symbol.is_ascii_alphabetic()) && name.chars().all(plain)
}

/// Whether a name has a meaning of its own in expressions.
pub(super) fn is_reserved(name: &str) -> bool {
    let words = ["choice", "step", "length", "played", "true", "false", "null", "in", "size", "has"];
    // The words that CEL keeps for itself.
    let kept =
        ["as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package"];
    let kept_too = ["namespace", "return", "var", "void", "while", "int", "uint", "double", "bool", "string", "bytes"];
    let types = ["list", "map", "type", "dyn", "null_type", "optional_type"];
    [&words[..], &kept, &kept_too, &types, &language::FUNCTIONS_OF_ONE, &language::FUNCTIONS_OF_TWO]
        .iter()
        .any(|list| list.contains(&name))
}
