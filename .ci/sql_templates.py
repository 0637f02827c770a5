"""Templates of the random SQL statements: constants and columns of each kind, and calls of every function.

A template is a text whose braces name the kinds of its arguments. `.ci/sql_oracle.py` fails if a function of the engine
has no template.
"""

import re

INT, FLOAT, STR, DATE, TIME, BOOL, INTS, STRS, MAP, DECIMAL = "int float str date time bool ints strs map decimal".split()
WIDE, FIXED, DATE32, TIME64, INTERVAL, TUPLE, JSON, OTHER = "wide fixed date32 time64 interval tuple json other".split()

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
    DECIMAL: ["toDecimal64('1.25', 2)", "toDecimal32('-3.5', 1)", "fee", "toDecimal128('-12345678901234567890.5', 3)"],
    WIDE: ["toInt128(-5)", "toUInt128(7)", "toInt256('-170141183460469231731687303715884105729')", "toUInt256(3)",
           "amount_raw"],
    FIXED: ["toFixedString('ab', 4)", "toFixedString(symbol, 6)", "toFixedString('', 2)"],
    DATE32: ["toDate32('2026-06-15')", "toDate32('1925-01-01')", "toDate32('2283-11-11')", "toDate32(block_date)"],
    TIME64: ["toDateTime64('2026-06-15 13:37:42.123', 3)", "toDateTime64('1969-12-31 23:59:59.999999', 6)",
             "toDateTime64(block_time, 1)"],
    INTERVAL: ["INTERVAL 3 DAY", "INTERVAL -2 MONTH", "INTERVAL 90 MINUTE", "toIntervalSecond({int} % 100)",
               "toIntervalMinute({int} % 100)", "toIntervalHour(7)", "toIntervalDay({int} % 100)", "toIntervalWeek(2)",
               "toIntervalMonth({int} % 10)", "toIntervalQuarter(1)", "toIntervalYear({int} % 10)",
               "toIntervalMillisecond(1500)", "toIntervalMicrosecond(7)", "toIntervalNanosecond(11)"],
    TUPLE: ["(1, 'a')", "({int}, {str})", "tuple({int}, {str})", "tupleConcat(tuple({int}), tuple({str}))"],
    JSON: ["'{\"a\": 1, \"b\": [1, 2.5, \"x\", null], \"c\": {\"d\": true}}'", "'[1, -2, 3.25, \"BTC\", {\"a\": {}}]'",
           "'{\"b\": \"2\", \"a\": null, \"c\": 1e3}'", "'not json'", "''", "concat('{\"a\": \"', symbol, '\"}')"],
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
        log({float})|log2({float})|log10({float})|pow({float}, 2)|sin({plain})|cos({plain})|tan({plain})|atan({float})
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

