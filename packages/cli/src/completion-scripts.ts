/** The little that a shell needs to ask `agentpty __complete WORDS...` for words. */

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

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
    # What stands before a colon is a word of its own for bash.
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
