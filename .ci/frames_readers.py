"""Reads the folders of the example `folders` with public readers, and compares."""

import json
import math
import sys
from pathlib import Path

import duckdb
import polars
import pyarrow
import pyarrow.csv
import pyarrow.dataset
import pyarrow.ipc

data = Path(sys.argv[1])
expected = json.loads(Path(sys.argv[2]).read_text())
failed = False


def check(what, found, wanted):
    global failed
    same = math.isclose(found, wanted) if isinstance(wanted, float) else found == wanted
    failed |= not same
    print(f"{'ok    ' if same else 'DIFFER'} {what}" + ("" if same else f": {found}, not {wanted}"))


def table(what, rows):
    """Rows in the order of the files: the first and the last, their number, a sum."""
    check(f"{what}: rows", len(rows["fill_id"]), expected["rows"])
    check(f"{what}: sum", math.fsum(map(float, rows["price"])), expected["sum_of_prices"])
    check(f"{what}: first", rows["fill_id"][0], expected["first"])
    check(f"{what}: last", rows["fill_id"][-1], expected["last"])


def arrow(kind, suffix):
    files = sorted((data / kind).glob(f"*.{suffix}"))
    return pyarrow.dataset.dataset(files, format=suffix).to_table()


parquet = arrow("Parquet", "parquet")
table("pyarrow, Parquet", parquet.to_pydict())
check("pyarrow: type of a time", str(parquet.schema.field("time_ms").type), "timestamp[ms, tz=UTC]")
first = parquet["time_ms"][0].as_py().timestamp()
check("pyarrow: a time", round(first * 1000), expected["first_ms"])
description = parquet.schema.field("price").metadata
print(f"       pyarrow: metadata of `price` {description}")
table("pyarrow, IPC", arrow("ArrowIpc", "arrow").to_pydict())
table("polars, Parquet", polars.read_parquet(data / "Parquet/*.parquet").to_dict(as_series=False))

duck = duckdb.connect()
duck.sql("SET TimeZone = 'UTC'")
for what, source in [
    ("Parquet", f"read_parquet('{data}/Parquet/*.parquet')"),
    # In a text file, the reader decodes digits as a number unless a column type is set.
    ("CSV", f"read_csv('{data}/Csv/*.csv', types = {{'fill_id': 'VARCHAR'}})"),
    ("NDJSON", f"read_json('{data}/NdJson/*.ndjson')"),
]:
    rows = duck.sql(f"SELECT fill_id, price FROM {source}").fetchall()
    table(f"DuckDB, {what}", {"fill_id": [row[0] for row in rows], "price": [row[1] for row in rows]})
    ms = duck.sql(f"SELECT epoch_ms(max(time_ms)) FROM {source}").fetchall()[0][0]
    check(f"DuckDB, {what}: a time", ms, expected["first_ms"])

hive = f"read_parquet('{data}/by-side/**/*.parquet', hive_partitioning = true)"
buys = duck.sql(f"SELECT count(*) FROM {hive} WHERE side = 'buy'").fetchall()[0][0]
check("DuckDB, by side", buys, expected["buys"])
hive = f"read_parquet('{data}/by-day/**/*.parquet', hive_partitioning = true)"
wrong = f"SELECT count(*), count(*) FILTER (day <> time_ms::DATE) FROM {hive}"
check("DuckDB, by day", duck.sql(wrong).fetchall()[0], (expected["rows"], 0))
sides = pyarrow.dataset.dataset(data / "by-side", partitioning="hive", exclude_invalid_files=True)
buys = sides.to_table(filter=pyarrow.dataset.field("side") == "buy")
check("pyarrow, by side", buys.num_rows, expected["buys"])

statements = f"read_parquet('{data}/statements/*.parquet')"
query = f"SELECT count(*) FROM {statements} WHERE revenue.status IS NOT NULL"
check("DuckDB: structs of figures", duck.sql(query).fetchall()[0][0], expected["statements"])

sys.exit(failed)
