//! Finds cycles in a directed graph of names, such as schemas that refer to each other.

use std::collections::{BTreeMap, BTreeSet};

/// A directed graph. The key is a name, and the value lists the names to which it refers.
pub(crate) type Graph = BTreeMap<String, Vec<String>>;

/// Returns the names that are on a cycle. A name without an entry in the graph refers to nothing.
pub(crate) fn circular(graph: &Graph) -> BTreeSet<&str> {
    // First removes the names from which no cycle can be reached, then the names that cannot be reached from a cycle.
    let left = without_ends(graph, graph.keys().map(String::as_str).collect(), Way::Ahead);
    let left = without_ends(graph, left, Way::Back);
    // The rest also contains the names on a path from one cycle to another.
    left.iter().filter(|name| reaches_itself(graph, name, &left)).copied().collect()
}

/// Returns true if references lead from `name` back to `name`. Only references to names in `left` are followed.
fn reaches_itself(graph: &Graph, name: &str, left: &BTreeSet<&str>) -> bool {
    let (mut open, mut seen) = (vec![name], BTreeSet::new());
    while let Some(here) = open.pop() {
        for next in
            graph.get(here).into_iter().flatten().filter(|next| left.contains(next.as_str()))
        {
            if next == name {
                return true;
            }
            if seen.insert(next.as_str()) {
                open.push(next);
            }
        }
    }
    false
}

/// Returns the names from which references lead to a cycle, including the names on the cycle. For example, `a` refers
/// to `b`, and `b` and `c` refer to each other. The result then contains all three names.
pub(crate) fn endless(graph: &Graph) -> BTreeSet<&str> {
    without_ends(graph, graph.keys().map(String::as_str).collect(), Way::Ahead)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Ahead,
    Back,
}

/// Returns the names of `left` from which references lead to a cycle. With [`Way::Back`], returns the names to which
/// references lead from a cycle.
fn without_ends<'a>(graph: &'a Graph, mut left: BTreeSet<&'a str>, way: Way) -> BTreeSet<&'a str> {
    let mut around: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut ahead: BTreeMap<&str, usize> = BTreeMap::new();
    for (from, to) in graph.iter().flat_map(|(from, to)| to.iter().map(move |to| (from, to))) {
        if left.contains(from.as_str()) && left.contains(to.as_str()) {
            let (here, there) = if way == Way::Ahead { (from, to) } else { (to, from) };
            around.entry(there).or_default().push(here);
            *ahead.entry(here).or_default() += 1;
        }
    }

    let mut open: Vec<&str> =
        left.iter().filter(|name| !ahead.contains_key(*name)).copied().collect();
    while let Some(name) = open.pop() {
        left.remove(name);
        for before in around.get(name).into_iter().flatten() {
            if let Some(count) = ahead.get_mut(before) {
                *count -= 1;
                if *count == 0 {
                    open.push(before);
                }
            }
        }
    }
    left
}

/// Finds a cycle. Returns one name on the cycle, and the name before it on the cycle. For the cycle `a` → `b` → `c` →
/// `a`, returns `a` and `c`, because `c` refers to `a`. Returns `None` for a graph without cycles.
pub(crate) fn circle(graph: &Graph) -> Option<(&str, &str)> {
    let circular = circular(graph);
    let mut here = *circular.first()?;
    let mut seen = BTreeSet::new();
    loop {
        seen.insert(here);
        // Each name in `circular` refers to at least one other name in it.
        let next = graph.get(here)?.iter().find(|name| circular.contains(name.as_str()))?;
        if seen.contains(next.as_str()) {
            return Some((next, here));
        }
        here = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(&str, &[&str])]) -> Graph {
        edges
            .iter()
            .map(|(from, to)| ((*from).to_owned(), to.iter().map(|to| (*to).to_owned()).collect()))
            .collect()
    }

    #[test]
    fn what_leads_to_a_circle_has_no_end() {
        let graph = graph(&[("a", &["b"]), ("b", &["b", "c"]), ("c", &[]), ("d", &["c"])]);
        assert_eq!(endless(&graph).into_iter().collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn only_circles_are_left() {
        for (edges, left, circle) in [
            (&[("a", &["b", "b"][..]), ("b", &[])][..], &[][..], None),
            (&[("a", &["a"])], &["a"], Some(("a", "a"))),
            (
                &[("a", &["b"]), ("b", &["c", "d"]), ("c", &["b"]), ("d", &["none"])],
                &["b", "c"],
                Some(("b", "c")),
            ),
            (
                &[("a", &["b"]), ("b", &["a", "m"]), ("m", &["x"]), ("x", &["x"])],
                &["a", "b", "x"],
                Some(("a", "b")),
            ),
        ] {
            let graph = graph(edges);
            assert_eq!(circular(&graph).into_iter().collect::<Vec<_>>(), left);
            assert_eq!(super::circle(&graph), circle);
            assert!(endless(&graph).is_superset(&circular(&graph)));
        }
    }
}
