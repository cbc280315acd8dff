# a database server with one table and a user with a password, on a socket of its own
set -e
chown mysql "$DIR"
mariadb-install-db --user=mysql --datadir="$DIR/data" --skip-test-db --auth-root-authentication-method=socket >/dev/null 2>&1
mariadbd --no-defaults --user=mysql --datadir="$DIR/data" --socket="$DIR/sock" --pid-file="$DIR/pid" --skip-networking >/dev/null 2>&1 &
SERVER=$!
trap 'kill $SERVER; wait $SERVER' EXIT
trap 'exit 0' TERM INT
for i in $(seq 100); do mariadb --no-defaults -S "$DIR/sock" -e 'select 1' >/dev/null 2>&1 && break; sleep 0.1; done
mariadb --no-defaults -S "$DIR/sock" -e "create database shop; create table shop.item (id int, name varchar(20)); insert into shop.item select seq, concat('item ', seq) from shop.seq_1_to_300; create user '$BENCH_USER'@localhost identified by 'hunter2'; grant all on shop.* to '$BENCH_USER'@localhost"
echo "set MARIA_SOCK=$DIR/sock"
echo ready
wait $SERVER
