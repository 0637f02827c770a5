//! Assignments and deletions as jq defines them.
//!
//! In jq, an assignment first finds all paths of its left side, and then sets the value at each path. The assignment
//! creates all missing objects and lists of a path: `.a.b = 1` converts `null` to `{"a":{"b":1}}`. The interpreter jaq
//! instead updates each value while it follows a path. In jaq, an assignment can therefore add a field only to an
//! existing object: `.a.b = 1` fails for `{}`. In jaq, the left side cannot be `first(f)` either.
//!
//! [`desugar`] replaces each assignment operator of a parsed program by a call of one of the [`functions`]. These
//! functions work as in jq.

use std::iter::once;

use jaq_core::compile::TermId;
use jaq_core::data::JustLut;
use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Def, Pattern, Term};
use jaq_core::native::{Filter, Fun, run};
use jaq_core::path::{Opt, Part, Path};
use jaq_core::{Bind, Ctx, Error, RunPtr, ValR, ValT as _, ValX};
use jaq_json::{Rc, Val};

/// Maximum index of a list element that an assignment creates, as in jq.
const MAX_INDEX: usize = 536_870_911;
/// Variable that holds the value of the right side of `+=`. Programs cannot declare a variable with this name,
/// because it contains spaces.
const RIGHT_SIDE: &str = "$ right side";

/// Replaces each assignment operator in a program, such as `=`, `|=` or `+=`, by a call of one of the [`functions`].
pub(crate) fn desugar<'s>(term: Term<&'s str>) -> Term<&'s str> {
    let boxed = |term: Box<Term<&'s str>>| Box::new(desugar(*term));
    match term {
        Term::BinOp(left, operator, right) => {
            operator_term(desugar(*left), operator, desugar(*right))
        }

        Term::Str(format, parts) => {
            let parts = parts.into_iter().map(|part| match part {
                StrPart::Term(term) => StrPart::Term(desugar(term)),
                other => other,
            });
            Term::Str(format, parts.collect())
        }
        Term::Arr(items) => Term::Arr(items.map(boxed)),
        Term::Obj(members) => {
            let members = members.into_iter();
            Term::Obj(members.map(|(key, value)| (desugar(key), value.map(desugar))).collect())
        }
        Term::Neg(inner) => Term::Neg(boxed(inner)),

        Term::Label(name, inner) => Term::Label(name, boxed(inner)),
        Term::Fold(name, source, pattern, parts) => {
            Term::Fold(name, boxed(source), desugar_pattern(pattern), desugar_all(parts))
        }
        Term::TryCatch(inner, catch) => Term::TryCatch(boxed(inner), catch.map(boxed)),
        Term::IfThenElse(branches, otherwise) => {
            let branches = branches.into_iter();
            let branches = branches.map(|(test, then)| (desugar(test), desugar(then)));
            Term::IfThenElse(branches.collect(), otherwise.map(boxed))
        }

        Term::Def(definitions, inner) => {
            let definitions = definitions.into_iter();
            let definitions = definitions.map(|def| Def { body: desugar(def.body), ..def });
            Term::Def(definitions.collect(), boxed(inner))
        }
        Term::Call(name, arguments) => Term::Call(name, desugar_all(arguments)),

        Term::Path(start, Path(parts)) => {
            let parts = parts.into_iter().map(|(part, optional)| {
                let part = match part {
                    Part::Index(index) => Part::Index(desugar(index)),
                    Part::Range(from, to) => Part::Range(from.map(desugar), to.map(desugar)),
                };
                (part, optional)
            });
            Term::Path(boxed(start), Path(parts.collect()))
        }
        leaf @ (Term::Id | Term::Recurse | Term::Num(_) | Term::Break(_) | Term::Var(_)) => leaf,
    }
}

fn desugar_all(terms: Vec<Term<&str>>) -> Vec<Term<&str>> {
    terms.into_iter().map(desugar).collect()
}

fn desugar_pattern(pattern: Pattern<&str>) -> Pattern<&str> {
    match pattern {
        Pattern::Var(name) => Pattern::Var(name),
        Pattern::Arr(items) => Pattern::Arr(items.into_iter().map(desugar_pattern).collect()),
        Pattern::Obj(members) => {
            let members = members.into_iter();
            let members = members.map(|(key, inner)| (desugar(key), desugar_pattern(inner)));
            Pattern::Obj(members.collect())
        }
    }
}

