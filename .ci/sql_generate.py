"""Random SQL expressions and queries for the comparison with ClickHouse.

Each template is a result kind and a text whose braces name the kinds of its arguments. Values cover the
edges of each type, NULL, columns of each kind, and columns stored by distinct values.
"""

import random
import re

INT, FLOAT, STR, DATE, TIME, BOOL, INTS, STRS, MAP, DECIMAL = "int float str date time bool ints strs map decimal".split()

LEAVES = {
    INT: "0 1 -1 2 7 -13 100 255 256 -129 65536 3000000000 toInt8(-5) toUInt8(200) toInt16(-300) toInt32(70000) "
    "toUInt64(18446744073709551615) toInt64(-9223372036854775808) toNullable(3) gas delta".split(),
    FLOAT: "0.0 1.5 -2.25 0.1 1e10 -1e-7 1e20 toFloat32(2.5) toNullable(0.5) amount score".split(),
    STR: ["''", "'a'", "'Abc'", "'hello world'", "'a,b,,c'", "'12'", "'-7.5'", "'2026-06-15'", "'x1y22z'",
          "toNullable('nu')", "'ö€'", "symbol", "project", "maker"],
    DATE: ["toDate('2026-06-15')", "toDate('1970-01-01')", "toDate('2024-02-29')", "block_date"],
    TIME: ["toDateTime('2026-06-15 13:37:42')", "toDateTime('2024-02-29 23:59:59')", "block_time"],
    BOOL: ["1", "0", "delta > 0", "symbol = 'BTC'", "maker IS NULL"],
    INTS: ["[1, 2, 3]", "[3, 1, 2, 1]", "[0]", "[-1, 5]", "[delta, 2]"],
    STRS: ["['a', 'b']", "['b', 'a', 'b', '']", "tags"],
    MAP: ["map('a', 1, 'b', 2)", "map('x', 7)"],
    DECIMAL: ["toDecimal64('1.25', 2)", "toDecimal32('-3.5', 1)", "fee"],
}

