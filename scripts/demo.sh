#!/usr/bin/env bash
# The main job on real data, then two on invented data. Every command is shown before it runs.
set -euo pipefail
cd "$(dirname "$0")/.."
data=src/arpad/data
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

say() { printf '\n%s\n' "$*"; }
run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

say "== Five football leagues, 2013-2017: 6,508 real matches (OpenFootball, public domain)"
run arpad rate $data/football.csv.gz --rules elo --set k=20 --set advantage=65 --format csv -o "$out/football.csv"
run head -n 11 "$out/football.csv"
say "The five leagues never meet: these are five separate scales, and a rating says nothing across them."
run arpad explain $data/football.csv.gz --rules elo --set k=20 --set advantage=65 --player Juventus

say "== A FIDE month: one invented round robin, November 2025"
run arpad rate $data/fide_month.csv --rules fide/standard --start $data/fide_list.csv
run arpad explain $data/fide_month.csv --rules fide/standard --start $data/fide_list.csv --player Marchetti-Lund

say "== An ASIGC card: invented correspondence games, 1993-2002"
run arpad rate $data/asigc_games.csv --rules asigc --acts $data/asigc_acts.csv
run arpad explain $data/asigc_games.csv --rules asigc --acts $data/asigc_acts.csv --player "Ughelini Corrado"