MORE = {
    INT: """JSONLength({json})|JSONLength({json}, 'b')|JSONHas({json}, 'a')|JSONHas({json}, 'b', -1)|JSONArrayLength({json})|timezoneOffset({zoned})|toHour({zoned})
        toDayOfMonth({stamp}, 'Asia/Tokyo')|toHour({stamp}, 'America/New_York')|toYYYYMMDD({zoned})|dateDiff('day', {zoned}, {zoned})
        dateDiff('hour', {stamp}, {zoned})|dateDiff('day', {stamp}, {stamp}, 'Asia/Kathmandu')|toUnixTimestamp({zoned})|toInt64({zoned})
        toWeek({stamp}, 0, 'Europe/Berlin')|toDayOfWeek({stamp}, 0, 'Asia/Tokyo')|JSONExtract({json}, 'a', 'Int32')|JSONExtract({json}, 1, 'UInt8')
        finalizeAggregation(arrayReduce('sumState', {ints}))|JSONExtractInt({json}, 'a')|JSONExtractUInt({json}, 'b', 1)
        isValidJSON({json})|age('month', {moment}, {moment})|age('day', {moment}, {moment})|arrayDotProduct({ints}, {ints})
        arrayProduct({ints})|arrayReduce('max', {ints})|arrayReduce('sum', {ints})|assumeNotNull({int})
        bitShiftLeft({int}, {int} % 20)|bitShiftRight({int}, {int} % 20)|bitTest({int}, {int} % 8)|countMatches({str}, '[a-c]')
        countMatchesCaseInsensitive({str}, 'B')|countSubstringsCaseInsensitive({str}, {str})|{bool} ? {int} : {int}
        CASE {int} WHEN 1 THEN {int} WHEN 2 THEN {int} ELSE {int} END|CASE WHEN {bool} THEN {int} ELSE {int} END
        hasToken({str}, 'hello')|identity({int})|isZeroOrNull({int})|locate({str}, {str})|materialize({int})
        multiMatchAny({str}, ['^a', 'b+'])|multiSearchAny({str}, ['a', 'BTC'])|multiSearchAnyCaseInsensitive({str}, ['B', 'x'])
        positionUTF8({str}, {str})|{float} > 0|toInt8({num})|toInt16({num})|toInt32({num})|toInt64({num})|toUInt8({num})
        toUInt16({num})|toUInt32({num})|toUInt64({num})|toInt8({str})|toInt64({moment})|toUInt32({moment})|toInt8OrZero({str})
        toInt8OrNull({str})|toInt8OrDefault({str})|toInt8OrDefault({str}, toInt8(-1))|toInt16OrZero({str})|toInt16OrNull({str})
        toInt16OrDefault({str}, toInt16(3))|toInt32OrNull({str})|toInt32OrDefault({str}, toInt32(9))|toInt64OrZero({str})
        toInt64OrDefault({str}, toInt64(1))|toUInt8OrZero({str})|toUInt8OrNull({str})|toUInt16OrZero({str})|toUInt16OrNull({str})
        toUInt16OrDefault({str}, toUInt16(3))|toUInt32OrZero({str})|toUInt32OrNull({str})|toUInt32OrDefault({str}, toUInt32(9))
        toUInt64OrZero({str})|toUInt64OrNull({str})|toUInt64OrDefault({str}, toUInt64(1))|toUInt8OrDefault({int}, toUInt8(5))
        toInt8OrDefault({float}, toInt8(5))|toDaysSinceYearZero({day})|toISOYear({moment})|toRelativeHourNum({moment})
        toRelativeMinuteNum({moment})|toRelativeMonthNum({moment})|toRelativeSecondNum({moment})|toRelativeWeekNum({moment})
        toRelativeYearNum({moment})|toRelativeDayNum({moment})|toWeek({moment})|toWeek({moment}, 1)|toWeek({moment}, 3)
        toYearWeek({moment})|toYearWeek({moment}, 1)|toYYYYMMDD({moment})|toYYYYMMDDhhmmss({moment})|toYear({moment})
        toQuarter({moment})|toMonth({moment})|toDayOfYear({moment})|toDayOfMonth({moment})|toDayOfWeek({moment}, 2)|toHour({stamp})
        toMinute({stamp})|toSecond({stamp})|toISOWeek({moment})|toYYYYMM({moment})|toUnixTimestamp({moment})|tupleElement({tuple}, 1)
        {tuple}.1|arrayFirstIndex(x -> x > 1, {ints})|arrayLastIndex(x -> x > 1, {ints})|arrayFirstOrNull(x -> x > 1, {ints})
        arrayLast(x -> x < 3, {ints})|arrayFold((acc, x) -> acc + x, {ints}, toInt64(0))|arrayElement({ints}, {int} % 3)
        length({map})|empty({ints})|notEmpty({str})|length({fixed})|{num} = {num}|{num} < {num}|{moment} = {moment}
        dateDiff('month', {moment}, {moment})|dateDiff('week', {moment}, {moment})|dateDiff('year', {moment}, {moment})
        dateDiff('second', {stamp}, {stamp})|dateDiff('quarter', {moment}, {moment})|intDiv({num}, {num})|{int} % {num}|{plain} % {num}
        gcd({int}, {num})|sign({num})|abs({wide})|negate({int})|minus({int}, {num})|multiply({int}, {int})|modulo({int}, {int})
        toInt32OrZero(toString({int}))|transform({int}, {ints}, {ints}, {int})|indexOf({strs}, {fixed})|countEqual({strs}, {str})
        bitCount({num})|bitNot({num})|arrayUniq({ints}, [1, 2, 3])|positionCaseInsensitive({fixed}, 'B')|lengthUTF8({fixed})""",
    FLOAT: """JSONExtractFloat({json}, 'b', 2)|JSONExtract({json}, 'b', 'Float64')|acos({plain})|acosh({plain})|asin({plain})|asinh({float})|atan2({float}, {float})
        atanh({plain})|cosh({float})|divide({num}, {num})|e()|pi()|exp10({float})|log1p({float})|sinh({float})|tanh({float})
        toFloat32OrDefault({str}, toFloat32(2))|toFloat32OrNull({str})|toFloat32OrZero({str})|sqrt({num})|exp({num})|log({num})
        pow({num}, 2)|round({num}, 1)|floor({num}, -1)|ceil({num}, 2)|trunc({num}, 1)|round({num}, -2)|roundBankers({num}, 1)
        toFloat32({num})|toFloat64({num})|toFloat64({str})|{plain} % {float}|{num} * {float}|{num} - {float}
        greatest({num}, {num})|least({num}, {num}, {num})|arrayAvg({ints}, [1.5, 2.5])|degrees({num})|arrayAvg(x -> x / 2, {ints})
        arrayReduce('avg', {ints})|materialize({float})|if({bool}, {num}, {num})|multiIf({bool}, {num}, {bool}, {num}, {num})
        ifNull({num}, {num})|coalesce({num}, {num})|toFloat64OrDefault({int}, 2.5)|sigmoid({num})|cbrt({num})|hypot({num}, {num})""",
    STR: """hex(MD5({text}))|hex(SHA256({text}))|hex(keccak256({text}))|hex(SHA224({str}))|hex(SHA384({str}))|hex(SHA512({str}))|toJSONString({any})|toJSONString({tuple})|JSONKey({json}, 1)|JSONExtract({json}, 'b', 'String')|timezoneOf({zoned})
        toString({zoned})|toString({stamp}, 'Asia/Tokyo')|formatDateTime({stamp}, '%F %T %z', 'Europe/Berlin')|formatDateTime({zoned}, '%R')
        dateName('day', {zoned})|toJSONString({json})|JSONExtractString({json}, 'a')|JSONExtractString({json}, 4)|JSONExtractRaw({json}, 'c')|JSONExtractRaw({json})
        bar({num}, 0, 100, 10)|base64Decode(base64Encode({str}))|base64Decode({str})|char({int}, 66)|char(65, 66)
        concatWithSeparator(',', {str}, {str})|format('{} - {}', {str}, {int})|format('{1} {0}', {any}, {any})
        formatReadableSize({num})|formatReadableDecimalSize({num})|formatReadableQuantity({num})|leftPadUTF8({str}, 5, 'ö')
        rightPadUTF8({str}, 5)|leftUTF8({str}, 2)|rightUTF8({str}, 2)|materialize({str})|regexpExtract({str}, '([a-z])([a-z])', 2)
        regexpExtract({str}, '[0-9]+')|replaceRegexpOne({str}, '[a-z]+', '<\\0>')|reverseUTF8({str})|space({int} % 10)
        substringIndex({str}, ',', 2)|substringIndex({str}, ',', -1)|timezone()|serverTimezone()|trimBoth({str})|trimLeft({str})
        trimRight({str})|trim(BOTH 'a' FROM {str})|unhex({str})|unhex(hex({str}))|hex({int})|hex({fixed})|concat({any}, {any})
        toString({any})|toString({any})|toTypeName({any})|toTypeName({any})|{tuple}.2|tupleElement({tuple}, 2)|{fixed}
        upper({fixed})|substring({fixed}, 2, 2)|concat({fixed}, {str})|toFixedString({fixed}, 8)|dateName('weekday', {moment})
        dateName('quarter', {moment})|dateName('week', {moment})|dateName('dayofyear', {moment})|dateName('hour', {stamp})
        monthName({moment})|formatDateTime({stamp}, '%a %b %e %j %V %G %p %I')|formatDateTime({moment}, '%D %F %R %T %y %C %u %w')
        formatDateTime({time64}, '%f %s %M %W %Q')|fromUnixTimestamp({int}, '%Y-%m-%d')|replaceAll({str}, 'a', {str})
        left({str}, {int} % 5)|right({str}, {int} % 5)|substring({str}, {int} % 5, {int} % 4)|repeat({str}, {int} % 4)
        toLowCardinality({str})|CAST({any} AS String)|ifNull({str}, {fixed})|arrayStringConcat({strs})|arrayStringConcat({ints}, ',')
        substringUTF8({str}, {int} % 4)|translate({fixed}, 'ab', 'xy')|initcap({fixed})|lower({fixed})|greatest({fixed}, {str})
        arrayFirst(x -> x > 'a', {strs})|arrayReduce('max', {strs})|{map}['a'] > 1 ? {str} : {str}|char({int} % 128)""",
    DATE: """toDate({stamp}, 'Asia/Tokyo')|toDate({zoned})|toStartOfMonth({stamp}, 'Pacific/Auckland')|toMonday({zoned})|toStartOfYear({zoned})
        dateTrunc('month', {stamp}, 'America/New_York')|addDate({day}, INTERVAL 3 DAY)|subDate({day}, INTERVAL 2 MONTH)|makeDate(2026, 2, {int} % 31)|makeDate(2024, {int} % 13, 5)
        toDate({moment})|toDate({num})|toDateOrNull({str})|toDateOrZero({str})|toLastDayOfWeek({moment})|toLastDayOfWeek({moment}, 1)
        toStartOfISOYear({moment})|toStartOfMonth({moment})|toStartOfWeek({moment}, 1)|toStartOfYear({moment})|toMonday({moment})
        toStartOfQuarter({moment})|toLastDayOfMonth({moment})|{day} + {interval}|{day} - {interval}|addWeeks({day}, {int} % 9)
        addQuarters({day}, {int} % 5)|subtractYears({day}, {int} % 5)|subtractWeeks({day}, 2)|subtractQuarters({day}, 1)
        toStartOfInterval({day}, INTERVAL 2 WEEK)|toStartOfInterval({moment}, INTERVAL 1 MONTH)|dateTrunc('year', {moment})
        dateTrunc('week', {moment})|dateTrunc('quarter', {moment})|toDateOrDefault({str})|ifNull({date}, {date})|nullIf({date}, {date})
        toDate({str})|least({date}, {date})|addDays({day}, {int} % 100)|addMonths({day}, {int} % 30)|CAST({moment} AS Date)""",
    TIME: """{zoned}|toStartOfDay({stamp}, 'America/New_York')|toStartOfHour({zoned})|addDays({zoned}, {int} % 300)|addMonths({zoned}, {int} % 20)
        addHours({zoned}, {int} % 3000)|dateTrunc('day', {zoned})|toDateTime({zoned}, 'Asia/Tokyo')|toDateTime({str}, 'Asia/Tokyo')
        toDateTime({day}, 'America/New_York')|makeDateTime(2026, 3, 29, {int} % 24, 30, 0, 'Europe/Berlin')|toStartOfInterval({zoned}, INTERVAL 1 HOUR)
        toStartOfFiveMinutes({zoned})|{zoned} + INTERVAL 1 MONTH|{zoned} - INTERVAL 40 HOUR|parseDateTimeBestEffort({stampText}, 'Asia/Kathmandu')
        parseDateTime32BestEffort({stampText})|parseDateTime32BestEffortOrNull({str})|parseDateTime32BestEffortOrZero({str})|toDateTime32({moment})
        toDateTime({moment})|toDateTime({num})|toDateTimeOrNull({str})|toDateTimeOrZero({str})|toDateTimeOrDefault({str})
        makeDateTime(2026, 6, 15, {int} % 24, 5, 6)|fromUnixTimestamp({int})|parseDateTimeBestEffort({stampText})
        parseDateTimeBestEffortOrNull({str})|parseDateTimeBestEffortOrZero({str})|toStartOfTenMinutes({stamp})|timeSlot({stamp})
        toStartOfFifteenMinutes({stamp})|toStartOfHour({stamp})|toStartOfDay({moment})|toStartOfMinute({stamp})|toTimezone({stamp}, 'UTC')
        toStartOfFiveMinutes({stamp})|toStartOfInterval({stamp}, INTERVAL 15 MINUTE)|toStartOfInterval({stamp}, INTERVAL 2 DAY)
        addMinutes({moment}, {int} % 100)|subtractMinutes({moment}, 7)|subtractHours({stamp}, {int} % 50)|subtractSeconds({stamp}, 9)
        addHours({day}, 3)|dateTrunc('hour', {stamp})|dateTrunc('day', {moment})|dateTrunc('minute', {stamp})|addWeeks({stamp}, 1)
        addYears({stamp}, {int} % 5)|{time} + {interval}
        {stamp} - {interval}|addQuarters({stamp}, 2)|dateAdd(DAY, 2, {stamp})|dateSub(HOUR, 3, {stamp})|toDateTime({stampText})
        timestampAdd(MINUTE, 5, {time})|addSeconds({moment}, {int} % 1000)|least({time}, {time})|{time} - {int} % 1000""",
    BOOL: """JSONExtractBool({json}, 'c', 'd')|{num} = {num}|{num} > {num}|{num} <= {num}|{moment} < {moment}|{moment} >= {moment}
        isDistinctFrom({int}, {int})|isNotDistinctFrom({str}, {str})|{int} <=> {int}|isNotNull({any})|isNull({any})|isInfinite({float})
        {str} NOT LIKE '%a'|{str} NOT ILIKE 'B_C'|like({str}, '_%')|toBool({int})|toBool({float})|not({bool})|{str} = {fixed}
        {fixed} < {str}|startsWith({str}, {fixed})|{ints} = {ints}|{ints} < {ints}|{strs} = {strs}|{tuple} = {tuple}|{tuple} < {tuple}
        {map} = {map}|{str} NOT IN ('a', 'b')|{num} IN (1, 2)|{date} IN (toDate('2026-06-15'))|{tuple} IN ((1, 'a'), (2, 'b'))
        {num} BETWEEN {num} AND {num}|hasAny({ints}, {ints})|hasAll({strs}, {strs})|has({strs}, {fixed})|equals({num}, {num})
        notEquals({str}, {str})|less({num}, {num})|greater({num}, {num})|lessOrEquals({str}, {str})|greaterOrEquals({date}, {date})
        {int} IN (SELECT number FROM numbers(3))|{str} IN (SELECT symbol FROM agent.tokens)|arrayExists((x, y) -> x = y, {ints}, {ints})
        or({bool}, {bool}, {bool})|and({bool}, {int}, {float})|xor({bool}, {int})|notLike({str}, '%')|ilike({str}, 'A%')
        now('Asia/Tokyo') > makeDateTime(2020, 1, 1, 0, 0, 0)|EXISTS (SELECT 1 FROM agent.tokens WHERE decimals > 8)|{bool} = true|notILike({str}, 'b%')""",
    INTS: """arrayFlatten([{ints}, {ints}])|arrayWithConstant(bitAnd({int}, 3), {int})|emptyArrayUInt8()|arrayPartialSort(2, {ints})
        arrayFill(x -> x > 1, {ints})|arrayDifference({ints})|arrayMap((x, y) -> x + y, {ints}, {ints})|arrayFilter(x -> x % 2 = 0, {ints})
        arrayCumSum(x -> x * 2, {ints})|arrayReverseSort(x -> (x % 3, x), {ints})|arraySlice({ints}, -2, 1)|arrayResize({ints}, 2, {int})
        range({int} % 5)|range(1, 9, 3)|arrayEnumerate({ints})|arrayPushFront({ints}, {int})|arrayConcat({ints}, {ints}, [1])
        [{num}, {num}]|[{int}, {int}, {int}]|arrayDistinct({ints})|arraySort((x, y) -> (y, x), {ints}, {ints})
        arrayPopBack({ints})|arrayCompact({ints})|arrayIntersect({ints}, {ints}, {ints})|array({int}, {num})|arrayReverse({ints})""",
    STRS: """JSONExtractKeys({json})|JSONExtractArrayRaw({json}, 'b')|JSONExtractArrayRaw({json})|JSONExtract({json}, 'b', 'Array(String)')|splitByNonAlpha({str})|splitByRegexp('[0-9,]', {str})|extractGroups({str}, '([a-z])([a-z0-9])')|arrayReverseSort({strs})
        arrayConcat({strs}, {strs}, ['c'])|arrayPushBack({strs}, {str})|arraySlice({strs}, 1, 1)|arrayResize({strs}, 3, 'z')
        arrayMap(x -> concat(x, {str}), {strs})|arrayFilter((x, y) -> y > 1, {strs}, {ints})|arrayCompact({strs})|splitByChar(' ', {fixed})
        arrayIntersect({strs}, {strs})|[{str}, {fixed}]|arraySort(x -> (length(x), x), {strs})|arrayMap(x -> toString(x), {ints})
        splitByString('', {str})|arrayMap((k, v) -> k, mapKeys({map}), mapValues({map}))|arrayWithConstant(2, {str})|if({bool}, {strs}, {strs})
        splitByChar(',', {str}, 2)""",
    MAP: """mapApply((k, v) -> (k, v * 2), {map})|mapFromArrays({strs}, {ints})|CAST(([{str}], [{int}]), 'Map(String, Int64)')
        mapFilter((k, v) -> k != 'a', {map})|map(toString({int}), {int})""",
    DECIMAL: """toDecimal32({int}, 2)|toDecimal32({str}, 2)|toDecimal64({num}, 4)|toDecimal128({num}, 6)|toDecimal32OrZero({str}, 2)
        toDecimal32OrNull({str}, 1)|toDecimal32OrDefault({str}, 1, toDecimal32(7, 1))|toDecimal64OrZero({str}, 2)|toDecimal64OrNull({str}, 3)
        toDecimal64OrDefault({str}, 3)|toDecimal128OrZero({str}, 2)|toDecimal128OrNull({str}, 2)|toDecimal128OrDefault({str}, 2)
        {decimal} * {decimal}|{decimal} / {int}|{decimal} + {int}|{int} - {decimal}|{decimal} / {decimal}|round({decimal}, 1)
        greatest({decimal}, {decimal})|if({bool}, {decimal}, {decimal})|floor({decimal})|ceil({decimal}, 1)|CAST({num} AS Decimal(20, 5))
        {int} * {decimal}|{int} / {decimal}|trunc({decimal}, 1)|assumeNotNull({decimal})|CAST({str} AS Decimal(10, 2))""",
    WIDE: """toInt128({num})|toInt256({num})|toUInt128({num})|toUInt256({num})|toInt128OrZero({str})|toInt128OrNull({str})
        toInt128OrDefault({str}, toInt128(3))|toInt256OrZero({str})|toInt256OrNull({str})|toInt256OrDefault({str}, toInt256(3))
        toUInt128OrZero({str})|toUInt128OrNull({str})|toUInt128OrDefault({str}, toUInt128(3))|toUInt256OrZero({str})
        toUInt256OrNull({str})|toUInt256OrDefault({str}, toUInt256(3))|{wide} + {wide}|{wide} - {int}|{wide} * {int}|intDiv({wide}, {int})
        {wide} % {int}|-{wide}|abs({wide})|greatest({wide}, {wide})|if({bool}, {wide}, {wide})|{wide} + {decimal}|{int} - {wide}""",
    FIXED: "toFixedString({str}, 20)|toFixedString({fixed}, 6)|if({bool}, {fixed}, {fixed})|reverse({fixed})",
    DATE32: """toDate32({moment})|toDate32({int})|toDate32({str})|toDate32OrNull({str})|toDate32OrZero({str})|toDate32OrDefault({str})
        {date32} + 5|{date32} - {int} % 100|addDays({date32}, 40)|addMonths({date32}, {int} % 20)|addYears({date32}, -3)
        toStartOfMonth({date32})|subtractDays({date32}, {int} % 50)|greatest({date32}, {date})|if({bool}, {date32}, {date})""",
    TIME64: """toDateTime64({moment}, 3)|toDateTime64({num}, 2)|toDateTime64({str}, 3)|toDateTime64OrNull({str}, 3)|toDateTime64OrZero({str}, 3)
        toDateTime64OrDefault({str}, 3)|addMilliseconds({moment}, {int} % 5000)|addMicroseconds({moment}, 7)|addNanoseconds({moment}, 9)
        subtractMilliseconds({moment}, 8)|subtractMicroseconds({moment}, 9)|subtractNanoseconds({moment}, 10)|toStartOfSecond({time64})
        addSeconds({time64}, {int} % 100)|{time64} + {interval}|{time64} - {interval}|{time64} + 5|addMonths({time64}, 1)
        greatest({time64}, {time})|if({bool}, {time64}, {time64})|CAST({stamp} AS DateTime64(6))|subtractHours({time64}, 5)""",
    TUPLE: """({any}, {any})|tuple({any})|if({bool}, {tuple}, {tuple})|{tuple} + ({int}, {int})|arrayFirst(x -> x.1 > 0, arrayZip({ints}, {ints}))
        ({int}, {num}) - ({int}, {num})|greatest({tuple}, {tuple})""",
    OTHER: """JSONExtractKeysAndValues({json}, 'Int16')|JSONExtractKeysAndValuesRaw({json})|JSONExtract({json}, 'Tuple(a Nullable(String), b Array(Float64))')
        JSONExtract({json}, 'Map(String, String)')|JSONExtract({json}, 'a', 'Nullable(Date)')|JSONExtract({json}, 'c', 'Tuple(d Bool)')|{zoned}|[{zoned}, {time}]
        if({bool}, {zoned}, {time})|greatest({zoned}, {time})|{zoned} = {time}|arrayMap(x -> toHour(x), [{zoned}])|toDateTime64({zoned}, 2)|{interval}|-{interval}|toTypeName({interval})|{interval} + {interval}|[{any}]|[{moment}, {moment}]|if({bool}, {moment}, {moment})
        {moment} - {moment}|arrayZip({ints}, {strs})|arraySplit(x -> x > 1, {ints})|map({str}, {any})|map({any}, {int})|{map}|{json}|{tuple}
        transform({str}, {strs}, {ints}, 0)|transform({int}, [1, 2], [{moment}, {moment}], {moment})|NULL|[NULL]|[{int}, NULL]|NULL + {num}
        nullIf({any}, {any})|ifNull({any}, {any})|coalesce(NULL, {any})|toNullable({any})|assumeNotNull({any})|arrayMap(x -> (x, 1), {ints})
        greatest({any}, {any})|least({moment}, {moment})|{any} = {any}|{num} + {any}|{any} IS NULL|[{ints}, {ints}]|[{strs}]|{moment} + {int}
        splitByChar(',', NULL)|arrayElement([{any}], 1)|arraySort([{moment}, {moment}])|indexOf([{any}], {any})
        arrayIntersect([{any}], [{any}])|arrayDistinct([{any}, {any}])|has([{any}], {any})|hasAny([{any}], [{any}])
        CAST({any} AS Int64)|CAST({any} AS Float64)|CAST({any} AS DateTime)|CAST({any} AS Date)|CAST({any} AS Nullable(String))
        CAST({any} AS UInt8)|CAST({any} AS Array(Int32))|CAST({any} AS LowCardinality(String))|CAST({any} AS Bool)|materialize({any})
        arrayReduce('uniq', [{any}, {any}])|arrayReduce('groupArray', [{any}])|arrayReduce('quantile(0.3)', {ints})|identity({any})
        multiIf({bool}, {any}, {any})|if({bool}, {str}, NULL)|if({bool}, NULL, {num})|CASE WHEN {bool} THEN {any} END|{any}
        ignore({any}, {any})|today() > makeDate(2020, 1, 1)|yesterday() > makeDate(2020, 1, 1)|now() > makeDateTime(2020, 1, 1, 0, 0, 0)|now64() > toDateTime64('2020-01-01', 1)|mapFromArrays([{any}], [{any}])|toLowCardinality({any})""",
}
LEAVES["zoned"] = ["toDateTime('2026-03-29 01:30:00', 'UTC')", "toTimezone({stamp}, 'Europe/Berlin')", "toTimezone({time}, 'America/New_York')",
                   "toDateTime('2026-11-01 01:30:00', 'America/New_York')", "toDateTime64('2026-06-15 13:37:42.5', 2, 'Asia/Kathmandu')",
                   "toTimezone({time}, 'Pacific/Auckland')", "toTimezone({time}, 'Asia/Tokyo')"]
