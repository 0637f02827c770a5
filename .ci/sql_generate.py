"""Random SQL expressions and queries for the comparison with ClickHouse."""

import random
import re

from sql_shapes import fills, joins, sets
from sql_templates import AGGREGATES, BOOL, DATE, FLOAT, GROUPS, INT, LEAVES, STR, TEMPLATES, WINDOWS

FRAMES = ["ORDER BY tx_hash", "PARTITION BY symbol ORDER BY tx_hash", "PARTITION BY project", "",
          "ORDER BY tx_hash ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING", "ORDER BY gas RANGE BETWEEN 5000 PRECEDING AND CURRENT ROW",
          "PARTITION BY symbol ORDER BY block_date", "ORDER BY tx_hash ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING"]
# Functions that return the value of any row of their frame, so their frames must have an order.
ORDERED = ["row_number", "lag", "lead", "first", "last", "nth", "ntile", "any", "deltaSum", "groupArray", "groupConcat",
           "exponential", "topK", "arg", "finalizeAggregation(group"]
# Differences of large sums, whose last digits depend on the order of the rows.
MOMENTS = ["var", "stddev", "skew", "kurt", "covar", "corr", "simpleLinear"]

# Functions of floats whose last digit depends on the library, inside functions that show each byte of their argument. The
# last digits of `exp10` also decide what rounding returns.
LAST_DIGIT = re.compile(
    r"(?:reverse|hex|base58Encode|base64\w+|bin|MD5|SHA\d+|keccak256|\w+Hash\d+|hash)\(.*"
    r"\b(?:a?(?:sin|cos|tan)h?|atan2|exp\d*|log\w*|pow|cbrt|sigmoid|hypot|degrees|radians|sqrt)\("
    r"|(?:floor|ceil\w*|round\w*|trunc\w*)\(.*\bexp10\("
)

# A constant in a template.
LITERAL = re.compile(r"'(?:[^'\\]|\\.)*'|(?<![\w.'])\d+(?:\.\d+)?(?![\w.'])")


