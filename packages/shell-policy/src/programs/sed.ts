/** sed can run commands and write files by its script. */

import type { Program, Programs, Shell } from '../walk/shell.ts'
import { type Arg, joined, nothing, unknownMark, unknownStream } from '../walk/value.ts'
import { readOptions, valuesOf } from './options.ts'

const sed: Program = ({ args, stdin }, shell) => {
  const options = readOptions(
    args.filter(({ text }) => !/^-[nErsuz]*i/.test(text) && !text.startsWith('--in-place')),
    { valued: 'e f l expression file line-length' },
  )
  const scripts = valuesOf(options, 'e', 'expression')
  const files =
    valuesOf(options, 'f', 'file').length > 0 || scripts.length > 0 ? options.operands : options.operands.slice(1)
  const isInPlace = args.some(({ text }) => /^-[nErsuz]*i/.test(text) || text.startsWith('--in-place'))
  const given = scripts.length > 0 ? scripts : options.operands.slice(0, 1)
  for (const script of given) judgeSedScript(script, shell)
  if (isInPlace) for (const path of files) editInPlace(path, given, shell)
  const input = files.length > 0 ? joined(files.map((path) => shell.read(path))) : stdin
  return isInPlace ? nothing : { text: unknownMark, taint: input.taint, listed: null }
}

/** A file of the project that a few words were replaced in may be run like one that was not touched. */
function editInPlace(path: Arg, scripts: readonly Arg[], shell: Shell): void {
  const { files } = shell.state
  const resolved = shell.resolve(path.text)
  const isUntouched = resolved !== null && !files.has(resolved)
  shell.write(path, unknownStream())
  if (isUntouched && scripts.length > 0 && scripts.every(({ text }) => replacesWords.test(text))) files.delete(resolved)
}

/** Substitutions whose new text holds no signs of a shell, and deletions of lines. */
const replacesWords =
  /^\s*(?:(?:\d+|\$|\/[^/\\]*\/)?(?:,(?:\d+|\$))?\s*(?:d|s([/|#,])(?:(?!\1)[^\\]|\\.)*\1(?:(?!\1)[\w .:=+'"-])*\1[gpI0-9]*)\s*(?:;\s*|$))+$/

/** `e` runs a command, `w` writes a file; both also at the end of `s///`. */
function judgeSedScript({ text, taint }: Arg, shell: Shell): void {
  const body = text.length > 20_000 ? text.slice(0, 20_000) : text
  for (const line of body
    .split('\n')
    .flatMap((one) => (/^\s*[0-9,$!]*\s*[ew]\s/.test(one) ? [one] : splitCommands(one)))) {
    const command =
      /^\s*(?:\d+|\$|\/(?:[^/\\]|\\.)*\/)?(?:,(?:\d+|\$|\/(?:[^/\\]|\\.)*\/))?\s*!?\s*e(?:\s+(.*))?$/.exec(line)
    if (command !== null) {
      if (command[1] === undefined) shell.report('Q2', 'smuggled-exec')
      else shell.runSmuggled({ text: command[1], taint, isGlob: false })
      continue
    }
    const write = /^\s*(?:\d+|\$|\/(?:[^/\\]|\\.)*\/)?(?:,(?:\d+|\$|\/(?:[^/\\]|\\.)*\/))?\s*!?\s*[wW]\s+(.+)$/.exec(
      line,
    )
    if (write?.[1] !== undefined) shell.write({ text: write[1], taint, isGlob: false }, unknownStream())
    const substitution = /(?:^|[\s;{}0-9$/])s([^\w\s\\])/.exec(line)
    if (substitution !== null)
      judgeSubstitution(line.slice(substitution.index + substitution[0].length), substitution[1] ?? '/', taint, shell)
  }
}

const splitCommands = (line: string) =>
  /[;{}]/.test(line) && !/s[^\w\s].*[;{}].*/.test(line) ? line.split(/[;{}]/) : [line]

function judgeSubstitution(text: string, delimiter: string, taint: number, shell: Shell): void {
  const parts: string[] = ['']
  const append = (more: string) => parts.push(`${parts.pop() ?? ''}${more}`)
  for (let at = 0; at < text.length && parts.length < 3; at++) {
    if (text[at] === '\\') append(text[++at] === delimiter ? delimiter : `\\${text[at] ?? ''}`)
    else if (text[at] === delimiter) parts.push(parts.length === 2 ? text.slice(at + 1) : '')
    else append(text[at] ?? '')
  }
  const [, replacement = '', flags = ''] = parts
  const own = /^[gpiImM0-9]*e[gpiImM0-9e]*/.exec(flags)
  if (own !== null) shell.runSmuggled({ text: replacement.replace(/\\(.)/g, '$1'), taint, isGlob: false })
  const file = /^[gpiImM0-9]*w\s+(\S+)/.exec(flags)
  if (file?.[1] !== undefined) shell.write({ text: file[1], taint, isGlob: false }, unknownStream())
}

export const sedPrograms: Programs = {
  sed,
  gsed: sed,
}
