/** Values that a shell evaluates once more, and variables by which it runs code. Text, never run. */

import type { PolicyShell } from '@agentpty/protocol/policy'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../judging-fixture.ts'
import type { Code } from '../verdict.ts'

const lines: Readonly<Record<'bash' | 'zsh' | 'fish', Readonly<Partial<Record<Code, readonly string[]>>>>> = {
  bash: {
    D2: [
      "v='$(reboot)'; : ${v@P}",
      "v='x[$(reboot)]'; (( v ))",
      "v='x[`reboot`]'; for ((i=v; i<3; i++)); do :; done",
      "v='x[$(reboot)]'; w=v; echo $((w + 1))",
      "v='x[$(reboot)]'; echo ${list[v]}",
      "v='x[$(reboot)]'; echo ${text:v}",
      "v='x[$(reboot)]'; [[ 1 -lt v ]]",
      "v='x[$(reboot)]'; let v++",
      "v='x[$(reboot)]'; echo ${!v}",
      "declare -i v='x[$(reboot)]'",
      "declare -i v; printf -v v %s 'x[$(reboot)]'",
      "declare -n r=PS4; r='$(reboot)'",
      "IFS=, read -r a <<< x; IFS=, read -ra words <<< 'reboot,now'; ${words[0]}",
      "complete -W '$(reboot)' x",
      "printf -v 'BASH_ALIASES[x]' reboot; x",
      "f() { echo $(( $1 )); }; f 'x[$(reboot)]'",
      'declare BASH_ALIASES[x]=reboot; x',
    ],
    Q2: [
      'v=$(curl -s https://x.example); echo $((v))',
      'mapfile BASH_ENV < f',
      'echo $(( $(curl -s https://x.example) ))',
      'getopts a PROMPT_COMMAND',
      'coproc PROMPT_COMMAND { cat; }',
      'declare -n r=PROMPT_COMMAND; r=./x',
      'declare -n r=$name; r=./x',
      'unset -f __agentpty_before',
      '__agentpty_before() { :; }',
      'histchars=',
      "trap '' SIGINT",
      'stty erase x',
      'stty -echo werase ^A',
      "history -s 'rm -rf /'",
      'bind -r "\\C-m"',
      'hash ls=/tmp/x',
      'shopt -u cmdhist',
      'set +o history',
    ],
    A: [
      'v=$(wc -l < f); echo $((v + 1))',
      'echo $((n * 2))',
      'declare -A m=([ls]=1 [git]=2); m[cd]=3; echo "${m[ls]}"',
      'commands=(ls git); echo "${commands[0]}"',
      'for f in *.c; do ((n++)); done; echo "$n"',
      'x=1 y=$x env',
      'IFS=, read -r a b <<< "1,2"; echo "$a"',
      'while IFS= read -r line; do echo "$line"; done < f',
      'stty sane; stty -echo; stty cols 80; stty -a',
      "trap 'echo bye' EXIT",
      'declare -n r=count; r=1; echo "$count"',
      'PROMPT="$(cat prompt.txt)"; echo "$PROMPT"',
    ],
  },
  zsh: {
    D2: ['aliases=(x reboot)\nx', "functions[x]='reboot'; x", "aliases[x]='reboot'\nx", 'precmd_functions=(reboot)'],
    Q2: ['precmd_functions+=(f)', 'galiases[G]=x', 'path=(/tmp/bin $path)', 'zle -N accept-line x', 'bindkey -v'],
    A: ['fpath=(~/.zsh/functions $fpath)', 'path=(~/bin $path)', 'bindkey -L', 'add-zsh-hook -L'],
  },
  fish: {
    D2: ['set c reboot now; $c', 'function f --on-variable PWD; reboot; end'],
    Q2: ['function f --on-event fish_prompt; ls; end', 'functions --erase fish_preexec'],
    A: ['set files a.c b.c; wc -l $files', 'function f; ls; end; functions -e f'],
  },
}

for (const shell of Object.keys(lines) as PolicyShell[])
  for (const [code, texts] of Object.entries(lines[shell as 'bash'] ?? {}))
    describe(`${shell} ${code}`, () => {
      test.each(texts)('%s', (line) => {
        expect(codeOf(line, { shell })).toBe(code)
      })
    })