/// Builds the syntax tree of an operator and its two operands. For an assignment operator, such as `|=`, the syntax
/// tree contains a call of one of the [`functions`].
fn operator_term<'s>(
    left: Term<&'s str>,
    operator: BinaryOp<&'s str>,
    right: Term<&'s str>,
) -> Term<&'s str> {
    let binary = |left, operator, right| Term::BinOp(Box::new(left), operator, Box::new(right));
    let with_right_side = |left, operator, right| {
        let update = binary(Term::Id, operator, Term::Var(RIGHT_SIDE));
        let call = Term::Call("_modify", vec![left, update]);
        binary(right, BinaryOp::Pipe(Some(Pattern::Var(RIGHT_SIDE))), call)
    };
    match operator {
        BinaryOp::Assign => Term::Call("_assign", vec![left, right]),
        BinaryOp::Update => Term::Call("_modify", vec![left, right]),
        BinaryOp::UpdateMath(math) => with_right_side(left, BinaryOp::Math(math), right),
        BinaryOp::UpdateAlt => with_right_side(left, BinaryOp::Alt, right),
        BinaryOp::Pipe(pattern) => {
            binary(left, BinaryOp::Pipe(pattern.map(desugar_pattern)), right)
        }
        other => binary(left, other, right),
    }
}

/// Returns the functions `_assign(path; $value)`, `_modify(path; update)` and `_delete(path)`.
pub(crate) fn functions() -> impl Iterator<Item = Fun<JustLut<Val>>> {
    let function = || Bind::Fun(());
    let functions: [Filter<RunPtr<JustLut<Val>>>; 3] = [
        ("_assign", [function(), Bind::Var(())].into(), |mut cv| {
            let value = cv.0.pop_var();
            let (path, context) = cv.0.pop_fun();
            let assigned =
                paths(path, context, &cv.1).and_then(|paths| set_all(cv.1, paths, &value));
            Box::new(once(assigned))
        }),
        ("_modify", [function(), function()].into(), |mut cv| {
            let (update, update_context) = cv.0.pop_fun();
            let (path, context) = cv.0.pop_fun();
            let update = |old| update.run((update_context.clone(), old)).next().transpose();
            let modified =
                paths(path, context, &cv.1).and_then(|paths| modify(cv.1, paths, update));
            Box::new(once(modified))
        }),
        ("_delete", [function()].into(), |mut cv| {
            let (path, context) = cv.0.pop_fun();
            let deleted = paths(path, context, &cv.1).and_then(|paths| delete_all(cv.1, paths));
            Box::new(once(deleted))
        }),
    ];

    functions.into_iter().map(run::<JustLut<Val>>)
}

type Keys = Vec<Val>;

/// Returns all paths that a path expression selects in the input. For example, `.rows[].a` selects `["rows",0,"a"]`
/// and `["rows",1,"a"]` if `rows` has two elements.
fn paths<'a>(
    path: TermId,
    context: Ctx<'a, JustLut<Val>>,
    input: &Val,
) -> ValX<'a, Vec<Keys>, Val> {
    let found = path.paths((context, (input.clone(), Default::default())));
    found
        .map(|found| {
            let mut keys: Keys = found?.1.iter().cloned().collect();
            keys.reverse();
            Ok(keys)
        })
        .collect()
}

/// Replaces the value at each path by the first result of `update`. If `update` has no result for a value, deletes this
/// value. All deletions happen after the last replacement.
fn modify<'a>(
    mut target: Val,
    paths: Vec<Keys>,
    update: impl Fn(Val) -> ValX<'a, Option<Val>, Val>,
) -> ValX<'a, Val> {
    let mut without_result = Vec::new();
    for path in paths {
        let old = path.iter().try_fold(target.clone(), |value, key| value.index(key))?;
        match update(old)? {
            Some(new) => target = set(target, &path, new)?,
            None => without_result.push(path),
        }
    }
    delete_all(target, without_result)
}

/// Sets the values at all paths to `value`.
fn set_all<'a>(target: Val, paths: Vec<Keys>, value: &Val) -> ValX<'a, Val> {
    let set = |target, path: Keys| set(target, &path, value.clone());
    Ok(paths.into_iter().try_fold(target, set)?)
}

