#!/bin/sh
# Runs a command where lines may destroy files: the disk is read-only, /home, /srv, /run, /tmp and /var/tmp are new and in memory, there is no network
# and no other process, and the user has no rights. Root only starts it; the number of the user belongs to no account.
#
#   bench/gate/sandbox.sh COMMAND...
set -e
user=60123
[ "$(id -u)" = 0 ] && as="setpriv --reuid=$user --regid=$user --clear-groups" || { as=''; user=$(id -u); }
passwd=$(mktemp)
echo "dev:x:$user:$user::/home/dev:/bin/bash" > "$passwd"
exec 9< "$passwd"
rm -f "$passwd"
small='--size 268435456 --tmpfs'
# shellcheck disable=SC2086
exec env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/dev USER=dev LANG=C.UTF-8 TERM=xterm-256color \
  $as prlimit --nproc=400 --fsize=67108864 --core=0 \
  bwrap --ro-bind / / --dev /dev --tmpfs /dev/shm --remount-ro /dev --proc /proc --ro-bind-data 9 /etc/passwd \
  $small /home $small /srv $small /run $small /tmp $small /var/tmp \
  --dir /home/dev --dir /srv/app --dir /run/both --unshare-all --die-with-parent --new-session -- "$@"
