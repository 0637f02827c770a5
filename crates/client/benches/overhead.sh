#!/usr/bin/env bash
# Instructions of a call, and of decoding a page of 10,000 rows, through the client and by hand.
# Needs valgrind. Two runs of different length are subtracted, so that start-up does not count.
set -euo pipefail
cd "$(dirname "$0")/../../.."
binary=$(cargo bench -p crypto-intel --bench overhead --no-run 2>&1 | sed -n 's/.*(\(.*overhead-[0-9a-f]*\)).*/\1/p')
port_file=$(mktemp)
"$binary" serve >"$port_file" &
server=$!
trap 'kill $server; rm -f "$port_file"' EXIT
until [ -s "$port_file" ]; do :; done
port=$(cat "$port_file")
count() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$binary" "$@" 2>&1 | sed -n 's/.*Collected : //p'; }
per() { # per MODE LONG SHORT [PORT]
  local long short
  long=$(count "$1" ${4:+"$4"} "$2"); short=$(count "$1" ${4:+"$4"} "$3")
  echo $(((long - short) / ($2 - $3)))
}
report() { awk -v what="$1" -v hand="$2" -v ours="$3" 'BEGIN { printf "%-34s by hand %12d   client %12d   ratio %.3f\nratio\t%s\t%d\tby hand\t%d\tinstructions\n", what, hand, ours, ours / hand, what, ours, hand }'; }
report "a call" "$(per bare 600 100 "$port")" "$(per client 600 100 "$port")"
report "decoding 10,000 rows" "$(per decode-bare 3 1)" "$(per decode-record 3 1)"
