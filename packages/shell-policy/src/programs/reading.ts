/** The input of a program: the files that it names, or its standard input. */

import { baseName } from '../places/paths.ts'
import type { Code, Rule } from '../verdict.ts'
import type { Call, Program, Shell } from '../walk/shell.ts'
import { type Arg, joined, nothing, type Stream, taints, unknownStream } from '../walk/value.ts'
import { knownCommands } from './known-commands-table.ts'
import { readOptions } from './options.ts'

export function readOperand(path: Arg, stdin: Stream, shell: Shell): Stream {
  return isStdin(path.text) ? stdin : shell.read(path)
}

export const isStdin = (path: string) => /^(-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(path)

/** All that a filter may read: its operands that are files, or else its input. */
export function inputOf({ args, stdin }: Call, shell: Shell): Stream {
  const { operands } = readOptions(args)
  const files = operands.filter(
    ({ text }) => text.includes('/') || text.includes('.') || shell.state.files.has(shell.resolve(text) ?? ''),
  )
  return joined([stdin, ...files.map((path) => shell.read(path))])
}

// Programs without a rule of their own: they do what they are for.

/** The output may contain what they read. */
export const runPlain: Program = ({ stdin, args }) =>
  unknownStream((stdin.taint | args.reduce((all, { taint }) => all | taint, 0)) & ~taints.setup)

/** Reports the same, whatever its arguments are. */
export const always =
  (code: Code, rule: Rule): Program =>
  (_call, shell) => {
    shell.report(code, rule)
    return nothing
  }

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

const versioned =
  /^(python|pip|ruby|perl|php|node|lua|pypy|tclsh|guile|gcc|g\+\+|clang|java|go|luajit|bash|zsh|dash|ksh|psql|awk|emacs|gpg)-?\d[\d.]*$/

/** Names without folder, version and suffix: most names. */
const bare = /^[a-z]+$/

/** Returns the name without its folder and its version. */
export function programName(text: string): string {
  if (bare.test(text) && text !== 'nodejs') return text
  const name = baseName(text).replace(/\.exe$/i, '')
  const family = versioned.exec(name)?.[1]
  if (family !== undefined) return family
  // The module zsh/files has the same programs under names of its own, and `=rm` is the path of rm to zsh.
  return name === 'nodejs' ? 'node' : name.replace(/^(?:zf_|=)/, '')
}

const names = new Set(knownCommands)

/** Whether a new meaning for this name would change what other lines do. */
export function isExistingCommand(name: string): boolean {
  return names.has(name)
}

/** Pagers, editors and similar programs, which are often set for other programs. */
const wellKnown =
  /^(true|false|cat|:|less|more|most|bat|batcat|delta|diff-so-fancy|vi|vim|nvim|nano|pico|emacs|emacsclient|code|codium|subl|micro|hx|helix|kak|joe|ed|mate|gedit|kate|gcc|g\+\+|clang|clang\+\+|cc|c\+\+|ccache|sccache|ssh|ld|lld|mold|tcc|zig|osxkeychain|store|cache|manager|libsecret|gh|firefox|chromium|google-chrome|xdg-open|open|meld|vimdiff|nvimdiff|gpg|gpg2|ssh-keygen|gzip|pigz|zstd|xz|bzip2|lz4|pbzip2|lzip|brotli|lbzip2|unpigz|zstdmt|pixz)$/

/** Returns whether the text names one of these programs, and nothing else that could run. */
export function isWellKnown(text: string): boolean {
  const words = text.trim().split(/\s+/)
  const [name = '', ...rest] = words
  if (/[;&|<>$`(){}!\0\n]/.test(text)) return false
  if (name === 'ssh' || name.endsWith('/ssh'))
    return !rest.some((word) => /^-(o|F)|ProxyCommand|LocalCommand/i.test(word))
  return wellKnown.test(name.replace(/^\/usr\/(local\/)?bin\//, ''))
}
