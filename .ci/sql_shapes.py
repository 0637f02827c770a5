"""Random queries that combine types: comparisons by IN, joins of small tables, and WITH FILL."""

# Constants of every type that a comparison can meet.
CONSTANTS = [
    "toUInt8(3)", "toInt8(-3)", "toUInt64(18446744073709551615)", "toInt64(-3)", "toInt128(3)", "toUInt256(3)", "toFloat32(0.1)",
    "0.1", "3.0", "nan", "toDecimal64(3.5, 1)", "toDecimal64(-3.555, 3)", "toDecimal128(3, 2)", "true", "'3'", "'x'",
    "toDate('2024-01-03')", "toDate32('1950-01-03')", "toDateTime('2024-01-03 00:00:01')", "toDateTime64('2024-01-03 00:00:00.5', 1)",
    "toDateTime('2024-01-03 00:00:00', 'Europe/Paris')", "toFixedString('3', 2)", "[3]", "['a']", "(3, 'a')", "map('a', 3)", "NULL",
    "toNullable(toUInt8(3))", "toLowCardinality('3')", "toLowCardinality(toNullable('x'))", "toNullable(toDecimal64(3.5, 1))",
    "CAST(NULL AS Nullable(Int8))", "CAST(NULL AS Nullable(String))",
]
SETS = ["{a} IN ({b})", "{a} NOT IN ({b}, {c})", "({a}, {b}) IN (({b}, {a}), ({c}, {c}))", "({a}, 1) IN (({b}, 1))", "{a} IN (SELECT {b})",
        "{a} NOT IN (SELECT arrayJoin([{b}, {b}]))", "({a}, {b}) IN (SELECT {b}, {a})", "materialize({a}) IN ({b}, {b})",
        "materialize({a}) IN (SELECT {b})", "{a} IN ([{b}, {b}])"]

KINDS = ["INNER", "LEFT", "RIGHT", "FULL", "LEFT SEMI", "RIGHT SEMI", "LEFT ANTI", "RIGHT ANTI", "ANY LEFT", "ANY INNER", "ANY RIGHT",
         "ALL LEFT"]
CONDITIONS = [
    "ON a.k = b.k", "ON a.k = b.k", "USING (k)", "ON a.k = b.k AND a.v > 1", "ON a.k = b.k AND b.w > 1", "ON a.k = b.k AND a.v > b.w",
    "ON a.k = b.k OR a.v = b.w", "ON a.k = b.k AND a.v = b.w", "ON a.k + 1 = b.k", "ON a.k > b.k", "ON a.k = 1", "ON b.k = 1", "ON 1",
    "ON a.k = b.k AND NULL", "ON a.k <=> b.k", "ON a.k IN (1, 2) AND a.k = b.k", "ON a.k = b.k AND (a.v > 1 OR b.w > 1)", "ON a.x = b.y",
    "ON (a.k, 1) = (b.k, 1)", "ON a.x = b.y AND a.k = b.k",
]
THIRD = ["", "", " {kind} JOIN (SELECT toNullable(number * 2) AS k, 'c' AS z FROM numbers(3)) AS c {condition}"]
ON_THIRD = ["ON a.k = c.k", "ON b.k = c.k", "USING (k)"]
LISTS = ["*", "count()", "a.*", "b.*", "a.k, b.k", "k", "v, w", "a.v AS k, w", "toTypeName(b.k)"]
ASOF = ["ON a.k = b.k AND a.x >= b.y", "ON a.k = b.k AND a.x < b.y"]

# Sort keys, each with bounds that are near its values. A bound far away would make ClickHouse insert billions of rows.
NUMBERS = ["0", "1", "-2", "9", "2.5", "300", "toDecimal64(3, 1)"]
KEYS = [
    ("toUInt8(number * 2)", NUMBERS), ("toInt8(number * 3 - 4)", NUMBERS), ("number * 2", NUMBERS), ("toFloat64(number) / 2", NUMBERS),
    ("toNullable(number * 2)", NUMBERS), ("toDecimal64(number, 1)", NUMBERS), ("toString(number)", ["'0'"]),
    ("toDate('2024-01-30') + number * 2", ["toDate('2024-01-28')", "toDate('2024-02-05')", "19750", "toDate32('2024-02-01')"]),
    ("toDate32('1969-12-30') + number", ["toDate32('1969-12-28')", "3", "toDate('1970-01-05')"]),
    ("toDateTime('2024-01-01 00:00:00') + number * 2", ["toDateTime('2024-01-01 00:00:12')", "1704067190", "toDate('2024-01-01')"]),
    ("toDateTime64('2024-01-01 00:00:00', 1) + number * 2", ["toDateTime64('2024-01-01 00:00:12', 1)", "1704067190"]),
]
STEPS = ["", "", " STEP 2", " STEP 3", " STEP -1", " STEP 0.5", " STEP INTERVAL 1 DAY", " STEP INTERVAL 1 MONTH"]
LIMITS = ["", "", "LIMIT 1 BY k % 3", "LIMIT 1 BY n", "LIMIT 5", "LIMIT 2 OFFSET 1"]


def sets(pick):
    """A comparison by IN. The values of both sides can have different types."""
    a, b, c = (pick(CONSTANTS) for _ in range(3))
    return f"SELECT {pick(SETS).format(a=a, b=b, c=c)} AS v"


def joins(pick):
    """A join of two or three small tables, in which several rows can have the same key."""
    left = f"(SELECT number % 3 AS k, number AS v, {pick(CONSTANTS)} AS x FROM numbers(5))"
    right = f"(SELECT toUInt8(number % 2 + 1) AS k, number AS w, {pick(CONSTANTS)} AS y FROM numbers(4))"
    if pick(range(6)) == 0:
        return f"SELECT k, v, y FROM {left} AS a ASOF {pick(['', 'LEFT '])}JOIN {right} AS b {pick(ASOF)} ORDER BY ALL"
    third = pick(THIRD).format(kind=pick(KINDS[:4]), condition=pick(ON_THIRD))
    setting = pick(["", "", " SETTINGS join_use_nulls = 1"])
    return f"SELECT {pick(LISTS)} FROM {left} AS a {pick(KINDS)} JOIN {right} AS b {pick(CONDITIONS)}{third} ORDER BY ALL{setting}"


def fills(pick):
    """A query with WITH FILL. The last row that ClickHouse inserts is never far from the first one."""
    key, near = pick(KEYS)
    start, end = (pick(["", *near]) for _ in range(2))
    edges = (f" FROM {start}" if start else "") + (f" TO {end}" if end else "")
    return (f"SELECT {key} AS k, number % 2 AS n FROM numbers(4) ORDER BY k{pick(['', '', ' DESC'])} WITH FILL{edges}"
            f"{pick(STEPS)} {pick(LIMITS)}")
