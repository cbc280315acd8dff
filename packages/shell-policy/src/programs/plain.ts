/** Programs without a rule of their own: they do what they are for. */

import type { Program } from '../walk/shell.ts'
import { taints, unknownStream } from '../walk/value.ts'

/** What they put out may hold what they read. */
export const runPlain: Program = ({ stdin, args }) =>
  unknownStream((stdin.taint | args.reduce((all, { taint }) => all | taint, 0)) & ~taints.setup)

/** Their arguments are names, messages or other commands; none shows what is in a file. */
export const readsNothing = new Set(
  `ls dir tree stat test [ [[ file du df find fd which type command cd pushd popd realpath readlink dirname basename echo printf print export declare typeset local readonly
  touch mkdir rmdir rm unlink chmod chown chgrp ssh ssh-add ssh-keygen ssh-copy-id ssh-agent ssh-keyscan sftp mosh git docker podman nerdctl kubectl oc helm aws gcloud az terraform tofu ansible ansible-playbook
  sudo doas su runuser pkexec run0 env nice nohup timeout time exec eval sh bash zsh dash ksh fish ash busybox xargs parallel watch script strace ltrace setsid stdbuf flock systemd-run unshare setarch xvfb-run
  make tmux screen npm npx pnpm yarn bunx bun node python ruby perl php lua deno trap alias agentpty set for read curl wget gh psql mysql kill shred truncate trash scp rsync git-crypt wc md5sum cksum sha256sum sha1sum
  inotifywait gcc cargo go realpath basename ssh-import-id keychain vagrant wsl adb pdsh grep egrep fgrep rg ag ack zgrep tee cat string`.split(
    /\s+/,
  ),
)
