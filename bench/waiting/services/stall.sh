# A loopback server; see helpers/stall_server.py.
set -e
python3 "$H/stall_server.py" "$DIR/port" &
server=$!
trap 'kill $server' EXIT TERM
while [ ! -s "$DIR/port" ]; do sleep 0.05; done
echo "set STALL=$(cat "$DIR/port")"
echo ready
wait $server
