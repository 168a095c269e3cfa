//! The language of models: expressions of CEL, the Common Expression Language, about numbers, truth values and lists.
//!
//! The crate `cel` parses them. [`parse`] then rewrites the tree so that there is one kind of number (CEL has three and never converts
//! between them): literals become doubles, indices are checked by `@index`, and functions get names that no model can write.

use cel::Env;
use cel::ParseErrors;
use cel::common::ast::{CallExpr, ComprehensionExpr, Expr, IdedExpr, LiteralValue, operators};
use cel::parser::{Macro, MacroExprHelper};

/// The longest expression, in bytes.
pub(super) const LONGEST: usize = 4000;

/// The deepest nesting of brackets. The parser is recursive.
const DEEPEST: usize = 25;

/// The most symbols of operators and brackets in one expression. The parser makes a tree of them that can be as deep as they are many, and
/// threads have small stacks.
const MOST_OPERATORS: usize = 150;

/// Functions with one argument and with two, and the operators that became functions.
pub(super) const FUNCTIONS_OF_ONE: [&str; 5] = ["abs", "ceil", "floor", "sqrt", "range"];
pub(super) const FUNCTIONS_OF_TWO: [&str; 2] = ["max", "min"];

/// The stack of the parser and the interpreter of `cel`, which are recursive: more than threads usually have.
#[cfg(not(target_family = "wasm"))]
const STACK: usize = 32 << 20;

/// The accumulator of a comprehension, as the macros of CEL call it.
const TOTAL: &str = "@result";

/// The expression of a text, rewritten. Errors are one line.
pub(super) fn parse(text: &str) -> Result<IdedExpr, String> {
    if text.len() > LONGEST {
        return Err(format!("{} bytes are too long for an expression; at most {LONGEST} are allowed", text.len()));
    }
    if nesting(text) > DEEPEST {
        return Err(format!("brackets are nested too deeply; at most {DEEPEST} levels are allowed"));
    }
    let words = text.split(|symbol: char| !symbol.is_alphanumeric() && symbol != '_').filter(|word| *word == "in");
    if text.chars().filter(|symbol| "+-*/%<>=!&|?:.[(".contains(*symbol)).count() + words.count() > MOST_OPERATORS {
        return Err(format!(
            "too many operators and brackets; at most {MOST_OPERATORS} symbols of them are allowed in one expression"
        ));
    }
    let mut tree = with_large_stack(|| environment().parser().parse(text).map_err(|errors| syntax(&errors)))?;
    rewrite(&mut tree)?;
    Ok(tree)
}

/// Does work with the parser or the interpreter of `cel` on a stack that is large enough. (WebAssembly has no threads to give one.)
pub(super) fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    #[cfg(target_family = "wasm")]
    return work();
    #[cfg(not(target_family = "wasm"))]
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let joined = thread.expect("the system has room for one more thread").join();
        joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The first message of the parser, without the list of all symbols that could stand there.
fn syntax(errors: &ParseErrors) -> String {
    let Some(first) = errors.errors.first() else { return "not an expression".to_owned() };
    let message = first.msg.lines().next().unwrap_or_default().trim_start_matches("Syntax error: ");
    let message = message
        .split(" expecting ")
        .next()
        .unwrap_or_default()
        .replace("mismatched input '<EOF>'", "the expression ends too early");
    format!("character {}: {}", first.pos.1, nestling_presentation::shown(&message, 100))
}

