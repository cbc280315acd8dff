/** tmux and screen: commands for new terminals, and keys for those that are there. */

import { type Program, type Programs, programsNamed, type Shell } from '../walk/shell.ts'
import { type Arg, joinedArgs, nothing, type Stream, unknownStream } from '../walk/value.ts'
import { hasFlag, readOptions, valuesOf } from './options.ts'

const tmux: Program = ({ args }, shell) => {
  const own = readOptions(args, { valued: 'L S f T c', stopsAtOperand: true })
  const [verb, ...rest] = own.operands
  for (const code of valuesOf(own, 'c')) shell.subshell().runCode(code)
  for (const path of valuesOf(own, 'f')) if (path.text !== '/dev/null') shell.report('Q2', 'smuggled-exec')
  if (verb === undefined) return nothing
  const options = readOptions(rest, {
    valued: 't s n c e x y F b h p l',
    stopsAtOperand: verb.text !== 'send-keys' && verb.text !== 'send',
  })
  if (/^(send-keys|send)$/.test(verb.text)) return runKeys(options.operands, shell)
  if (
    /^(new-session|new|new-window|neww|split-window|splitw|respawn-pane|respawnp|respawn-window|respawnw|run-shell|run|if-shell|if|pipe-pane|pipep|display-popup|popup|confirm-before|set-hook|bind-key|bind)$/.test(
      verb.text,
    )
  ) {
    if (/^(set-hook|bind-key|bind)$/.test(verb.text)) shell.report('Q2', 'shadowing')
    for (const word of /^(if|if-shell)$/.test(verb.text) ? options.operands : []) shell.subshell().runCode(word)
    if (options.operands.length > 0) shell.subshell().runCode(joinedArgs(options.operands))
  }
  if (/^(kill-server)$/.test(verb.text)) shell.report('Q1', 'power-state')
  return unknownStream()
}

/** Keys by name, and text. */
function runKeys(words: readonly Arg[], shell: Shell): Stream {
  const keyNames: Readonly<Record<string, string>> = {
    Enter: '\n',
    'C-m': '\n',
    'C-j': '\n',
    KPEnter: '\n',
    Space: ' ',
    Tab: '\t',
  }
  const text = words
    .map(
      (word) =>
        (Object.hasOwn(keyNames, word.text) ? keyNames[word.text] : undefined) ??
        (/^(C-.|M-.|Escape|Up|Down|Left|Right|BSpace|Home|End)$/.test(word.text) ? '' : word.text),
    )
    .join('')
  shell.subshell().runCode({ ...joinedArgs(words), text })
  return nothing
}

const screen: Program = ({ args, stdin }, shell) => {
  const options = readOptions(args, { valued: 'S t X p c e h s T r x R L', stopsAtOperand: true })
  const at = args.findIndex(({ text }) => text === '-X')
  if (at >= 0) {
    const [verb, ...rest] = args.slice(at + 1)
    if (verb?.text === 'stuff')
      shell.subshell().runCode({
        ...joinedArgs(rest),
        text: joinedArgs(rest).text.replaceAll('^M', '\n').replaceAll('\\n', '\n').replaceAll('\\r', '\n'),
      })
    else if (verb?.text === 'exec' || verb?.text === 'screen') shell.run(rest, stdin)
    return nothing
  }
  for (const path of valuesOf(options, 'c')) if (path.text !== '/dev/null') shell.report('Q2', 'smuggled-exec')
  return options.operands.length === 0 || hasFlag(options, 'ls', 'list') ? nothing : shell.run(options.operands, stdin)
}

export const multiplexers: Programs = {
  ...programsNamed('tmux byobu byobu-tmux', tmux),
  ...programsNamed('screen byobu-screen', screen),
}
