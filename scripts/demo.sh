#!/usr/bin/env bash
# The main job on real data, then two more on invented data, then a whole office. Every command is shown before it runs.
set -euo pipefail
cd "$(dirname "$0")/.."
data=src/arpad/data
football="--rules elo:football"

title() { printf '\n\n== %s\n' "$*"; }
run() {
    printf '\n$ %s\n' "$1"
    bash -c "set -o pipefail; $1"
}

title "Five football leagues, 2013-2017: 6,508 real matches (OpenFootball, public domain)"
run "arpad rate $data/football.csv.gz $football --top 20"
printf '\nNo team of one league ever met a team of another: these are five scales, not one.\n'
run "arpad explain $data/football.csv.gz --quiet $football --player Juventus --last 1"

title "A FIDE month: an invented round robin of November 2025"
run "arpad rate $data/fide_month.csv --quiet --rules fide/standard --start $data/fide_list.csv"
run "arpad explain $data/fide_month.csv --quiet --rules fide/standard --start $data/fide_list.csv --player Marchetti-Lund"

title "An ASIGC card: invented correspondence games, 1993-2002"
run "arpad rate $data/asigc_games.csv --quiet --rules asigc --acts $data/asigc_acts.csv"
run "arpad explain $data/asigc_games.csv --quiet --rules asigc --acts $data/asigc_acts.csv --player 'Ughelini Corrado'"

title "An office: an invented chess league through a year, and the football leagues"
office=build/demo.db
mkdir -p build
rm -f "$office" "$office-wal" "$office-shm"
run "python scripts/demo_office.py $office"
run "arpad publish --office $office --date 2025-11-01 --show --quiet | head -n 6"
printf '\nIt is in %s. Open it in a browser:\n\n    .venv/bin/arpad serve %s\n' "$office" "$office"
printf '\nWho wants to sign in needs an account, which is made by:\n\n    .venv/bin/arpad account add anna --role admin --office %s\n' "$office"
