/**
 * PowerShell and cmd, without a parser of theirs: what is known to read is let through, what is known to be dangerous is judged by the
 * same rules as elsewhere, and everything else asks.
 */

import { effectOfReading, effectOfRemoval, effectOfWriting } from './effects.ts'
import { metadataAddress } from './inline-code.ts'
import { normalPath } from './paths.ts'
import type { PolicyState } from './policy-state.ts'
import { actionTable, readers, windowsRoots } from './power-shell-table.ts'
import { nothing, unknownStream } from './value.ts'
import { type Code, type Finding, nothingFound, type Rule, strictest } from './verdict.ts'

export function judgePowerShell(text: string, state: PolicyState): Finding {
  let found = nothingFound
  const report = (code: Code, rule: Rule) => {
    found = strictest(found, { code, rule, resolved: text.slice(0, 300) })
  }
  if (text.length > 100_000) report('Q2', 'limits')
  const plain = text.slice(0, 100_000).replace(/`(?=[A-Za-z])/g, '')
  if (/(\biex\b|invoke-expression|\bicm\b|invoke-command|\.invoke\(|&\s*\(|\bcmd\s+\/c)/i.test(plain)) {
    if (fetches.test(plain)) report('D2', 'remote-code')
    if (/frombase64string|-enc|\[char\]|-join|-replace|\[convert\]|decompress|-bxor|tochararray|reverse/i.test(plain))
      report('D2', 'encoded-payload')
    report('Q2', 'unresolved')
  }
  if (/(^|[;|{]\s*)[&.]\s*[$(]/.test(plain)) report('Q2', 'unresolved')
  if (/\b(powershell|pwsh)(\.exe)?\b[^|;\n]*\s[-/]e(nc?|c|ncodedcommand)?\b/i.test(plain))
    report('D2', 'encoded-payload')
  if (fetches.test(plain) && /\|\s*(iex|invoke-expression|sh|bash|powershell|pwsh|python\d?|node)\b/i.test(plain))
    report('D2', 'remote-code')
  if (/(while\s*\(\s*(\$true|1)\s*\)|for\s*\(\s*;\s*;\s*\))[^}]*(start-process|start-job|\bsaps\b|start )/i.test(plain))
    report('D2', 'fork-bomb')
  if (/%0\s*\|\s*%0/.test(plain)) report('D2', 'fork-bomb')
  if (metadataAddress.test(plain)) report('D1', 'metadata')
  for (const [pattern, code, rule] of actionTable) if (pattern.test(plain)) report(code, rule)
  for (const part of partsOf(plain)) judgePart(part, state, report)
  return found
}

const fetches =
  /\b(iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|start-bitstransfer|downloadstring|downloadfile|downloaddata|net\.webclient|httpclient|bitsadmin|certutil[^|;]*-urlcache)\b/i

/** Simple commands: what stands between separators, outside quotes. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = []
  let [current, quote] = ['', '']
  for (const character of text) {
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === "'" || character === '"') quote = character
    else if (/[;|&{}()\n]/.test(character)) {
      parts.push(current.trim())
      current = ''
      continue
    }
    current += character
  }
  return [...parts, current.trim()].filter((part) => part !== '')
}

export interface PowerShellCommand {
  readonly words: readonly string[]
  readonly resolve: (path: string) => string | null
}

/** What it would run, word by word, as far as that stands there. */
export function powerShellCommands(text: string, state: PolicyState): readonly PowerShellCommand[] {
  const resolve = (path: string) => resolved(path, state)
  return partsOf(text.slice(0, 100_000)).map((part) => ({ words: wordsOf(part), resolve }))
}

function wordsOf(part: string): readonly string[] {
  return (part.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/s, '$2'))
}

type Report = (code: Code, rule: Rule) => void

function judgePart(part: string, state: PolicyState, report: Report): void {
  const words = wordsOf(part)
  const [name = '', ...args] = words
  const command = name.toLowerCase().replace(/\.exe$/, '')
  const paths = args.filter(
    (word, index) =>
      !word.startsWith('-') &&
      !/^-(filter|include|exclude|name|erroraction|method|uri|encoding|argumentlist)$/i.test(args[index - 1] ?? ''),
  )
  const unknown = paths.some((path) => /\$(?!HOME|env:USERPROFILE|env:HOME|PWD|true|false|null)/i.test(path))
  if (/^(remove-item|ri|rm|rmdir|del|erase|rd|clear-content|clc|remove-itemproperty)$/.test(command)) {
    if (paths.length === 0 || unknown) report('Q2', 'deletion')
    for (const path of paths) judgeRemoval(path.split(','), state, report)
  } else if (
    /^(set-content|add-content|out-file|sc|ac|tee-object|new-item|ni|copy-item|cp|cpi|copy|move-item|mv|mi|move|export-\w+|mkdir|md|echo)$/.test(
      command,
    )
  ) {
    if (/^(move-item|mv|mi|move)$/.test(command)) for (const path of paths.slice(0, 1)) judgeMoving(path, state, report)
    const target = /^(copy|cp|move|mv|mi)/.test(command) ? paths.slice(-1) : command === 'echo' ? [] : paths.slice(0, 1)
    for (const path of target) judgeWriting(path, state, report)
    if (/^(copy|cp)/.test(command)) judgeReading(paths[0] ?? '', state, report)
  } else if (readers.test(command)) for (const path of paths) judgeReading(path, state, report)
  else if (!isHarmless(command, part) && !actionTable.some(([pattern]) => pattern.test(part)))
    report('Q2', 'unresolved')
  const redirected = />>?\s*([^\s;|&]+)/.exec(part)?.[1]
  if (redirected !== undefined && !/^(&|\$null)/.test(redirected)) judgeWriting(redirected, state, report)
  if (fetches.test(part)) {
    for (const word of words)
      if (/^[~/\w.$:\\-]+$/.test(word) && isSecret(word, state)) report('D2', 'credential-exfil')
  }
}

/** Words of the language, programs that are the same everywhere, and values. */
function isHarmless(command: string, part: string): boolean {
  if (
    /^(foreach|for|if|else|elseif|while|do|switch|try|catch|finally|return|param|function|in|begin|process|end|%|\?|where-object|foreach-object|where|select-object|select|sort-object|sort|measure-object|measure|group-object|format-table|ft|format-list|fl|out-null|out-host|out-string|convertto-json|convertfrom-json|write-output|write-host|test-path|join-path|split-path|resolve-path|set-location|cd|sl|pushd|popd|pwd|invoke-webrequest|invoke-restmethod|iwr|irm|start-sleep|sleep|compare-object|measure-command|select-string|sls|clear-host|cls|echo|exit|dir|ls|type|where|whoami|hostname|ver|set|title|import-module|expand-archive|compress-archive)$/.test(
      command,
    )
  )
    return true
  if (
    /^(git|npm|pnpm|yarn|node|npx|dotnet|cargo|go|python\d?|py|pip\d?|make|cmake|docker|kubectl|gh|code|msbuild|mvn|gradle|rustc|tsc|jest|vitest|pytest|java|javac|bun|deno|uv|poetry)$/.test(
      command,
    )
  )
    return !/\b(publish|delete|destroy|--force|reset|clean|prune|-c|-e|-m\s+pip.*https?:|push\s+-f|rm)\b/.test(part)
  return /^[\d'"$@[][^(]*$/.test(command) && !/^\$\w+$/.test(part)
    ? true
    : /^\$\w+(\.\w+)*$/.test(part) || /^\$\w+\s*=/.test(part)
}

function resolved(path: string, state: PolicyState): string | null {
  const home = path
    .replace(/^(~|\$HOME|\$env:(USERPROFILE|HOME)|%USERPROFILE%)(?=$|[\\/])/i, state.home)
    .replaceAll('\\', '/')
  if (/[$%]/.test(home)) return null
  return normalPath(home.startsWith('/') ? home : `${state.cwd ?? ''}/${home}`)
}

function judgeRemoval(paths: readonly string[], state: PolicyState, report: Report): void {
  for (const path of paths) {
    if (windowsRoots.test(path)) report('D2', 'root-wipe')
    else if (/^[A-Za-z]:/.test(path)) report('Q2', 'deletion')
    else {
      const effect = effectOfRemoval(resolved(path, state), state)
      if (effect !== null) report(...effect)
    }
  }
}

function judgeMoving(path: string, state: PolicyState, report: Report): void {
  const effect = effectOfRemoval(resolved(path, state), state)
  if (windowsRoots.test(path) || effect?.[0] === 'D2') report('D2', 'root-wipe')
}

function judgeWriting(path: string, state: PolicyState, report: Report): void {
  if (/^\\\\\.\\(physicaldrive|[a-z]:)/i.test(path)) report('D2', 'disk-destruction')
  else if (/\$PROFILE|startup|\\run\\|currentversion/i.test(path)) report('Q2', 'persistence')
  else if (/^[A-Za-z]:\\(windows|program files)/i.test(path)) report('Q2', 'privilege')
  else {
    const effect = effectOfWriting(resolved(path, state), unknownStream(), state)
    if (effect !== null) report(...effect)
  }
}

function judgeReading(path: string, state: PolicyState, report: Report): void {
  const effect = effectOfReading(resolved(path, state))
  if (effect !== null) report(...effect)
}

const isSecret = (path: string, state: PolicyState) =>
  effectOfReading(resolved(path, state)) !== null || /(^|[\\/])\.env(\.|$)/.test(path) || path === nothing.text
