#!/usr/bin/env bash
# `npm run test:given`: runs the tests of store and jobs on Debian's Postgres, if that is installed, instead of the
# embedded one. Creates a temporary cluster and deletes it afterwards. Arguments replace those of `vitest run`.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1 || true)
if [ -z "$bin" ]; then
  echo "Debian's postgresql is not installed: nothing to do."
  exit 0
fi

folder=$(mktemp -d)
as_server() { "$@"; }
if [ "$(id -u)" = 0 ]; then
  chown postgres "$folder"
  as_server() { setpriv --reuid postgres --regid postgres --clear-groups -- "$@"; }
fi
stop() {
  as_server "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap stop EXIT

port=$(node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close(); })")
cd "$folder" # a folder that the server's account can enter
as_server "$bin/initdb" -D "$folder/data" -A trust -U postgres >/dev/null
as_server "$bin/pg_ctl" -D "$folder/data" -l "$folder/log" -w start \
  -o "-p $port -c listen_addresses=127.0.0.1 -k $folder -c max_connections=200" >/dev/null
cd - >/dev/null
echo "Testing on $("$bin/postgres" --version)"
[ $# -gt 0 ] || set -- test/store test/jobs
TEST_DATABASE_URL="postgresql://postgres@127.0.0.1:$port/postgres" npx vitest run "$@"