TEMPLATES = {
    INT: """{int} + {int}|{int} - {int}|{int} * {int}|intDiv({int}, {int})|{int} % {int}|moduloOrZero({int}, {int})
        intDivOrZero({int}, {int})|-{int}|abs({int})|bitAnd({int}, {int})|bitOr({int}, {int})|bitXor({int}, {int})
        bitNot({int})|bitCount({int})|length({str})|lengthUTF8({str})|length({strs})|length({ints})|position({str}, {str})
        positionCaseInsensitive({str}, {str})|countSubstrings({str}, {str})|toInt8({int})|toInt16({int})|toInt32({int})
        toInt64({int})|toUInt8({int})|toUInt16({int})|toUInt32({int})|toUInt64({int})|toInt32({float})|toUInt8({float})
        toInt32OrZero({str})|toInt64OrNull({str})|toUInt8OrDefault({str}, toUInt8(7))|toYear({date})|toMonth({date})
        toDayOfMonth({date})|toDayOfWeek({date})|toHour({time})|toMinute({time})|toSecond({time})|toYYYYMM({date})
        toUnixTimestamp({time})|dateDiff('day', {date}, {date})|dateDiff('hour', {time}, {time})|toQuarter({date})
        toISOWeek({date})|toDayOfYear({date})|if({bool}, {int}, {int})|multiIf({bool}, {int}, {bool}, {int}, {int})
        ifNull({int}, {int})|coalesce({int}, {int}, {int})|nullIf({int}, {int})|greatest({int}, {int})
        least({int}, {int}, {int})|arraySum({ints})|arrayMin({ints})|arrayMax({ints})|{ints}[1]|{ints}[-1]
        indexOf({ints}, {int})|indexOf({strs}, {str})|countEqual({ints}, {int})|arrayCount(x -> x > 1, {ints})
        arraySum(x -> x * 2, {ints})|arrayFirst(x -> x > 1, {ints})|{map}['a']|ascii({str})|gcd({int}, {int})
        lcm({int}, {int})|sign({int})|toDate({date}) - {date}|toRelativeDayNum({date})|arrayUniq({strs})
        transform({int}, [1, 2], [10, 20], 0)|CAST({int} AS Int64)|isNull({int})|toInt128({int})|plus({int}, {int})
        positiveModulo({int}, {int})|sign({float})|empty({str})|notEmpty({strs})|factorial(abs({int}) % 20)""",
    FLOAT: """{float} + {float}|{float} - {int}|{float} * {float}|{float} / {int}|{int} / {int}|{float} % 0.75|-{float}
        abs({float})|round({float})|round({float}, 2)|floor({float})|ceil({float})|trunc({float})|sqrt({float})|exp({float})
        log({float})|log2({float})|log10({float})|pow({float}, 2)|sin({float})|cos({float})|tan({float})|atan({float})
        toFloat64({int})|toFloat32({float})|toFloat64OrZero({str})|toFloat64OrNull({str})|if({bool}, {float}, {float})
        ifNull({float}, {float})|greatest({float}, {float})|least({float}, {int})|arrayAvg({ints})|cbrt({float})|exp2({float})
        ifNotFinite({float}, 0.0)|toFloat64OrDefault({str}, 1.5)|floor({float}, 1)|roundBankers({float})|degrees({float})
        radians({float})|hypot({float}, {float})|sigmoid({float})|toFloat64({decimal})|nullIf({float}, {float})""",
    STR: """upper({str})|lower({str})|reverse({str})|concat({str}, {str})|{str} || {str}|substring({str}, 2)|substring({str}, 1, 2)
        substring({str}, -2)|substring({str}, -3, 2)|left({str}, 2)|right({str}, 3)|trim({str})|repeat({str}, 2)
        replaceAll({str}, {str}, 'z')|replaceOne({str}, 'a', {str})|toString({int})|toString({date})|toString({time})
        toString({strs})|toString({ints})|toString({bool})|leftPad({str}, 6, '*')|rightPad({str}, 4)|hex({str})
        splitByChar(',', {str})[1]|arrayStringConcat({strs}, '-')|if({bool}, {str}, {str})|ifNull({str}, {str})
        coalesce({str}, {str})|nullIf({str}, {str})|greatest({str}, {str})|least({str}, {str})|{strs}[1]|{strs}[-1]
        transform({str}, ['BTC', 'a'], ['x', 'y'], 'other')|toString({decimal})|formatDateTime({time}, '%Y-%m-%d %H:%i:%S')
        substringUTF8({str}, 2, 2)|lowerUTF8({str})|upperUTF8({str})|splitPart({str}, ',', 1)|base64Encode({str})
        replaceRegexpAll({str}, '[a-c]', '_')|extract({str}, '[0-9]+')|translate({str}, 'abc', 'xyz')|toTypeName({int})
        toTypeName({float})|toTypeName({str})|toTypeName({ints})|initcap({str})|multiIf({bool}, {str}, {bool}, {str}, {str})
        dateName('month', {date})|monthName({date})|toString({float})|empty({str}) ? {str} : {str}""",
    DATE: """toDate({time})|{date} + 3|{date} - 10|toStartOfMonth({date})|toStartOfWeek({date})|toMonday({date})
        toStartOfYear({date})|toStartOfQuarter({date})|addDays({date}, 5)|addMonths({date}, 1)|subtractMonths({date}, 13)
        addYears({date}, -1)|toLastDayOfMonth({date})|greatest({date}, {date})|if({bool}, {date}, {date})|toDate({int})
        dateTrunc('month', {date})|{date} + INTERVAL 2 WEEK|toDateOrDefault({str}, toDate('2020-01-01'))""",
    TIME: """{time} + 60|{time} - 3600|toStartOfHour({time})|toStartOfDay({time})|toStartOfMinute({time})|addHours({time}, 5)
        toStartOfFiveMinutes({time})|subtractDays({time}, 3)|{time} + INTERVAL 90 MINUTE|toDateTime({date})|addMonths({time}, 2)
        toStartOfInterval({time}, INTERVAL 4 HOUR)|if({bool}, {time}, {time})|greatest({time}, {time})|addSeconds({time}, 59)""",
    BOOL: """{int} = {int}|{int} < {float}|{int} >= {int}|{str} = {str}|{str} < {str}|{date} > {date}|{time} <= {time}|{bool} AND {bool}
        {bool} OR {bool}|NOT {bool}|{int} IN (1, 2, 3)|{str} IN ('a', 'BTC')|{str} LIKE '%a%'|{str} ILIKE 'A%'|{int} IS NULL
        {str} IS NOT NULL|has({ints}, {int})|has({strs}, {str})|hasAny({strs}, ['a', 't1'])|hasAll({ints}, [1])
        startsWith({str}, {str})|endsWith({str}, 'c')|{int} BETWEEN 0 AND 10|isFinite({float})|isNaN({float})
        arrayExists(x -> x > 2, {ints})|arrayAll(x -> x > 0, {ints})|match({str}, '^[a-z]+$')|empty({strs})|xor({bool}, {bool})
        mapContainsKey({map}, {str})|{decimal} > {int}|{float} != {float}|{date} BETWEEN {date} AND {date}|{int} != {float}""",
    INTS: """arraySort({ints})|arrayReverse({ints})|arrayDistinct({ints})|arrayMap(x -> x + 1, {ints})|arrayFilter(x -> x > 1, {ints})
        arrayConcat({ints}, {ints})|arraySlice({ints}, 2)|arraySlice({ints}, 1, 2)|arrayPushBack({ints}, {int})|range(5)
        arrayPopBack({ints})|arrayPopFront({ints})|arrayCumSum({ints})|arrayEnumerate({strs})|[{int}, {int}]|arrayDifference({ints})
        arrayReverseSort({ints})|arrayMap((x, y) -> x * y, [1, 2], [3, {int}])|arrayCompact({ints})|mapValues({map})
        arraySort(x -> -x, {ints})|arrayIntersect({ints}, {ints})|arrayResize({ints}, 4)|if({bool}, {ints}, {ints})""",
    STRS: """splitByChar(',', {str})|splitByString('l', {str})|arraySort({strs})|arrayDistinct({strs})|arrayReverse({strs})
        arrayMap(x -> upper(x), {strs})|arrayFilter(x -> x != '', {strs})|arrayConcat({strs}, {strs})|[{str}, {str}]
        arrayPushFront({strs}, {str})|mapKeys({map})|extractAll({str}, '[a-z]')|alphaTokens({str})|arraySlice({strs}, -1)
        splitByWhitespace({str})""",
    MAP: "map({str}, {int})|map('a', {int}, 'b', {int})|mapFromArrays(['a', 'b'], [1, 2])|mapFilter((k, v) -> v > 1, {map})",
    DECIMAL: "{decimal} + {decimal}|{decimal} - {int}|{decimal} * 2|-{decimal}|abs({decimal})|toDecimal64({int}, 3)",
}
TEMPLATES = {kind: [one.strip() for one in re.split(r"[|\n](?!\|)(?<!\|\|)", text) if one.strip()] for kind, text in TEMPLATES.items()}

