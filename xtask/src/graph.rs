//! Which names of a graph lead back to themselves.

use std::collections::{BTreeMap, BTreeSet};

/// Names and the names that each refers to.
pub(crate) type Graph = BTreeMap<String, Vec<String>>;

/// The names that lie on a circle, or between two. Targets without an entry lead nowhere.
pub(crate) fn circular(graph: &Graph) -> BTreeSet<&str> {
    let mut left: BTreeSet<&str> = graph.keys().map(String::as_str).collect();
    // First from the ends, then from the beginnings: what neither takes away leads to a circle
    // and is led to by one.
    for forwards in [true, false] {
        let mut around: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut ahead: BTreeMap<&str, usize> = BTreeMap::new();
        for (from, to) in graph.iter().flat_map(|(from, to)| to.iter().map(move |to| (from, to))) {
            if left.contains(from.as_str()) && left.contains(to.as_str()) {
                let (here, there) = if forwards { (from, to) } else { (to, from) };
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
    }

    left
}

/// A name on a circle, and the one before it on the way round.
pub(crate) fn circle(graph: &Graph) -> Option<(&str, &str)> {
    let circular = circular(graph);
    let mut here = *circular.first()?;
    let mut seen = BTreeSet::new();
    loop {
        seen.insert(here);
        // Every name that is left has a target that is left.
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
                &["a", "b", "m", "x"],
                Some(("a", "b")),
            ),
        ] {
            let graph = graph(edges);
            assert_eq!(circular(&graph).into_iter().collect::<Vec<_>>(), left);
            assert_eq!(super::circle(&graph), circle);
        }
    }
}
