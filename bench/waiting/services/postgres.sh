# A PostgreSQL server on a socket in $RUNS/pgs, owned by the bench's user.
set -e
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
mkdir -p "$RUNS/pgs"
run=""
if [ "$(id -u)" = 0 ]; then
  chown "$BENCH_USER:" "$DIR" "$RUNS/pgs"
  run="setpriv --reuid=$BENCH_USER --regid=$BENCH_USER --init-groups"
fi
export LC_ALL=C.UTF-8
$run "$bin/initdb" -D "$DIR/data" -A trust > "$DIR/log" 2>&1
$run "$bin/postgres" -D "$DIR/data" -k "$RUNS/pgs" -c listen_addresses= -c fsync=off >> "$DIR/log" 2>&1 &
server=$!
trap 'kill $server' EXIT TERM
until $run "$bin/pg_isready" -q -h "$RUNS/pgs"; do sleep 0.1; done
echo ready
wait $server
