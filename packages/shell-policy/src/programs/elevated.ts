/** Commands that run with more rights than the person has. */

import { baseName } from '../places/paths.ts'
import type { Code } from '../verdict.ts'
import type { Call, Shell } from '../walk/shell.ts'
import { type Arg, arg, isKnown, isStatic, nothing, type Stream } from '../walk/value.ts'

export const shellNames = /^(ba|z|da|k|a|fi|c|tc|)sh$|^(python|ruby|perl|node|lua|irb|pwsh)[\d.]*$/
/** Programs that open a shell themselves. */
const openers = /^(screen|tmux|byobu|zellij|script|expect|mc|ranger|nnn|su)$/
const transparent = /^(env|nice|ionice|nohup|setsid|stdbuf|time|timeout|chrt|taskset|command|exec|xvfb-run|unbuffer)$/

/** A bounded command is one that a person can approve; what opens a shell is not. */
export function runElevated(words: readonly Arg[], call: Call, shell: Shell): Stream {
  const [first = arg(''), ...rest] = behindWrappers(words)
  reportElevation(words.every((word) => isKnown(word) && (isStatic(word) || !word.isGlob)) ? 'Q1' : 'Q2', shell)
  const name = baseName(first.text)
  const isInteractive = rest.every(({ text }) => /^-[il]*$|^--(login|posix|norc|noprofile)$/.test(text))
  const isTyped = call.readsTerminal || call.stdin === nothing
  if ((shellNames.test(name) && isInteractive && isTyped) || (openers.test(name) && rest.length === 0 && isTyped))
    shell.report('D1', 'root-shell')
  if (/^(vim?|nvim|nano|emacs|less|man|more|ftp|gdb)$/.test(name) && rest.length === 0) shell.report('Q2', 'privilege')
  return shell.run(words, call.stdin)
}

export function reportElevation(code: Code, shell: Shell): void {
  shell.report(code, 'privilege')
  if (shell.state.gate?.canElevate === false) shell.report('D1', 'no-elevation')
}

/** `env A=1 nice -n 5 bash` is a shell. */
function behindWrappers(words: readonly Arg[]): readonly Arg[] {
  let at = 0
  while (transparent.test(baseName(words[at]?.text ?? ''))) {
    at += 1
    while (/^-|^\w+=|^[\d.]+[smhd]?$/.test(words[at]?.text ?? '')) at += 1
  }
  return at < words.length ? words.slice(at) : words
}