# Floats without a computation. Some functions enlarge the differences between the last digits of computed ones.
LEAVES["plain"] = LEAVES[FLOAT]
OTHER_LEAVES = ["NULL", "toBool(1)", "[]", "map()", "true"]
# Numbers of similar size. The variance of large, nearly equal numbers depends on the vector length of the processor.
LEAVES["spread"] = ["delta", "gas", "amount", "toNullable(delta)", "delta * 2", "gas / 7", "if(delta > 0, delta, 5)"]
GROUPS = {
    "text": [STR, STR, FIXED],
    "num": [INT, INT, FLOAT, DECIMAL, WIDE],
    "day": [DATE, DATE, DATE32],
    "stamp": [TIME, TIME, TIME64],
    "moment": [DATE, TIME, DATE32, TIME64],
    "any": [INT, FLOAT, STR, DATE, TIME, BOOL, INTS, STRS, MAP, DECIMAL, WIDE, FIXED, DATE32, TIME64, TUPLE, OTHER],
}


def split(text):
    """Templates of a text. They are separated by line ends and by single bars."""
    return [one.strip() for one in re.split(r"[|\n](?!\|)(?<!\|\|)", text) if one.strip()]


for texts in (TEMPLATES, MORE):
    for kind, text in texts.items():
        texts[kind] = split(text)
