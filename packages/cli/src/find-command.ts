/** Which command a line names: by its first word, or by its first two. */

import type { Usage } from '@agentpty/protocol/agents'
import type { CommandTable } from './command.ts'

interface NamedCommand {
  /** Null when there is none of this name. */
  readonly name: string | null
  /** The words after its name. */
  readonly rest: readonly string[]
}

export function commandIn(words: readonly string[], table: CommandTable): NamedCommand {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ')
    if (words.length >= count && Object.hasOwn(table, name)) return { name, rest: words.slice(count) }
  }
  return { name: null, rest: words }
}

/** Names of two words that have this first one. */
export function familyOf(word: string, table: CommandTable): readonly string[] {
  return Object.keys(table).filter((name) => name.startsWith(`${word} `))
}

// Describes the usage of agents in a few words for people.

/** @example usageText({ input: 48_210, output: 904, cached: 0, costUsd: 0.412, models: [] }) // '48k in, 904 out, $0.41' */
export function usageText({ input, output, costUsd }: Usage): string {
  const tokens = `${shortNumber(input)} in, ${shortNumber(output)} out`
  return costUsd === null ? tokens : `${tokens}, $${costUsd.toFixed(2)}`
}

const units = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** Formats a number in the largest unit that gives at least one: `904`, `4.8k`, `48k`, `1.2M`. */
function shortNumber(number: number): string {
  const unit = units.find(([size]) => number >= size)
  if (unit === undefined) return String(number)
  const [size, name] = unit
  const tenths = Math.floor((number / size) * 10) / 10
  return `${tenths < 10 ? tenths : Math.floor(tenths)}${name}`
}

/** The little that a shell needs to ask `agentpty __complete WORDS...` for words. */
export const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

export function writeCompletion(shell: Shell): string {
  return scripts[shell]
}

const scripts: Readonly<Record<Shell, string>> = {
  bash: `_agentpty() {
  local line cur words
  cur="\${COMP_LINE:0:COMP_POINT}"
  read -ra words <<< "$cur"
  [[ "$cur" == *' ' ]] && words+=('')
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    # The part before a colon is a separate word for bash.
    if [[ "\${words[-1]}" == *:* ]]; then line="\${line#"\${words[-1]%:*}":}"; fi
    COMPREPLY+=("$line")
  done < <(agentpty __complete "\${words[@]:1}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == *: ]] && compopt -o nospace
  return 0
}
complete -o default -F _agentpty agentpty
`,
  zsh: `#compdef agentpty
_agentpty() {
  local -a found
  local line word help
  while IFS= read -r line; do
    word="\${line%%$'\\t'*}" help="\${line#*$'\\t'}"
    found+=("\${word//:/\\\\:}:$help")
  done < <(agentpty __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe -t words agentpty found; else _files; fi
}
compdef _agentpty agentpty
`,
  fish: `function __agentpty_complete
    set -l words (commandline -opc) (commandline -ct)
    agentpty __complete $words[2..] 2>/dev/null
end
complete -c agentpty -f -a '(__agentpty_complete)'
`,
}