class Generator:
    """Random statements of a seed. `aliases` maps names of functions to other names of the same function."""

    def __init__(self, seed, aliases):
        self.random = random.Random(seed)
        self.aliases = aliases

    def expression(self, kind, depth):
        """An expression of a kind, at most `depth` templates deep."""
        kind = self.random.choice(GROUPS.get(kind, [kind]))
        is_leaf = kind not in TEMPLATES or (kind in LEAVES and (depth <= 0 or self.random.random() < 0.15))
        if is_leaf:
            return self.filled(self.random.choice(LEAVES[kind]), depth - 1)
        return f"({self.filled(self.random.choice(TEMPLATES[kind]), depth - 1)})"

    def filled(self, template, depth):
        """A template with an expression in place of each kind. Sometimes one of its constants depends on rows, which
        ClickHouse rejects for some arguments."""
        literals = list(LITERAL.finditer(template)) if self.random.random() < 0.03 else []
        if literals:
            found = self.random.choice(literals)
            template = f"{template[:found.start()]}materialize({found[0]}){template[found.end():]}"
        return re.sub(r"\{([a-z]\w+)\}", lambda found: self.expression(found[1], depth), template)

    def renamed(self, call):
        """A call that sometimes uses another name of its function. Functions inside it keep their names, because in some
        places ClickHouse shows the main name."""
        brackets, name = re.match(r"(\(*)(\w*)", call).groups()
        names = self.aliases.get(name, []) if self.random.random() < 0.1 else []
        return brackets + self.random.choice(names) + call[len(brackets + name):] if names else call

    def aggregate(self):
        return self.renamed(self.filled(self.random.choice(AGGREGATES), 1))

    def select(self):
        """A query, in most cases over the table of trades. Its rows have a complete order."""
        pick = self.random.choice
        shape = pick(["plain", "group", "group", "window", "window", "distinct", "union", "nested", "join", "sets", "states",
                      "array join", "in", "joins", "joins", "fill"])
        of_types = {"in": sets, "joins": joins, "fill": fills}.get(shape)
        if of_types:
            return of_types(pick)
        where = f" WHERE {self.expression(BOOL, 2)}" if self.random.random() < 0.5 else ""
        value = self.expression(pick([INT, FLOAT, STR, DATE, "any"]), 2)

        if shape == "plain":
            rows = pick(["", " LIMIT 5", " LIMIT 3 OFFSET 2", " LIMIT 1 BY symbol"])
            return f"SELECT tx_hash, {value} AS v FROM agent.trades{where} ORDER BY tx_hash{rows}"
        if shape == "distinct":
            return f"SELECT DISTINCT {self.expression(BOOL, 2)} AS v FROM agent.trades{where}"
        if shape == "window":
            call = pick(WINDOWS + WINDOWS + AGGREGATES)
            over = pick(FRAMES[:2] if call.startswith(tuple(ORDERED)) else FRAMES)
            return (f"SELECT tx_hash, {self.filled(call, 1)} OVER ({over}) AS v FROM agent.trades{where} "
                    f"ORDER BY tx_hash LIMIT 20")
        if shape == "nested":
            return f"SELECT {self.aggregate()} FROM (SELECT * FROM agent.trades{where} ORDER BY tx_hash LIMIT 50)"
        if shape == "join":
            side = pick(["INNER", "LEFT", "RIGHT", "FULL", "LEFT SEMI", "LEFT ANTI", "ANY LEFT"])
            column = "t.symbol" if "LEFT" in side or side == "INNER" else "p.symbol"
            return (f"SELECT {column} AS s, count() AS n FROM agent.trades AS t {side} JOIN agent.prices AS p "
                    f"ON t.symbol = p.symbol AND t.block_date = p.block_date GROUP BY s ORDER BY s")
        if shape == "states":
            name, call = pick([("sum", "{num}"), ("avg", "{int}"), ("uniqExact", "{any}"), ("max", "{any}"), ("quantileExact", "{int}"),
                               ("count", ""), ("groupArray", "{int}"), ("countIf", "{bool}"), ("topK(2)", "{bool}")])
            head = name.replace("(", "State(", 1) if "(" in name else f"{name}State"
            inner = f"SELECT block_date, project, {head}({self.filled(call, 1)}) AS s FROM agent.trades{where} GROUP BY ALL"
            key = pick(["block_date", "project"])
            name, _, parameters = name.partition("(")
            parameters = parameters and "(" + parameters
            return f"SELECT {key} AS k, {name}Merge{parameters}(s) AS v FROM (SELECT * FROM ({inner}) ORDER BY block_date, project) GROUP BY k ORDER BY k"
        if shape == "array join":
            return (f"SELECT DISTINCT symbol, x, arrayJoin({self.expression('ints', 1)}) AS y FROM agent.trades "
                    f"{pick(['', 'LEFT '])}ARRAY JOIN {self.expression('strs', 1)} AS x")
        if shape == "union":
            both = pick(["UNION ALL", "UNION DISTINCT", "EXCEPT", "INTERSECT"])
            return f"SELECT {value} AS v FROM agent.trades{where} {both} SELECT {value} AS v FROM agent.trades"
        if shape == "sets":
            keys = pick(["ROLLUP(symbol, project)", "CUBE(symbol, project)", "GROUPING SETS ((symbol), (project), ())"])
            # Totals are merged from groups in an unspecified order.
            calls = [call for call in AGGREGATES if not call.startswith(tuple(ORDERED + MOMENTS))]
            return (f"SELECT symbol, project, {self.filled(pick(calls), 1)} AS a FROM agent.trades{where} GROUP BY {keys} "
                    f"ORDER BY symbol, project, count()")

        key = pick(["symbol", "project", "block_date", "toStartOfWeek(block_date)", "maker"])
        having = pick(["", " HAVING count() > 3"])
        return (f"SELECT {key} AS k, {self.aggregate()} AS a, {self.aggregate()} AS b FROM agent.trades{where} "
                f"GROUP BY k{having} ORDER BY k")

    def statements(self, expressions, queries):
        """Statements with one expression each, and then queries, in the given numbers."""
        kinds = list(TEMPLATES)
        for _ in range(expressions):
            expression = None
            while expression is None or LAST_DIGIT.search(expression):
                expression = self.expression(self.random.choice(kinds), self.random.choice([1, 1, 1, 2, 2, 3]))
            yield f"SELECT {self.renamed(expression)} FROM agent.trades ORDER BY tx_hash LIMIT 4"
        for _ in range(queries):
            yield self.select()


def names_with_templates():
    """Names of all functions in the templates. Operators count as their functions."""
    leaves = [text for texts in LEAVES.values() for text in texts]
    texts = [text for texts in TEMPLATES.values() for text in texts] + leaves + AGGREGATES + WINDOWS + ["arrayJoin()"]
    return set(re.findall(r"\w+(?=\()", " ".join(texts)))
