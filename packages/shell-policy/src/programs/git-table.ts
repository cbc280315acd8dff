/** Arguments by which git discards or rewrites something, by its verb, and settings whose value it runs. Source: git(1), git-config(1). */

import type { Code, Rule } from '../verdict.ts'

type Row = readonly [pattern: RegExp, code: Code, rule: Rule]
const discard = (pattern: RegExp): Row => [pattern, 'Q1', 'destructive-vcs']

export const discards: Readonly<Record<string, readonly Row[]>> = {
  reset: [discard(/(^| )--(hard|merge|keep)\b/)],
  push: [discard(/(^| )(-f|-\w*f\w*|--force\S*|--delete|-d|--mirror|--prune)( |=|$)/)],
  stash: [discard(/^(clear|drop)\b/)],
  'filter-branch': [discard(/(?:)/)],
  'filter-repo': [discard(/(?:)/)],
  'fast-import': [discard(/--force/)],
  branch: [
    discard(/(^| )(-D|-\w*D\w*|-M|-C|-f|--force)( |$)/),
    discard(/(--delete.*--force|--force.*--delete|-d.*-f|-d -r|-dr|-rd)/),
  ],
  checkout: [discard(/(^| )(--|\.|-f|--force|-B|--ours|--theirs)( |$)/)],
  switch: [discard(/(^| )(-f|--force|--discard-changes|-C)( |$)/)],
  restore: [discard(/^(?!.*(^| )(--staged|-S)( |$)).*\S/), discard(/--worktree|-W\b/)],
  reflog: [discard(/^(expire|delete)\b/)],
  gc: [discard(/--prune=(now|all)/)],
  prune: [discard(/^(?!.*(-n|--dry-run)).*$/)],
  'update-ref': [discard(/\S/)],
  worktree: [discard(/^(remove|prune)\b.*(-f|--force)/)],
  tag: [discard(/(^| )(-f|--force)( |$)/)],
  replace: [discard(/\S/)],
  submodule: [discard(/^deinit\b.*(-f|--force)/)],
  am: [],
  lfs: [discard(/^(migrate|prune)\b/)],
  remote: [],
  rm: [],
}

/** Lower case, with the section. */
export const commandSettings =
  /^(core\.(pager|editor|sshcommand|askpass|alternaterefscommand|fsmonitor)|sequence\.editor|diff\.external|diff\..*\.(command|textconv)|difftool\..*\.(cmd|path)|mergetool\..*\.(cmd|path)|merge\..*\.driver|filter\..*\.(clean|smudge|process)|credential(\..*)?\.helper|gpg(\..*)?\.program|gpg\.ssh\.defaultkeycommand|pager\..*|uploadpack\.packobjectshook|browser\..*\.(cmd|path)|web\.browser|man\..*\.(cmd|path)|interactive\.difffilter|sendemail\..*(cmd|server)|instaweb\..*|receive\.proc.*|trailer\..*\.(command|cmd)|tar\..*\.command|imap\.tunnel|guitool\..*\.cmd|ssh\.variant|http\.(proxy|cookiefile)|core\.notesref_|lfs\..*(path|args)|remote\..*\.proxy|bash\..*)$/
