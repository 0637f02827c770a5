"""Compares the SQL engine with an embedded ClickHouse.

usage: sql_oracle.py ANSWERS ORACLE_DIR [--record] [--expressions N] [--queries N] [--seed S]

ANSWERS is the built example `answers`. Without numbers, the statements of ORACLE_DIR are compared. With numbers,
so many random statements are compared instead; the seed is printed, and is a fresh one unless given. Prints each
difference, the reasons for which this engine rejects statements that ClickHouse runs, and the counts. Fails if a
statement has other rows, types or column names, or if this engine runs what ClickHouse rejects. With --record, the
results of ClickHouse are written to ORACLE_DIR/golden.jsonl.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys

from chdb import session

from sql_generate import Generator

NULL = "\u1d3a\u1d41\u1d38\u1d38"


def main():
    options = arguments()
    recorded = options.expressions + options.queries == 0
    ours = answers(options.answers, recorded_text(options.oracle) if recorded else generated_text(options))
    clickhouse = with_tables(run([options.answers, "tables"], ""))

    counts = collections.Counter({"equal": 0, "different": 0, "refused": 0, "refused by both": 0})
    golden, refusals = [], collections.Counter()
    for answer in ours:
        theirs = ask(clickhouse, answer["sql"])
        golden.append(theirs)
        verdict = judge(answer, theirs)
        counts[verdict] += 1
        if verdict == "different":
            print(f"DIFFERENT {answer['sql']}\n  here       {short(answer)}\n  ClickHouse {short(theirs)}")
        elif verdict == "refused":
            refusals[re.sub(r"\d+|'[^']*'", "…", answer["error"])] += 1
            if recorded:
                print(f"refused {answer['sql']}\n  {answer['error']}")
    for reason, count in refusals.most_common():
        print(f"refused {count} times: {reason}")
    print(", ".join(f"{count} {name}" for name, count in counts.items()))

    if options.record:
        lines = (json.dumps(one, ensure_ascii=False) + "\n" for one in golden)
        (options.oracle / "golden.jsonl").write_text("".join(lines))
    sys.exit(1 if counts["different"] else 0)


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
    return "".join((folder / name).read_text() for name in ("queries.sql", "expressions.sql"))


def generated_text(options):
    print(f"--expressions {options.expressions} --queries {options.queries} --seed {options.seed}")
    statements = Generator(options.seed).statements(options.expressions, options.queries)
    return "".join(f"{statement};\n" for statement in statements)


def answers(program, text):
    return [json.loads(line) for line in run([program], text).splitlines()]


def run(command, text):
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=True)
    return done.stdout.decode()


def with_tables(definitions):
    """A ClickHouse with the tables of the test."""
    clickhouse = session.Session()
    # Rows of equal rank come in the order of the threads that made them.
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
        found = last(str(clickhouse.query(sql, "JSONCompactStrings")))
    except Exception as problem:
        return {"sql": sql, "error": str(problem).split(" In scope")[0][:200]}
    columns = [[column["name"], column["type"]] for column in found["meta"]]
    rows = [["NULL" if cell in (None, NULL) else cell for cell in row] for row in found["data"]]
    return {"sql": sql, "columns": columns, "rows": rows}


def last(text):
    """The last document: what a failed query began to write may come before it."""
    found, at = None, 0
    while at < len(text):
        found, end = json.JSONDecoder().raw_decode(text, at)
        at = end + len(text[end:]) - len(text[end:].lstrip())
    return found


def judge(here, there):
    if "error" in there:
        return "refused by both" if "error" in here else "different"
    if "error" in here:
        return "refused"
    a, b = here["rows"], there["rows"]
    if not ordered(here["sql"]):
        a, b = sorted(a), sorted(b)
    same_rows = len(a) == len(b) and all(
        len(x) == len(y) and all(close(u, v) for u, v in zip(x, y)) for x, y in zip(a, b)
    )
    return "equal" if same_rows and here["columns"] == there["columns"] else "different"


def ordered(sql):
    """Whether the rows have an order. One after a union is that of its last part alone."""
    outermost, inner = sql, 1
    while inner:
        outermost, inner = re.subn(r"\([^()]*\)", "", outermost)
    return "ORDER BY" in outermost and "UNION" not in outermost


def close(a, b):
    """Equal, or fractions that differ in their last digits: sums depend on their order."""
    # Bytes that are no UTF-8 are shown by one sign or by several.
    a, b = (re.sub("\ufffd+", "\ufffd", text) for text in (a, b))
    if a == b:
        return True
    try:
        x, y = float(a), float(b)
    except ValueError:
        parts = [part.strip("[]()").split(",") for part in (a, b)]
        return (
            len(parts[0]) == len(parts[1]) > 1
            and a[:1] in "[("
            and all(close(u, v) for u, v in zip(*parts))
        )
    digits = a.replace("-", "").isdigit() and b.replace("-", "").isdigit()
    return not digits and abs(x - y) <= 1e-8 * max(abs(x), abs(y))


def short(answer):
    return json.dumps(answer.get("error") or [answer["columns"], answer["rows"]], ensure_ascii=False)[:400]


main()
