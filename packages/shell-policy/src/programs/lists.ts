/** Programs that list files, and those that run a command for each line they read. */

import { type Program, type Programs, programsNamed, type Shell } from '../walk/shell.ts'
import {
  type Arg,
  arg,
  globArg,
  hasTaint,
  isKnown,
  isStatic,
  joined,
  joinedArgs,
  listing,
  nothing,
  type Stream,
  taints,
  unknownMark,
  unknownStream,
} from '../walk/value.ts'
import { readOptions, valuesOf } from './options.ts'
import { inputOf, isStdin } from './reading.ts'

/** A file name that a program found: the name itself is unknown. */
const foundName = 'found*'

const ls: Program = ({ args }) => {
  const { operands } = readOptions(args, { valued: 'I w T ignore hide width' })
  // For a folder it lists names without the folder: any name.
  return listing(operands.length > 0 && operands.every(({ isGlob }) => isGlob) ? operands : [globArg('*')])
}

const actions = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const tests =
  /^-(name|iname|path|ipath|wholename|regex|iregex|mtime|mmin|ctime|cmin|atime|amin|newer.*|size|user|group|perm|inum|lname|empty|nouser|nogroup|links|samefile|uid|gid)$/
const takesNothing =
  /^-(print|print0|ls|delete|prune|quit|empty|depth|d|xdev|mount|follow|daystart|nouser|nogroup|o|or|a|and|not|true|false|readable|writable|executable|noleaf|L|H|P)$|^[!(),]$/