/// Sets the value at a path. Creates the objects and lists of the path that do not exist.
fn set(target: Val, path: &[Val], value: Val) -> ValR<Val> {
    let Some((key, below)) = path.split_first() else { return Ok(value) };
    match (target, key) {
        (Val::Null, Val::Num(_)) => set(Val::Arr(Rc::default()), path, value),
        (Val::Null, Val::TStr(_)) => set(Val::Obj(Rc::default()), path, value),
        // The key is a slice, such as `{"start":1,"end":3}`, of a list that does not exist.
        (Val::Null, Val::Obj(_)) => set(Val::Arr(Rc::default()), path, value),

        (Val::Obj(mut members), Val::TStr(_)) => {
            let member = Rc::make_mut(&mut members).entry(key.clone()).or_default();
            *member = set(std::mem::take(member), below, value)?;
            Ok(Val::Obj(members))
        }
        (Val::Arr(mut items), Val::Num(number)) => {
            let index = element_index(number.as_isize(), items.len())
                .ok_or_else(|| Error::str("the index of the assignment is out of bounds"))?;
            let items_mut = Rc::make_mut(&mut items);
            if index >= items_mut.len() {
                items_mut.resize(index + 1, Val::Null);
            }
            items_mut[index] = set(std::mem::take(&mut items_mut[index]), below, value)?;
            Ok(Val::Arr(items))
        }
        (target @ Val::Arr(_), Val::Obj(_)) => {
            let part = set(target.clone().index(key)?, below, value)?;
            replace_part(target, key, &part)
        }
        (target, key) => Err(Error::index(target, key.clone())),
    }
}

/// Replaces a slice of a list, such as `.[1:3]`.
fn replace_part(target: Val, bounds: &Val, part: &Val) -> ValR<Val> {
    let replaced = target.map_index(bounds, Opt::Essential, |_| once(Ok(part.clone())));
    replaced.map_err(|exception| {
        exception.get_err().unwrap_or_else(|_| Error::str("a slice of a list cannot be replaced"))
    })
}

/// Returns the index of a list element. A negative number counts from the end of the list. Returns `None` if the
/// number is not an integer, is before the start of the list or exceeds [`MAX_INDEX`].
fn element_index(number: Option<isize>, length: usize) -> Option<usize> {
    let number = number?;
    let index = match usize::try_from(number) {
        Ok(index) => index,
        Err(_) => length.checked_sub(number.unsigned_abs())?,
    };
    (index <= MAX_INDEX).then_some(index)
}

/// Deletes the values at all paths, in descending order of the paths. For example, `.[2]` is deleted before `.[1]`,
/// because the deletion of `.[1]` would move the element at index 2 to index 1. For slices and negative indexes, this
/// order does not prevent such moves.
fn delete_all<'a>(target: Val, mut paths: Vec<Keys>) -> ValX<'a, Val> {
    paths.sort_by(|one, other| other.partial_cmp(one).unwrap_or(std::cmp::Ordering::Equal));
    paths.dedup();
    let delete = |target, path: Keys| delete(target, &path);
    Ok(paths.into_iter().try_fold(target, delete)?)
}

/// Deletes the value at a path. A path that does not exist is ignored.
fn delete(target: Val, path: &[Val]) -> ValR<Val> {
    let Some((key, below)) = path.split_first() else { return Ok(Val::Null) };
    match (target, key) {
        (Val::Null, _) => Ok(Val::Null),
        (Val::Obj(mut members), Val::TStr(_)) => {
            let members_mut = Rc::make_mut(&mut members);
            if below.is_empty() {
                members_mut.shift_remove(key);
            } else if let Some(member) = members_mut.get_mut(key) {
                *member = delete(std::mem::take(member), below)?;
            }
            Ok(Val::Obj(members))
        }

        (Val::Arr(mut items), Val::Num(number)) => {
            let index = element_index(number.as_isize(), items.len());
            let Some(index) = index.filter(|index| *index < items.len()) else {
                return Ok(Val::Arr(items));
            };
            let items_mut = Rc::make_mut(&mut items);
            if below.is_empty() {
                items_mut.remove(index);
            } else {
                items_mut[index] = delete(std::mem::take(&mut items_mut[index]), below)?;
            }
            Ok(Val::Arr(items))
        }
        (target @ Val::Arr(_), Val::Obj(_)) => {
            let part = target.clone().index(key)?;
            let part =
                if below.is_empty() { Val::Arr(Rc::default()) } else { delete(part, below)? };
            replace_part(target, key, &part)
        }
        (target, key) => Err(Error::index(target, key.clone())),
    }
}
