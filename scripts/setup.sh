# Sourced by the other scripts: `setup NAME` installs the packages of scripts/lock/NAME.txt into
# .venv and sets $python. Needs Python 3.11 or newer with pip; uses the network only when the lock
# has changed. All output goes to stderr, so that piped output stays clean.

root=$(cd "$(dirname "$0")/.." && pwd)
venv=$root/.venv
python=$venv/bin/python

host_python() {
    for candidate in "${PYTHON:-}" python3 python3.11 python3.12 python3.13 python3.14 python; do
        [ -n "$candidate" ] || continue
        if "$candidate" -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "omaha-table needs Python 3.11 or newer with pip; set PYTHON to one." >&2
    return 1
}

setup() {
    lock=$root/scripts/lock/$1.txt
    stamp=$venv/.ready-$1
    export PYTHONPATH="$root:$root/drivers${PYTHONPATH:+:$PYTHONPATH}"
    if [ -x "$python" ] && cmp -s "$lock" "$stamp"; then
        return
    fi
    host=$(host_python) || exit 1
    echo "omaha-table: setting up .venv (once; needs the network)" >&2
    if ! "$python" -c '' 2>/dev/null; then
        "$host" -m venv --clear --without-pip "$venv" || exit 1
    fi
    total=$(grep -c '==' "$lock")
    log=$venv/setup-$1.log
    (
        "$host" -m pip --python "$python" install --require-hashes \
            --disable-pip-version-check --no-input --progress-bar off -r "$lock" 2>&1
        echo "status $?"
    ) | tee "$log" | awk -v total="$total" '
        /^(Collecting|Processing|Requirement already satisfied)/ {
            if (++n > total) n = total
            printf "  %d of %d packages\r", n, total; fflush()
        }
        /^Installing collected/ { printf "  installing %d packages … \r", n; fflush() }
        END { print "" }' >&2
    if [ "$(tail -n 1 "$log")" != "status 0" ]; then
        grep -v '^status' "$log" | tail -n 15 >&2
        echo "omaha-table: set-up failed; see .venv/setup-$1.log" >&2
        exit 1
    fi
    cp "$lock" "$stamp"
}