const find: Program = ({ args, stdin }, shell) => {
  const from = args.findIndex(({ text }) => /^-(?![HLP]$)|^[!(]$/.test(text))
  const roots = (from < 0 ? args : args.slice(0, from)).filter(({ text }) => !/^-[HLPDO]/.test(text))
  const expression = from < 0 ? [] : args.slice(from)
  const places = roots.length > 0 ? roots : [arg('.')]
  const isRestricted = isNarrowed(expression)
  const found = places.map((root) => (isRestricted ? belowRoot(root, shell) : root))
  const secret = expression.some(
    ({ text }, index) =>
      /^-i?name$/.test(text) &&
      /^(id_(rsa|dsa|ecdsa|ed25519)|credentials|\.netrc|\*\.pem|\*\.key|\.git-credentials|\.npmrc|\.pypirc)/.test(
        expression[index + 1]?.text ?? '',
      ),
  )
  for (let index = 0; index < expression.length; index++) {
    const { text } = expression[index] ?? arg('')
    if (text === '-delete') for (const path of found) shell.remove(path)
    else if (/^-f(print0?|ls)$/.test(text)) shell.write(expression[++index] ?? arg(unknownMark), unknownStream())
    else if (text === '-fprintf') {
      shell.write(expression[index + 1] ?? arg(unknownMark), unknownStream())
      index += 2
    } else if (actions.has(text)) {
      const end = endOfAction(expression, index + 1)
      runFor(expression.slice(index + 1, end), found, { stdin, isSecret: secret }, shell)
      index = end
    } else if (!takesNothing.test(text)) index++
  }
  const output = listing(found)
  return secret ? { ...output, taint: taints.none } : output
}

/** A test that leaves most files out. */
function isNarrowed(expression: readonly Arg[]): boolean {
  return expression.some(
    ({ text }, index) =>
      tests.test(text) &&
      !/^\*?$/.test(/^-(i?name|i?path|wholename)$/.test(text) ? (expression[index + 1]?.text ?? '') : text),
  )
}

/** Something below a root; a root that must not be searched for deletion stays itself. */
function belowRoot(root: Arg, shell: Shell): Arg {
  const path = shell.resolve(root.text)
  if (path === null) return root
  const { workspace } = shell.state
  const isInside = path === workspace || path.startsWith(`${workspace}/`) || path === '/tmp' || path.startsWith('/tmp/')
  return isInside ? { ...globArg(`${path}/${foundName}`), taint: root.taint } : { ...root, text: path }
}

function endOfAction(expression: readonly Arg[], from: number): number {
  for (let index = from; index < expression.length; index++) {
    const { text } = expression[index] ?? arg('')
    if (text === ';' || (text === '+' && expression[index - 1]?.text === '{}')) return index
  }
  return expression.length
}

interface Each {
  readonly stdin: Stream
  readonly isSecret?: boolean
}

/** Runs a command once for each path, with `{}` filled in. */
function runFor(command: readonly Arg[], paths: readonly Arg[], { stdin, isSecret }: Each, shell: Shell): void {
  if (command.length === 0) return
  for (const path of paths)
    shell.run(
      command.map((word) => filledIn(word, path, '{}')),
      stdin,
    )
  if (
    isSecret &&
    /^(cat|less|more|head|tail|cp|base64|xxd|strings|tar|scp|curl|sed|awk|nc)$/.test(command[0]?.text ?? '')
  )
    shell.report('Q2', 'credential-read')
}

function filledIn(word: Arg, value: Arg, placeholder: string): Arg {
  if (!word.text.includes(placeholder)) return word
  return {
    text: word.text.replaceAll(placeholder, value.text),
    taint: word.taint | value.taint,
    isGlob: word.isGlob || value.isGlob,
  }
}

const fd: Program = ({ args, stdin }, shell) => {
  const at = args.findIndex(({ text }) => /^(-[xX]|--exec(-batch)?)$/.test(text))
  const own = at < 0 ? args : args.slice(0, at)
  const command = at < 0 ? [] : args.slice(at + 1)
  const semicolon = command.findIndex(({ text }) => text === ';')
  const after = semicolon < 0 ? [] : command.slice(semicolon + 1)
  const options = readOptions([...own, ...after], {
    valued: 'e extension t type d max-depth E exclude S size o owner c color j threads base-directory search-path',
  })
  const roots = options.operands.slice(1)
  const isAny =
    /^(\.\*?|\^|)$/.test(options.operands[0]?.text ?? '') && !options.flags.has('e') && !options.flags.has('extension')
  const places = roots.length > 0 ? roots : [arg('.')]
  const found = places.map((root) => (isAny ? root : belowRoot(root, shell)))
  const words = semicolon < 0 ? command : command.slice(0, semicolon)
  if (words.length > 0) {
    const isFilled = words.some(({ text }) => text.includes('{'))
    runFor(isFilled ? words : [...words, arg('{}')], found, { stdin }, shell)
  }
  return listing(found)
}

const xargsOptions =
  'a arg-file d delimiter E I L max-lines n max-args P max-procs s max-chars replace i l e process-slot-var'

const xargs: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: xargsOptions, stopsAtOperand: true })
  const [file] = valuesOf(options, 'a', 'arg-file')
  const given = file === undefined || isStdin(file.text) ? call.stdin : shell.read(file)
  // Where nothing is given, the words are typed.
  const input = given === nothing ? unknownStream() : given
  const command = options.operands.length > 0 ? options.operands : [arg('echo')]
  const placeholder =
    valuesOf(options, 'I', 'replace')[0]?.text ?? (options.flags.has('i') || options.flags.has('replace') ? '{}' : null)
  if (hasTaint(input, taints.endless) && valuesOf(options, 'P', 'max-procs')[0]?.text === '0')
    shell.report('D2', 'fork-bomb')
  const output = runWithItems(command, itemsOf(input), placeholder, shell)
  return { ...output, taint: output.taint | input.taint }
}

/** Returns the words that a program is given, as far as they are known. */
function itemsOf(input: Stream): readonly Arg[] {
  if (input.listed !== null) return input.listed.map((path) => ({ ...path, taint: path.taint | input.taint }))
  if (!isKnown(input)) return [{ text: unknownMark, taint: input.taint, isGlob: false }]
  const words = input.text
    .split(/[\s\0]+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))
  return words.slice(0, 1_000).map((text) => ({ text, taint: input.taint, isGlob: false }))
}

