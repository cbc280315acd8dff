# A loopback server; see helpers/auth_server.py.
set -e
python3 "$H/auth_server.py" "$DIR/port" &
server=$!
trap 'kill $server' EXIT TERM
while [ ! -s "$DIR/port" ]; do sleep 0.05; done
echo "set AUTH=$(cat "$DIR/port")"
echo ready
wait $server
