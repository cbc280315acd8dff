/** Arguments by which git discards or rewrites something, by its verb, and settings whose value it runs. Source: git(1), git-config(1). */

import type { Code, Rule } from '../verdict.ts'

/** `isKept`: it takes only files of the working tree away, which a gate keeps. */
interface Row {
  readonly pattern: RegExp
  readonly code: Code
  readonly rule: Rule
  readonly isKept: boolean
}
const discard = (pattern: RegExp): Row => ({ pattern, code: 'Q1', rule: 'destructive-vcs', isKept: false })
const discardFiles = (pattern: RegExp): Row => ({ ...discard(pattern), isKept: true })

export const discards: Readonly<Record<string, readonly Row[]>> = {
  reset: [discardFiles(/(^| )--(hard|merge|keep)\b/)],
  push: [discard(/(^| )(-f|-\w*f\w*|--force\S*|--delete|-d|--mirror|--prune)( |=|$)/)],
  stash: [discard(/^(clear|drop)\b/)],
  'filter-branch': [discard(/(?:)/)],
  'filter-repo': [discard(/(?:)/)],
  'fast-import': [discard(/--force/)],
  branch: [
    discard(/(^| )(-D|-\w*D\w*|-M|-C|-f|--force)( |$)/),
    discard(/(--delete.*--force|--force.*--delete|-d.*-f|-d -r|-dr|-rd)/),
  ],
  checkout: [discardFiles(/(^| )(--|\.|-f|--force|--ours|--theirs)( |$)/), discard(/(^| )-B( |$)/)],
  switch: [discardFiles(/(^| )(-f|--force|--discard-changes)( |$)/), discard(/(^| )-C( |$)/)],
  restore: [discardFiles(/^(?!.*(^| )(--staged|-S)( |$)).*\S/), discardFiles(/--worktree|-W\b/)],
  reflog: [discard(/^(expire|delete)\b/)],
  gc: [discard(/--prune=(now|all)/)],
  prune: [discard(/^(?!.*(-n|--dry-run)).*$/)],
  'update-ref': [discard(/\S/)],
  worktree: [discard(/^(remove|prune)\b.*(-f|--force)/)],
  tag: [discard(/(^| )(-f|--force)( |$)/)],
  replace: [discard(/\S/)],
  submodule: [discardFiles(/^deinit\b.*(-f|--force)/)],
  am: [],
  lfs: [discard(/^(migrate|prune)\b/)],
  remote: [],
  rm: [],
}

/** Lower case, with the section. */
export const commandSettings =
  /^(core\.(pager|editor|sshcommand|askpass|alternaterefscommand|fsmonitor)|sequence\.editor|diff\.external|diff\..*\.(command|textconv)|difftool\..*\.(cmd|path)|mergetool\..*\.(cmd|path)|merge\..*\.driver|filter\..*\.(clean|smudge|process)|credential(\..*)?\.helper|gpg(\..*)?\.program|gpg\.ssh\.defaultkeycommand|pager\..*|uploadpack\.packobjectshook|browser\..*\.(cmd|path)|web\.browser|man\..*\.(cmd|path)|interactive\.difffilter|sendemail\..*(cmd|server)|instaweb\..*|receive\.proc.*|trailer\..*\.(command|cmd)|tar\..*\.command|imap\.tunnel|guitool\..*\.cmd|ssh\.variant|http\.(proxy|cookiefile)|core\.notesref_|lfs\..*(path|args)|remote\..*\.proxy|bash\..*)$/
