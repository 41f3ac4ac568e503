#!/usr/bin/env bash
# What arpad needs from the system itself: Python 3.11 or later with venv and, for the compiled kernel, a C compiler
# with Python's headers. Prints the path of the Python to use. What is missing is installed where that is
# possible (Debian, as root); otherwise only a missing Python or venv is fatal.
#
#   scripts/system.sh            Python with venv
#   scripts/system.sh compiler   and a C compiler
#   scripts/system.sh database   a PostgreSQL server's programs, for the tests (prints nothing; none is started)
#   scripts/system.sh browser    Chromium, for the tests of pages (prints nothing)
set -euo pipefail

say() { printf '%s\n' "$*" >&2; }

install() {
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        return 1
    fi
    say "installing $*"
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } >&2
}

find_python() {
    local name
    for name in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    return 1
}

has_venv() { "$1" -c 'import ensurepip, venv' 2>/dev/null; }

has_compiler() {
    ${CC:-cc} --version >/dev/null 2>&1 &&
        [ -e "$("$1" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')/Python.h" ]
}

has_database() { compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || command -v postgres >/dev/null; }

has_browser() {
    local name
    for name in ${ARPAD_BROWSER:-chromium chromium-browser google-chrome google-chrome-stable}; do
        command -v "$name" >/dev/null && return
    done
    return 1
}

install_database() {
    install postgresql-common || return 1
    # Debian's package makes a database and starts its server, unless it is told not to.
    if [ ! -d /etc/postgresql ] || [ -z "$(ls /etc/postgresql)" ]; then
        sed -i 's/^#\?create_main_cluster *=.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf
    fi
    install postgresql
}

if [ "${1:-}" = database ]; then
    has_database || { install_database && has_database; } ||
        say "no PostgreSQL server: tests on it are skipped (Debian: apt-get install postgresql)"
    exit 0
fi

if [ "${1:-}" = browser ]; then
    has_browser || { install chromium && has_browser; } ||
        say "no Chromium: tests of pages in a browser are skipped (Debian: apt-get install chromium)"
    exit 0
fi

python=$(find_python) || { install python3 python3-venv && python=$(find_python); } || {
    say "arpad needs Python 3.11 or later: install it, or name it: make PYTHON=/path/to/python3"
    exit 1
}
has_venv "$python" || { install python3-venv && has_venv "$python"; } || {
    say "$python has no venv: install it (Debian: apt-get install python3-venv)"
    exit 1
}
if [ "${1:-}" = compiler ]; then
    has_compiler "$python" || { install gcc libc6-dev python3-dev && has_compiler "$python"; } ||
        say "no C compiler with Python's headers: the kernel will run interpreted, and slowly"
fi
printf '%s\n' "$python"
