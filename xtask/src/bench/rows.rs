//! Parses the output of benchmark programs, and summarizes each comparison over several rounds.
//!
//! A benchmark program prints one line per comparison, with these fields separated by tabs: the word `ratio`, the name
//! of the comparison, the value of our program, the name and the value of the other program, and the unit. Other lines
//! are ignored.

/// Measured values of one benchmark comparison in one round.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading {
    pub(super) what: String,
    pub(super) ours: f64,
    pub(super) peer: String,
    pub(super) theirs: f64,
    pub(super) unit: String,
}

/// Summary of one benchmark comparison over all rounds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    /// Values of the round that has the median ratio. The ratio of a round is the value of our program divided by the
    /// value of the other program. For an even number of rounds, the higher of the two middle ratios counts as the
    /// median.
    pub(super) median: Reading,
    pub(super) least: f64,
    pub(super) most: f64,
    pub(super) rounds: usize,
}

impl Reading {
    pub(super) fn ratio(&self) -> f64 {
        self.ours / self.theirs
    }
}

/// Parses the output of a benchmark program. Each valid line that begins with `ratio` becomes one [`Reading`].
pub(super) fn parse(printed: &str) -> Vec<Reading> {
    printed.lines().filter_map(reading).collect()
}

fn reading(line: &str) -> Option<Reading> {
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    let ["ratio", what, ours, peer, theirs, unit] = fields[..] else { return None };
    Some(Reading {
        what: what.to_owned(),
        ours: ours.parse().ok()?,
        peer: peer.to_owned(),
        theirs: theirs.parse().ok().filter(|figure| *figure > 0.0)?,
        unit: unit.to_owned(),
    })
}

/// Returns one summary row per benchmark comparison, in order of first appearance in `readings`.
pub(super) fn rows(readings: &[Reading]) -> Vec<Row> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    for reading in readings {
        let name = (reading.what.as_str(), reading.peer.as_str());
        if !names.contains(&name) {
            names.push(name);
        }
    }

    let row = |(what, peer): (&str, &str)| {
        let mut same: Vec<&Reading> = readings
            .iter()
            .filter(|reading| reading.what == what && reading.peer == peer)
            .collect();
        same.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
        let (least, most) = (same.first()?.ratio(), same.last()?.ratio());
        let median = (*same.get(same.len() / 2)?).clone();
        Some(Row { median, least, most, rounds: same.len() })
    };
    names.into_iter().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_with_figures_count() {
        let printed = "a line for people\nratio\tdecode\t1.5\tserde\t1.0\tms\nratio\tdecode\t1.5\tserde\nratio\tx\tno\tp\t1\ts\n\
                       ratio\tx\t1\tp\t0\ts\n";
        let readings = parse(printed);
        assert_eq!(readings.len(), 1);
        assert_eq!((readings[0].ratio(), readings[0].unit.as_str()), (1.5, "ms"));
    }

    #[test]
    fn a_row_is_the_median_of_its_rounds_with_both_ends() {
        let line = |ours: f64| format!("ratio\tdecode\t{ours}\tserde\t1\tms\n");
        let printed: String =
            [3.0, 1.0, 2.0].map(line).concat() + "ratio\tdecode\t4\tbare\t1\tms\n";
        let rows = rows(&parse(&printed));
        assert_eq!(rows.len(), 2);
        assert_eq!(
            (rows[0].median.ours, rows[0].least, rows[0].most, rows[0].rounds),
            (2.0, 1.0, 3.0, 3)
        );
    }
}
