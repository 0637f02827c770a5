"""Compares the SQL engine with an embedded ClickHouse.

usage: sql_oracle.py ANSWERS ORACLE_DIR [--record] [--expressions N] [--queries N] [--seed S]

ANSWERS is the built example `answers`. Without numbers, the statements of ORACLE_DIR are compared. With numbers,
so many random statements are compared instead; the seed is printed, and is a fresh one unless given. Prints each
difference, the reasons for which this engine rejects statements that ClickHouse runs, and the counts. Fails if a
statement has other rows, types or column names, if this engine runs what ClickHouse rejects, or if a function or type
of this engine is in no template of the random statements. With --record, the results of ClickHouse are written to
the .jsonl files of ORACLE_DIR.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys

# The time zone of the server. By default, the embedded ClickHouse uses the zone of the machine.
os.environ["TZ"] = "UTC"

from chdb import session  # noqa: E402

from sql_generate import Generator, names_with_templates  # noqa: E402

NULL = "\u1d3a\u1d41\u1d38\u1d38"
# Maximum number of printed characters of a result.
LONGEST = 3000
# A float with almost all its digits, also inside a string.
LONG_FRACTION = re.compile(r"\d*\.\d{13,}(?:e-?\d+)?")


def main():
    options = arguments()
    recorded = options.expressions + options.queries == 0
    clickhouse = with_tables(run([options.answers, "tables"], ""))
    functions = Functions(clickhouse, options.answers)
    ours = answers(options.answers, recorded_text(options.oracle) if recorded else generated_text(options, functions.aliases))

    counts = collections.Counter({"equal": 0, "different": 0, "accepted": 0, "refused": 0, "refused by both": 0})
    golden, refusals = {}, collections.Counter()
    for answer in ours:
        theirs = ask(clickhouse, answer["sql"])
        golden[answer["sql"]] = theirs
        verdict = judge(answer, theirs)
        counts[verdict] += 1
        if verdict in ("different", "accepted"):
            print(f"{verdict.upper()} {answer['sql']}\n  here       {short(answer)}\n  ClickHouse {short(theirs)}")
        elif verdict == "refused":
            refusals[re.sub(r"\d+|'[^']*'", "…", answer["error"])] += 1
            if recorded:
                print(f"refused {answer['sql']}\n  {answer['error']}")
    for reason, count in refusals.most_common():
        print(f"refused {count} times: {reason}")
    print(", ".join(f"{count} {name}" for name, count in counts.items()))

    if options.record:
        for path in options.oracle.glob("*.sql"):
            lines = (json.dumps(golden[sql], ensure_ascii=False) + "\n" for sql in statements_of(path))
            path.with_suffix(".jsonl").write_text("".join(lines))
    uncovered = functions.without_template() + ([] if recorded else types_not_seen(clickhouse, options.answers, ours))
    for name in uncovered:
        print(f"never generated: {name}")
    sys.exit(1 if counts["different"] or uncovered else 0)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("answers")
    parser.add_argument("oracle", type=pathlib.Path)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--expressions", type=int, default=0)
    parser.add_argument("--queries", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args()
    if options.record and options.expressions + options.queries:
        parser.error("only the statements of ORACLE_DIR are recorded")
    return options


def recorded_text(folder):
    return "".join(path.read_text() for path in sorted(folder.glob("*.sql")))


def statements_of(path):
    """Statements of a file. Each ends with a semicolon at the end of a line."""
    return [one.strip().removesuffix(";") for one in path.read_text().split(";\n") if one.strip()]


def generated_text(options, aliases):
    print(f"--expressions {options.expressions} --queries {options.queries} --seed {options.seed}")
    statements = Generator(options.seed, aliases).statements(options.expressions, options.queries)
    return "".join(f"{statement};\n" for statement in statements)


class Functions:
    """The functions of this engine: the functions of ClickHouse that it does not report as unknown."""

    # They depend on chance, only the parser calls them, or they reject every argument.
    NOT_GENERATED = {"caseWithExpression", "fuzzBits", "sleep", "DATE", "addInterval", "subtractInterval"}
    # Only a message: "bytes are not read", "use toDateTime64".
    REFUSED = re.compile("reinterpretAs|parseDateTime64BestEffort|JSONType")

    def __init__(self, clickhouse, program):
        rows = rows_of(clickhouse, "SELECT name, alias_to FROM system.functions WHERE name NOT LIKE '\\_\\_%' ORDER BY name")
        alias_of = dict(rows)
        statements = [form.format(name) for name in alias_of for form in ("{}()", "{}(x -> x, [1])", "{}(1)", "{}() OVER ()")]
        found = answers(program, "".join(f"SELECT {statement};\n" for statement in statements))
        unknown = re.compile(r"there is no (aggregate )?function|takes a lambda|is not an aggregate or window|is expected, not|return the same result each time")
        forms = len(statements) // len(alias_of)
        self.known = [
            name for at, name in enumerate(alias_of)
            if any(not unknown.search(one.get("error", "")) for one in found[forms * at : forms * (at + 1)])
        ]
        self.aliases = collections.defaultdict(list)
        for name in self.known:
            if alias_of[name]:
                self.aliases[alias_of[name]].append(name)

    def without_template(self):
        aliases = {alias for names in self.aliases.values() for alias in names}
        known = {name for name in self.known if not self.REFUSED.match(name)}
        return sorted(known - aliases - names_with_templates() - self.NOT_GENERATED)


def types_not_seen(clickhouse, program, ours):
    """Types of this engine that are in no column of a result."""
    families = [name for name, in rows_of(clickhouse, "SELECT name FROM system.data_type_families WHERE alias_to = ''")]
    forms = ["{}", "{}(3)", "{}(9, 2)", "{}(UInt8)", "{}(UInt8, UInt8)", "{}(String)"]
    casts = [f"SELECT CAST([] AS Array({form.format(name)}));\n" for name in families for form in forms]
    known = {
        word for answer in answers(program, "".join(casts)) if "error" not in answer
        for word in re.findall(r"\w+", answer["columns"][0][1])
    }
    seen = {word for answer in ours if "error" not in answer for _, ty in answer["columns"] for word in re.findall(r"\w+", ty)}
    return sorted(name for name in known - seen if not name.isdigit())


def rows_of(clickhouse, sql):
    return last(str(clickhouse.query(sql, "JSONCompact")))["data"]


def answers(program, text):
    return [json.loads(line) for line in run([program], text).splitlines()]


def run(command, text):
    done = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def with_tables(definitions):
    """A ClickHouse with the tables of the test."""
    clickhouse = session.Session()
    # Rows of equal rank come in an order that depends on the threads.
    clickhouse.query("SET max_threads = 1")
    # Otherwise avg(2 * x) becomes 2 * avg(x), which overflows at other values.
    clickhouse.query("SET optimize_arithmetic_operations_in_aggregate_functions = 0")
    clickhouse.query("CREATE DATABASE agent")
    for line in definitions.splitlines():
        table = json.loads(line)
        clickhouse.query(table["create"])
        rows = "\n".join(json.dumps([NULL if cell == "NULL" else cell for cell in row]) for row in table["rows"])
        clickhouse.query(f"INSERT INTO agent.{table['name']} FORMAT JSONCompactStringsEachRow\n{rows}")
    return clickhouse


def ask(clickhouse, sql):
    try:
        # A format in the query would replace the format of the call.
        found = last(str(clickhouse.query(re.sub(r" FORMAT JSON(EachRow)?$", "", sql), "JSONCompactStrings")))
    except Exception as problem:
        return {"sql": sql, "error": str(problem).split(" In scope")[0][:200]}
    columns = [[column["name"], column["type"]] for column in found["meta"]]
    rows = [["NULL" if cell in (None, NULL) else cell for cell in row] for row in found["data"]]
    return {"sql": sql, "columns": columns, "rows": rows}


def last(text):
    """The last document, because a failed query may have written a part before it."""
    found, at = None, 0
    while at < len(text):
        found, end = json.JSONDecoder().raw_decode(text, at)
        at = end + len(text[end:]) - len(text[end:].lstrip())
    return found


def judge(here, there):
    if "error" in there:
        is_internal = re.match(r"Code: (10|49)\.", there["error"])
        if "error" in here or is_internal:
            return "refused by both"
        return "accepted" if fails_under_null(here, there) else "different"
    if "error" in here:
        return "refused"
    # Bytes that are not UTF-8 are shown as one or several replacement characters.
    a, b = ([[re.sub("\ufffd+", "\ufffd", cell) for cell in row] for row in answer["rows"]] for answer in (here, there))
    types = [ty for _, ty in there["columns"]]
    if not ordered(here["sql"]):
        a, b = (sorted(rows, key=lambda row: ([rounded(cell) for cell in row], row)) for rows in (a, b))
    same_rows = len(a) == len(b) and all(
        len(x) == len(y) and all(map(close, x, y, types)) for x, y in zip(a, b)
    )
    return "equal" if same_rows and here["columns"] == there["columns"] else "different"


def fails_under_null(here, there):
    """Whether ClickHouse rejected the value that it computed in place of a NULL, which ARCHITECTURE.md accepts."""
    has_null = any("NULL" in row for row in here["rows"])
    return has_null and re.match(r"Code: 407\. .*convert overflow", there["error"], re.IGNORECASE | re.DOTALL)


def ordered(sql):
    """Whether the rows have an order. One after a union is that of its last part alone."""
    outermost, inner = sql, 1
    while inner:
        outermost, inner = re.subn(r"\([^()]*\)", "", outermost)
    return "ORDER BY" in outermost and "UNION" not in outermost


def rounded(cell):
    """The cell with twelve digits of each float: 9.999999999999999e25 and 1e26 are the same."""
    try:
        return twelve_digits([cell])
    except ValueError:
        return LONG_FRACTION.sub(twelve_digits, cell)


def twelve_digits(found):
    return f"{float(found[0]):.12g}"


def close(a, b, ty):
    """Equal, or fractions that differ in their last digits: sums depend on their order, functions on the library."""
    if a == b or LONG_FRACTION.sub(twelve_digits, a) == LONG_FRACTION.sub(twelve_digits, b):
        return True
    try:
        x, y = float(a), float(b)
    except ValueError:
        parts = [part.strip("[]()").split(",") for part in (a, b)]
        return (
            len(parts[0]) == len(parts[1])
            and a.startswith(("[", "("))
            and all(close(u, v, ty) for u, v in zip(*parts))
        )
    return "Float" in ty and abs(x - y) <= 1e-8 * max(abs(x), abs(y))


def short(answer):
    return json.dumps(answer.get("error") or [answer["columns"], answer["rows"]], ensure_ascii=False)[:LONGEST]


main()