function runWithItems(
  command: readonly Arg[],
  items: readonly Arg[],
  placeholder: string | null,
  shell: Shell,
): Stream {
  if (command.some((word) => !isStatic(word) && word.text === unknownMark)) shell.report('Q2', 'unresolved')
  if (placeholder === null) return shell.run([...command, ...items], nothing)
  const line = { ...joinedArgs(items), isGlob: false }
  const values = items.length > 1 ? [...items.slice(0, 50), line] : items
  return joined(
    values.map((item) =>
      shell.run(
        command.map((word) => filledIn(word, item, placeholder)),
        nothing,
      ),
    ),
  )
}

const parallel: Program = ({ args, stdin }, shell) => {
  const at = args.findIndex(({ text }) => /^:::\+?$|^::::\+?$/.test(text))
  const own = at < 0 ? args : args.slice(0, at)
  const options = readOptions(own, {
    valued:
      'j jobs a arg-file I S sshlogin joblog results colsep C N n max-args delay timeout retries tagstring wd halt load tmpdir P d L',
    stopsAtOperand: true,
  })
  const given =
    at < 0
      ? itemLines(stdin)
      : args[at]?.text.startsWith('::::')
        ? [arg(unknownMark)]
        : args.slice(at + 1).filter(({ text }) => !text.startsWith(':::'))
  const items = [...given, ...valuesOf(options, 'a', 'arg-file').map(() => arg(unknownMark))]
  const command = joinedArgs(options.operands)
  for (const item of items.slice(0, 200)) {
    const text = options.operands.length === 0 ? item : filledInParallel(command, item)
    // An item is quoted before a shell sees it, so what is unknown of it is a word.
    if (options.operands.length === 0 || isKnown(text)) shell.subshell().runCode(text)
    else
      shell.run(
        options.operands
          .flatMap((word) => [filledIn(word, item, '{}')])
          .concat(command.text.includes('{}') ? [] : [item]),
        nothing,
      )
  }
  return unknownStream(joined([stdin]).taint)
}

function itemLines(stdin: Stream): readonly Arg[] {
  if (stdin.listed !== null || !isKnown(stdin)) return itemsOf(stdin)
  return stdin.text
    .split('\n')
    .filter((line) => line !== '')
    .map((text) => ({ text, taint: stdin.taint, isGlob: false }))
}

function filledInParallel(command: Arg, item: Arg): Arg {
  if (/\{[.#%/]*\}/.test(command.text))
    return { ...command, text: command.text.replace(/\{[./]*\}/g, () => item.text), taint: command.taint | item.taint }
  return { ...command, text: `${command.text} ${item.text}`, taint: command.taint | item.taint }
}

/** `grep -l` lists files below its operands. */
const matching: Program = (call, shell) => {
  const { args } = call
  const lists = args.some(({ text }) => /^-[a-zA-Z]*[lL]/.test(text) || /^--files/.test(text))
  const options = readOptions(args, {
    valued:
      'e f A B C m d D g t T glob type max-count include exclude exclude-dir color regexp file context after-context before-context iglob max-depth j threads pre pre-glob sort sortr',
  })
  const own = options.flags.has('e') || options.flags.has('f') || options.flags.has('files') ? 0 : 1
  const files = options.operands.slice(own)
  if (lists) return listing((files.length > 0 ? files : [arg('.')]).map((root) => belowRoot(root, shell)))
  const read = files.filter(({ text }) => text !== '-').map((path) => shell.read(path))
  const input = files.length > 0 ? joined(read) : inputOf({ ...call, args: [] }, shell)
  return {
    text: input.text === '' ? '' : unknownMark,
    taint: (input.taint & ~taints.allProcesses) | ownProcessIn(args),
    listed: input.listed,
  }
}

const ownProcessIn = (args: readonly Arg[]) =>
  args.some(({ text }) => /agentpty/.test(text)) ? taints.ownProcess : taints.none

export const listPrograms: Programs = {
  ...programsNamed('ls dir', ls),
  ...programsNamed('find gfind', find),
  ...programsNamed('fd fdfind', fd),
  ...programsNamed('xargs gxargs', xargs),
  parallel,
  ...programsNamed('grep egrep fgrep zgrep rg ag ack', matching),
  locate: () => unknownStream(),
}
