/**
 * Commands that a development machine usually has: defining one of them anew changes what lines mean.
 * Source: bash(1), fish(1), and the commands of Debian’s packages coreutils, findutils, procps, util-linux and net-tools.
 */

export const knownCommands = `
: . [ alias bg bind break builtin caller cd command compgen complete continue declare dirs disown echo enable eval exec exit export false fc
fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source
suspend test times trap true type typeset ulimit umask unalias unset wait
ls dir vdir cat tac head tail less more wc nl od xxd hexdump strings file stat du df tree find fd locate xargs grep egrep fgrep rg ag ack sed awk gawk
cut sort uniq tr paste join comm diff cmp patch tee split csplit fold fmt column rev expand unexpand shuf seq yes tsort
cp mv rm rmdir mkdir ln touch chmod chown chgrp install dd truncate shred mktemp mkfifo mknod readlink realpath basename dirname sync unlink
tar gzip gunzip zcat bzip2 xz zstd zip unzip 7z cpio ar rsync scp sftp ssh ssh-add ssh-agent ssh-keygen ssh-copy-id
curl wget nc ncat netcat telnet ftp socat ping dig nslookup host ip ifconfig netstat ss nmap tcpdump iptables ufw openssl gpg
ps top htop pgrep pkill killall nice renice nohup timeout time watch sleep date cal uptime free uname hostname whoami id who w last groups users
env printenv sudo su doas pkexec passwd useradd usermod groupadd visudo crontab at batch systemctl service journalctl mount umount lsblk fdisk mkfs
shutdown reboot halt poweroff init sh bash zsh dash fish ksh tmux screen script vi vim nvim nano emacs ed code
git gh glab svn hg make cmake ninja gcc g++ cc clang ld as gdb strace ltrace objdump nm ldd perf valgrind
python python3 pip pip3 pipx uv uvx poetry conda node npm npx pnpm yarn bun deno tsc ruby gem bundle rake rails perl php composer lua java javac mvn gradle
go cargo rustc rustup dotnet swift docker podman docker-compose kubectl helm terraform ansible aws gcloud az psql mysql sqlite3 redis-cli mongosh
jq yq base64 base32 md5sum sha1sum sha256sum bc dc expr man info which whereis whatis apropos clear reset tput stty tty agentpty claude codex
apt apt-get dpkg yum dnf pacman brew snap
fish_prompt fish_right_prompt fish_mode_prompt fish_title fish_greeting fish_command_not_found fish_preexec fish_postexec
`
  .trim()
  .split(/\s+/)
