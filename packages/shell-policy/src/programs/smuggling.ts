/** Programs made to run others: by the tables, for every program alike. */

import type { Shell } from '../walk/shell.ts'
import { type Arg, arg, taints } from '../walk/value.ts'
import { judgeInlineCode } from './inline-code.ts'
import { readOptions, valuesOf } from './options.ts'
import { smugglingPatterns, smugglingTable } from './smuggling-table.ts'

export function judgeSmuggling(name: string, args: readonly Arg[], shell: Shell): void {
  const options = Object.hasOwn(smugglingTable, name) ? smugglingTable[name] : undefined
  if (options !== undefined && options !== '')
    for (const command of valuesOf(readOptions(args, { valued: options }), ...options.split(' ')))
      shell.runSmuggled(command)
  for (const option of options?.split(' ') ?? []) {
    const at = option.length > 1 ? args.findIndex(({ text }) => text === `-${option}`) : -1
    const command = at < 0 ? undefined : args[at + 1]
    if (command !== undefined) shell.runSmuggled(command)
  }
  for (const pattern of (Object.hasOwn(smugglingPatterns, name) ? smugglingPatterns[name] : undefined) ?? [])
    for (const { text, taint } of withValues(args)) {
      const found = text.length > 20_000 ? null : pattern.exec(text)
      if (found?.[1] !== undefined) shell.runSmuggled({ text: found[1], taint, isGlob: false })
    }
  if (/^(vim|vi|nvim|ex|view|vimdiff|gvim)$/.test(name)) judgeEditorCommands(args, 'c cmd', shell)
  if (/^emacs(client)?$/.test(name)) judgeLisp(args, shell)
  if (name === 'less' || name === 'more')
    for (const { text } of args) if (/^\+.*[!|]/.test(text)) shell.report('Q2', 'smuggled-exec')
}

/** Returns each word, and each long option together with the word after it. */
function withValues(args: readonly Arg[]): readonly Arg[] {
  return args.flatMap((one, index) => {
    const next = args[index + 1]
    if (next === undefined || !/^--[\w-]+$/.test(one.text)) return [one]
    return [one, { ...next, text: `${one.text}=${next.text}` }]
  })
}

/** `vim -c ':!cmd'`, and whatever of its languages can call a shell. */
function judgeEditorCommands(args: readonly Arg[], valued: string, shell: Shell): void {
  const options = readOptions(args, { valued: `${valued} S u T t i l` })
  for (const path of valuesOf(options, 'S', 'u'))
    if (!/^(NONE|NORC|DEFAULTS)$/.test(path.text)) shell.report('Q2', 'smuggled-exec')
  for (const { text, taint } of valuesOf(options, 'c', 'cmd')) {
    const bang =
      /^[\s:]*(?:(?:silent!?|sil!?)\s*)?(?:%|\d+,?\d*|\.)?\s*(?:r(?:ead)?\s*|w(?:rite)?\s*|terminal\s+|term\s+)?!\s*(.+)$/s.exec(
        text,
      ) ?? /^[\s:]*(?:terminal|term)\s+(.+)$/s.exec(text)
    if (bang?.[1] !== undefined) shell.runSmuggled({ text: bang[1], taint, isGlob: false })
    else if (
      /\b(system|systemlist|job_start|term_start|jobstart|termopen|libcall|delete|writefile|rename)\s*\(|^[\s:]*(py\w*|lua|perl|ruby|tcl|mz\w*|source|so|runtime|set\s+(shell|makeprg|grepprg|equalprg|formatprg|keywordprg))\b/.test(
        text,
      )
    ) {
      shell.report('Q2', 'smuggled-exec')
      judgeInlineCode(text, 'other', shell)
    }
  }
}

function judgeLisp(args: readonly Arg[], shell: Shell): void {
  const options = readOptions(
    args.map((one) =>
      /^-(l|load|eval|script|f|e)$/.test(one.text) ? { ...one, text: `-${one.text}`.replace('---', '--') } : one,
    ),
    { valued: 'l load eval execute script e' },
  )
  for (const path of [...valuesOf(options, 'l', 'load', 'script')]) {
    const resolved = shell.resolve(path.text)
    if (resolved === null || !resolved.startsWith(shell.state.workspace)) shell.report('Q2', 'smuggled-exec')
  }
  for (const { text } of [...valuesOf(options, 'eval', 'execute', 'e')]) {
    if (
      !/shell-command|call-process|start-process|async-shell|process-lines|make-process|\bshell\b|delete-(file|directory)|write-region|load|eval/.test(
        text,
      )
    )
      continue
    shell.report('Q2', 'smuggled-exec')
    judgeInlineCode(text, 'other', shell)
    for (const [, command = ''] of text.matchAll(/"((?:[^"\\]|\\.){1,500})"/g))
      shell.subshell().runCode(arg(command, taints.none))
  }
}
