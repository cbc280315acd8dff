/**
 * Programs that the profile `restricted` allows because they only read, and the options that exclude them.
 * Source: the manuals of coreutils, util-linux, procps and git.
 */

export const readOnlyPrograms = new Set(
  `ls cat head tail wc grep egrep fgrep zgrep rg ag tree du df stat file realpath readlink basename dirname pwd cd echo printf test [ which type
  command whereis whatis apropos man diff cmp comm join paste sort uniq cut tr nl tac rev column fold expand strings od hexdump xxd base64
  md5sum sha256sum jq yq date uname whoami id groups hostname arch uptime free nproc lscpu lsblk ps pgrep pidof lsof ss netstat top locale
  getent last find sed git`.split(/\s+/),
)

/** Arguments with which the program does more than read. */
export const notReadOnly: Readonly<Record<string, RegExp>> = {
  sort: /^-[a-zA-Z]*[oTS]|^--(o|comp|temp|files0)/,
  tree: /^-[a-zA-Z]*o|^--output|^-R$/,
  rg: /^--(pre|hostname-bin|search-zip)|^-z$/,
  ag: /^--(pager|search-zip)/,
  yq: /^-[a-zA-Z]*[is]|^--(in-?place|split-exp)|\b(env|load|strenv|envsubst|eval)\b/,
  jq: /\b(input_filename|env|\$ENV|\$__prog_args|@sh_)\b/,
  date: /^-[a-zA-Z]*[sf]|^--(set|file)|^\d/,
  hostname: /^[^-]|^-[a-zA-Z]*[FbB]|^--file/,
  man: /^-/,
  file: /^-[a-zA-Z]*[CzZmfS]|^--(compile|uncompress|files-from|magic-file)/,
  find: /^-(exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/,
  xxd: /^-[a-zA-Z]*r|^-revert/,
  base64: /^--output|^-o/,
  top: /^-[a-zA-Z]*[W]/,
  less: /./,
  ss: /^-[a-zA-Z]*[KFD]|^--(kill|filter|diag)/,
  lsof: /^-[a-zA-Z]*D/,
  du: /^--files0-from/,
  wc: /^--files0-from/,
  command: /^(?!-[vV]$)-|^(?!-)/,
  printf: /^-v$/,
  last: /^-f|^--file/,
}

/** Operands that a program reads; one more is written. */
export const operandsMax: Readonly<Record<string, number>> = { uniq: 1, xxd: 1 }

export const readOnlyGit =
  /^(status|log|diff|show|blame|grep|ls-files|cat-file|rev-parse|merge-base|describe|shortlog)$/
export const gitOptionsThatRun =
  /^(--output(=|$)|--ext-diff|--textconv|-O|--open-files-in-pager|--upload-pack|--exec|--no-index_|--filters)/

/** Forms that list, of verbs that can do more. */
export const listingGit: Readonly<Record<string, RegExp>> = {
  branch:
    /^( ?(-a|-r|-v|-vv|-av|-avv|-l|--list|--all|--remotes|--show-current|--merged|--no-merged|--contains|--sort=\S+|--format=.*|--points-at|--column|HEAD|main|master))*$/,
  tag: /^( ?(-l|--list|-n\d*|--sort=\S+|--contains|--points-at|--format=.*|--merged|--no-merged)( [^-]\S*)?)*$/,
  remote: /^(-v|--verbose|show( -n)?( \S+)?|get-url( --all)? \S+|)$/,
  stash: /^(list|show)\b( .*)?$/,
  reflog: /^((show)?( ?(-\d+|-n ?\d+|--all|--date=\S+|--format=.*|HEAD|\w+))*|)$/,
  worktree: /^list( .*)?$/,
  config:
    /^(--global |--local |--system |--show-origin |--show-scope )*(--get(-all|-regexp)? .*|--list|-l|list|get .*)( .*)?$/,
}

/** A toolchain that is asked for its version. */
export const versionWords = /^(--version|-v|-V|version|-version|--version --client|version --client|-vV)$/