AGGREGATES = """count()|count({str})|sum({int})|sum({float})|avg({int})|avg({float})|min({str})|max({date})|min({int})|max({float})
    uniqExact({str})|uniq({int})|groupArray({int})|arraySort(groupUniqArray({bool}))|countIf({bool})|sumIf({int}, {bool})|avgIf({float}, {bool})
    argMin({str}, gas)|argMax({int}, gas)|any({str})|anyLast({int})|quantileExact({int})|quantileExact(0.9)({float})|median({int})
    varPop({int})|stddevSamp({int})|sumOrNull({int})|minIf({str}, {bool})|groupBitOr({int})|sum({decimal})|max({decimal})
    uniqExactIf({str}, {bool})|sumDistinct({int})|count(DISTINCT {str})|sumArray({ints})|corr({int}, {int})"""
AGGREGATES = [one.strip() for one in re.split(r"[|\n]", AGGREGATES) if one.strip()]
WINDOWS = ["row_number()", "rank()", "dense_rank()", "lagInFrame({int})", "leadInFrame({str})", "first_value({int})",
           "last_value({str})"]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def expression(self, kind, depth):
        """An expression of a kind, at most `depth` templates deep."""
        if depth == 0 or self.random.random() < 0.15:
            return self.random.choice(LEAVES[kind])
        text = self.filled(self.random.choice(TEMPLATES[kind]), depth - 1)
        return f"({text})"

    def filled(self, template, depth):
        """A template with an expression in place of each kind."""
        return re.sub(r"\{(\w+)\}", lambda found: self.expression(found[1], depth), template)

    def aggregate(self):
        return self.filled(self.random.choice(AGGREGATES), 1)

    def select(self):
        """A query over the table of trades. Its rows have a complete order."""
        pick = self.random.choice
        shape = pick(["plain", "group", "group", "window", "distinct", "union", "nested", "join"])
        where = f" WHERE {self.expression(BOOL, 2)}" if self.random.random() < 0.5 else ""
        value = self.expression(pick([INT, FLOAT, STR, DATE]), 2)

        if shape == "plain":
            rows = pick(["", " LIMIT 5", " LIMIT 3 OFFSET 2"])
            return f"SELECT tx_hash, {value} AS v FROM agent.trades{where} ORDER BY tx_hash{rows}"
        if shape == "distinct":
            return f"SELECT DISTINCT {self.expression(BOOL, 2)} AS v FROM agent.trades{where}"
        if shape == "window":
            call = pick(WINDOWS + AGGREGATES)
            over = pick(["ORDER BY tx_hash", "PARTITION BY symbol ORDER BY tx_hash",
                         "ORDER BY tx_hash ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING"])
            return f"SELECT tx_hash, {self.filled(call, 1)} OVER ({over}) AS v FROM agent.trades{where} ORDER BY tx_hash LIMIT 20"
        if shape == "nested":
            return f"SELECT {self.aggregate()} FROM (SELECT * FROM agent.trades{where} ORDER BY tx_hash LIMIT 50)"
        if shape == "join":
            side = pick(["INNER", "LEFT", "LEFT SEMI", "LEFT ANTI"])
            return (f"SELECT t.symbol, count() AS n FROM agent.trades AS t {side} JOIN agent.prices AS p "
                    f"ON t.symbol = p.symbol AND t.block_date = p.block_date GROUP BY t.symbol ORDER BY t.symbol")
        if shape == "union":
            return f"SELECT {value} AS v FROM agent.trades{where} UNION ALL SELECT {value} AS v FROM agent.trades"

        key = pick(["symbol", "project", "block_date", "toStartOfWeek(block_date)", "maker"])
        having = pick(["", " HAVING count() > 3"])
        return f"SELECT {key} AS k, {self.aggregate()} AS a, {self.aggregate()} AS b FROM agent.trades{where} GROUP BY k{having} ORDER BY k"

    def statements(self, expressions, queries):
        """So many statements with one expression each, then so many queries."""
        kinds = list(TEMPLATES)
        for _ in range(expressions):
            expression = self.expression(self.random.choice(kinds), self.random.choice([1, 1, 2, 2, 3]))
            yield f"SELECT {expression} FROM agent.trades ORDER BY tx_hash LIMIT 4"
        for _ in range(queries):
            yield self.select()
