# an ssh server for $BENCH_USER: with a key, with the password, and a client configuration that knows its host key
set -e
mkdir -p /run/sshd
ssh-keygen -q -t ed25519 -N '' -f "$DIR/host"
ssh-keygen -q -t ed25519 -N '' -f "$DIR/key"
cp "$DIR/key.pub" "$DIR/authorized"
chown "$BENCH_USER" "$DIR/key"
chmod 644 "$DIR/authorized"
PORT=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat > "$DIR/sshd_config" <<END
Port $PORT
ListenAddress 127.0.0.1
HostKey $DIR/host
PidFile $DIR/pid
AuthorizedKeysFile $DIR/authorized
StrictModes no
UsePAM yes
PasswordAuthentication yes
KbdInteractiveAuthentication no
PrintMotd no
PrintLastLog no
Subsystem sftp internal-sftp
END
echo "[127.0.0.1]:$PORT $(cut -d' ' -f1,2 "$DIR/host.pub")" > "$DIR/known"
cat > "$DIR/client" <<END
Host far
  HostName 127.0.0.1
  Port $PORT
  User $BENCH_USER
  UserKnownHostsFile $DIR/known
  StrictHostKeyChecking yes
  IdentityFile $DIR/key
  IdentitiesOnly yes
  LogLevel ERROR
Host farpass
  HostName 127.0.0.1
  Port $PORT
  User $BENCH_USER
  UserKnownHostsFile $DIR/known
  StrictHostKeyChecking yes
  PreferredAuthentications password
  PubkeyAuthentication no
  LogLevel ERROR
Host farnew
  HostName 127.0.0.1
  Port $PORT
  User $BENCH_USER
  UserKnownHostsFile /dev/null
  StrictHostKeyChecking ask
  IdentityFile $DIR/key
  IdentitiesOnly yes
END
chmod 644 "$DIR/client" "$DIR/known"
echo "set SSH_CONF=$DIR/client"
echo "set SSH_PORT=$PORT"
/usr/sbin/sshd -t -f "$DIR/sshd_config"
echo ready
exec /usr/sbin/sshd -D -e -f "$DIR/sshd_config"