TEMPLATES = {kind: TEMPLATES.get(kind, []) + MORE.get(kind, []) for kind in {**TEMPLATES, **MORE}}
LEAVES[OTHER] = OTHER_LEAVES
# For argMin and argMax: ClickHouse may return any of several rows with the same value.
LEAVES["unique"] = ["gas", "tx_hash", "toFloat64(gas)", "toDecimal64(gas, 3)", "toInt256(gas)", "toString(tx_hash)", "[gas]"]
LEAVES["stampText"] = ["'2026-06-15 13:37:42'", "'2026-06-15T13:37:42Z'", "'2026-06-15'", "'1781530662'", "toString(block_time)"]

AGGREGATES = """count()|count({str})|sum({int})|sum({float})|avg({int})|avg({float})|min({str})|max({date})|min({int})|max({float})
    uniqExact({str})|uniq({int})|groupArray({int})|arraySort(groupUniqArray({bool}))|countIf({bool})|sumIf({int}, {bool})|avgIf({float}, {bool})
    argMin({str}, gas)|argMax({int}, gas)|any({str})|anyLast({int})|quantileExact({int})|quantileExact(0.9)({float})|median({int})
    varPop({spread})|stddevSamp({spread})|sumOrNull({int})|minIf({str}, {bool})|groupBitOr({int})|sum({decimal})|max({decimal})
    avgWeighted({int}, {int})|avgWeighted({float}, {int})|avgWeighted({num}, {float})|retention({bool}, {bool}, {bool})
    windowFunnel(86400)(block_time, {bool}, {bool}, {bool})|windowFunnel(3)(block_date, symbol = 'BTC', symbol = 'ETH')
    sequenceMatch('(?1).*(?2)')(block_time, {bool}, {bool})|sequenceMatch('(?1)(?t<=3600)(?2)')(block_time, {bool}, symbol = 'BTC')
    sequenceCount('(?1)(?2)')(block_time, symbol = 'BTC', {bool})|sequenceCount('(?1).(?2).*(?3)')(block_time, {bool}, {bool}, symbol = 'ETH')
    sequenceCount('(?1)(?t>=3600)(?2)')(block_time, symbol = 'BTC', {bool})|finalizeAggregation(sumState({num}))
    finalizeAggregation(quantileState(0.3)({int}))|finalizeAggregation(avgIfState({int}, {bool}))|finalizeAggregation(uniqExactState({any}))
    finalizeAggregation(countState({any}))|finalizeAggregation(groupArrayState({any}))|sumForEach({ints})|maxForEach([{int}, {int}])|avgMap({map})
    minMap({map})|maxMap({map})|groupConcat(',')({any})|uniqExactIf({str}, {bool})|sumDistinct({int})|count(DISTINCT {str})|sumArray({ints})|corr({spread}, {spread})|corrStable({spread}, {spread})
    covarPop({spread}, {spread})|covarPopStable({int}, {int})|covarSamp({spread}, {spread})|covarSampStable({int}, {int})|deltaSum({int})|deltaSum({float})
    entropy({str})|entropy({int}, {str})|groupArrayLast(2)({int})|groupArraySorted(3)({int})|groupBitAnd({int})|groupBitXor({int})
    groupConcat(',')({str})|groupConcat({int})|kurtPop({spread})|kurtSamp({spread})|quantile({int})|quantile(0.9)({num})|quantile(0.1)({moment})
    quantileExactHigh({int})|quantileExactHigh(0.3)({num})|quantileExactInclusive(0.3)({int})|quantileExactLow({int})|quantileExactLow(0.7)({num})
    quantiles(0.1, 0.9)({num})|quantilesExact(0.1, 0.9)({num})|quantilesExact(0.5)({moment})|simpleLinearRegression(gas, delta)|simpleLinearRegression(toNullable(delta), amount)|skewPop({spread})
    skewSamp({spread})|stddevPop({spread})|stddevPopStable({spread})|stddevSampStable({spread})|sumKahan({float})|arraySort(topK(3)({bool}))
    uniqCombined({any})|uniqCombined64({str})|uniqHLL12({bool})|varPopStable({spread})|varSamp({spread})|varSampStable({spread})|quantileExactExclusive(0.3)({int})
    sum({num})|avg({num})|min({any})|max({any})|any({any})|anyLast({any})|argMin({any}, {unique})|argMax({any}, {unique})|uniqExact({any})
    uniq({any}, {any})|count({any})|count(DISTINCT {any})|groupArray({any})|groupArray(3)({any})|length(groupUniqArray({any}))|sumMap({map})
    avgIf({num}, {bool})|anyIf({any}, {bool})|minOrNull({any})|maxOrDefault({any})|sumOrDefault({num})|avgOrNull({num})|sumIfOrNull({int}, {bool})
    sumOrNullIf({int}, {bool})|sumArrayIf({ints}, {bool})|sumArrayOrNull({ints})|avgArray({ints})|uniqArray({strs})|groupArrayArray({strs})
    maxArray({ints})|groupArrayIf({any}, {bool})|argMinIf({str}, {unique}, {bool})|sumDistinctIf({int}, {bool})|groupArrayDistinct({int})
    countIf({str} = 'a' OR {bool})|count({num}) FILTER (WHERE {bool})|quantileExactIf({int}, {bool})|corrIf({spread}, {spread}, {bool})
    first_value({any})|last_value({any})|medianExact({num})|median({num})"""
AGGREGATES = split(AGGREGATES)
WINDOWS = split("""row_number()|rank()|dense_rank()|denseRank()|percent_rank()|percentRank()|cume_dist()|ntile(3)|ntile(7)
    lag({any})|lag({int}, 2)|lag({str}, 1, {str})|lead({any})|lead({int}, 2, {int})|lagInFrame({int})|lagInFrame({any}, 2)
    lagInFrame({int}, 1, {int})|leadInFrame({str})|leadInFrame({any}, 1)|first_value({any})|last_value({any})|nth_value({any}, 2)
    nth_value({int}, 1)""")