/// How deeply the brackets of a text are nested.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for symbol in text.chars() {
        match symbol {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// CEL with its own macros (`all`, `exists`, …), and sums, counts and extremes of lists.
pub(super) fn environment() -> Env {
    let mut environment = Env::stdlib();
    let folds = [
        ("sum", 0.0, sum as fn(Expr, Expr) -> Expr),
        ("count", 0.0, count),
        ("max", f64::NEG_INFINITY, |total, item| call("@max", vec![total, item])),
        ("min", f64::INFINITY, |total, item| call("@min", vec![total, item])),
    ];
    for (name, start, step) in folds {
        let over_items = Macro::receiver(name, 2, move |helper, list, arguments| {
            let value = arguments.remove(1);
            let Expr::Ident(item) = &arguments[0].expr else {
                let message = format!("{name}(x, …) needs a name in front, such as x");
                return Err(helper.new_error(arguments[0].id, message));
            };
            let (list, item) = (list.take().expect("it is called on a list"), item.clone());
            Ok(Some(fold(helper, list, item, start, |total| step(total, value.expr))))
        });
        environment.add_macro(over_items).expect("CEL has no such macro");
        if name == "count" {
            continue;
        }
        let of_list = Macro::receiver(name, 0, move |helper, list, _| {
            let list = list.take().expect("it is called on a list");
            let item = "@item".to_owned();
            Ok(Some(fold(helper, list, item.clone(), start, |total| step(total, Expr::Ident(item)))))
        });
        environment.add_macro(of_list).expect("CEL has no such macro");
    }
    environment
}

/// total + value
fn sum(total: Expr, value: Expr) -> Expr {
    call(operators::ADD, vec![total, value])
}

/// condition ? total + 1 : total
fn count(total: Expr, condition: Expr) -> Expr {
    let more = call(operators::ADD, vec![total.clone(), number(1.0)]);
    call(operators::CONDITIONAL, vec![condition, more, total])
}

fn fold(
    helper: &mut MacroExprHelper<'_>,
    list: IdedExpr,
    item: String,
    start: f64,
    step: impl FnOnce(Expr) -> Expr,
) -> IdedExpr {
    let total = || Expr::Ident(TOTAL.to_owned());
    let parts = ComprehensionExpr {
        iter_range: list,
        iter_var: item,
        iter_var2: None,
        accu_var: TOTAL.to_owned(),
        accu_init: helper.next_expr(number(start)),
        loop_cond: helper.next_expr(Expr::Literal(LiteralValue::Boolean(true.into()))),
        loop_step: helper.next_expr(step(total())),
        result: helper.next_expr(total()),
    };
    helper.next_expr(Expr::Comprehension(Box::new(parts)))
}

fn number(value: f64) -> Expr {
    Expr::Literal(LiteralValue::Double(value.into()))
}

fn call(function: &str, arguments: Vec<Expr>) -> Expr {
    let args = arguments.into_iter().map(|expr| IdedExpr { id: 0, expr }).collect();
    Expr::Call(CallExpr { func_name: function.to_owned(), target: None, args })
}

/// Gives a tree one kind of number, and refuses the parts of CEL that models do not have.
fn rewrite(tree: &mut IdedExpr) -> Result<(), String> {
    match &mut tree.expr {
        Expr::Literal(LiteralValue::Boolean(_) | LiteralValue::Double(_)) | Expr::Ident(_) => Ok(()),
        Expr::Literal(LiteralValue::Int(whole)) => {
            tree.expr = number(*whole.inner() as f64);
            Ok(())
        }
        Expr::Literal(_) => Err("texts are not values here; a choice is known by its number, from 0".to_owned()),
        Expr::Comprehension(parts) => {
            if matches!(parts.accu_init.expr, Expr::List(_)) {
                return Err(
                    "map and filter are not supported; use sum(x, …), count(x, …), max(x, …) and min(x, …)".to_owned()
                );
            }
            for part in [&mut parts.iter_range, &mut parts.accu_init, &mut parts.loop_cond, &mut parts.loop_step] {
                rewrite(part)?;
            }
            rewrite(&mut parts.result)
        }
        Expr::List(_) => Err("lists are not written inside expressions; give the list a name in [data]".to_owned()),
        Expr::Call(parts) => {
            parts.target.iter_mut().try_for_each(|target| rewrite(target))?;
            parts.args.iter_mut().try_for_each(rewrite)?;
            rewrite_call(parts)
        }
        Expr::Select(parts) => Err(format!("{:?}: there are no fields; data has a name each", parts.field)),
        Expr::Map(_) | Expr::Struct(_) | Expr::Unspecified => Err("maps and structures are not supported".to_owned()),
    }
}

fn rewrite_call(parts: &mut CallExpr) -> Result<(), String> {
    let name = parts.func_name.as_str();
    let arguments = parts.args.len();
    if let Some(list) = parts.target.take() {
        if name != "size" || arguments != 0 {
            return Err(format!(
                "there is no list.{name}(…) with {arguments} arguments; there are all, exists, exists_one, sum, count, max, min and size"
            ));
        }
        parts.args.push(*list);
    }
    let name = parts.func_name.as_str();
    let one = FUNCTIONS_OF_ONE.contains(&name) && parts.args.len() == 1;
    let two = FUNCTIONS_OF_TWO.contains(&name) && parts.args.len() == 2;
    match name {
        operators::INDEX => {
            let index = std::mem::take(&mut parts.args[1].expr);
            parts.args[1].expr = call("@index", vec![index]);
        }
        operators::DIVIDE => parts.func_name = "@divide".to_owned(),
        operators::MODULO => parts.func_name = "@remainder".to_owned(),
        "size" if parts.args.len() == 1 => {
            let list = std::mem::take(&mut parts.args[0].expr);
            parts.args[0].expr = call("size", vec![list]);
            parts.func_name = "double".to_owned();
        }
        _ if one || two => parts.func_name = format!("@{name}"),
        operators::CONDITIONAL | operators::LOGICAL_AND | operators::LOGICAL_OR | operators::LOGICAL_NOT => {}
        operators::ADD | operators::SUBSTRACT | operators::MULTIPLY | operators::NEGATE | operators::IN => {}
        operators::EQUALS | operators::NOT_EQUALS | operators::LESS | operators::LESS_EQUALS => {}
        operators::GREATER | operators::GREATER_EQUALS | operators::NOT_STRICTLY_FALSE => {}
        _ if name.starts_with('@') => {}
        _ => {
            return Err(format!(
                "there is no function {name} with {} arguments; there are abs, ceil, floor, max, min, range, size and sqrt",
                parts.args.len()
            ));
        }
    }
    Ok(())
}
