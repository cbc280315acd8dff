# a redis server on a socket of its own
set -e
redis-server --port 0 --unixsocket "$DIR/sock" --unixsocketperm 777 --save '' --dir "$DIR" --logfile "$DIR/log" --daemonize no &
SERVER=$!
trap 'kill $SERVER; wait $SERVER' EXIT
trap 'exit 0' TERM INT
for i in $(seq 100); do [ "$(redis-cli -s "$DIR/sock" ping 2>/dev/null)" = PONG ] && break; sleep 0.1; done
echo "set REDIS_SOCK=$DIR/sock"
echo ready
wait $SERVER
