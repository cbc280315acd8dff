/** Interpreters of other languages: code on the line is judged, a file named in full is just a file. */

import { baseName } from '../places/paths.ts'
import { type Call, type Program, type Programs, programsNamed, type Shell } from '../walk/shell.ts'
import {
  type Arg,
  arg,
  hasTaint,
  isStatic,
  joined,
  nothing,
  type Stream,
  taints,
  unknownMark,
  unknownStream,
} from '../walk/value.ts'
import { sourced } from './builtins.ts'
import { judgeInlineCode, type Language, outputTaint } from './inline-code.ts'
import { hasFlag, type Options, readOptions, valuesOf } from './options.ts'
import { isStdin } from './reading.ts'

interface Interpreter {
  readonly language: Language
  /** Options that take a value. */
  readonly valued: string
  /** Options whose value is code. */
  readonly code: readonly string[]
  /** Options whose value is a file or module that is loaded first. */
  readonly loads?: readonly string[]
  /** Options that name the program in another way: `-m MODULE`. */
  readonly program?: readonly string[]
  /** Words before the script: `deno run`. */
  readonly words?: RegExp
}

const interpreterTable: Readonly<Record<string, Interpreter>> = {
  python: { language: 'python', valued: 'c m W X Q', code: ['c'], program: ['m'] },
  pypy: { language: 'python', valued: 'c m W X', code: ['c'], program: ['m'] },
  ipython: { language: 'python', valued: 'c m', code: ['c'], program: ['m'] },
  node: {
    language: 'node',
    valued:
      'e p r C eval print require import loader experimental-loader env-file conditions input-type max-old-space-size test-name-pattern',
    code: ['e', 'p', 'eval', 'print', 'pe'],
    loads: ['r', 'require', 'import', 'loader', 'experimental-loader'],
  },
  tsx: { language: 'node', valued: 'e p eval print tsconfig', code: ['e', 'p', 'eval', 'print'], words: /^watch$/ },
  'ts-node': { language: 'node', valued: 'e p eval print P project r require', code: ['e', 'p', 'eval', 'print'] },
  bun: {
    language: 'node',
    valued: 'e p eval print r preload',
    code: ['e', 'p', 'eval', 'print'],
    loads: ['r', 'preload'],
    words: /^run$/,
  },
  deno: { language: 'node', valued: 'c config import-map', code: [], words: /^(run|eval|serve)$/ },
  perl: { language: 'perl', valued: 'e E I M m F x i', code: ['e', 'E'] },
  ruby: { language: 'ruby', valued: 'e I r C E K', code: ['e'] },
  php: { language: 'php', valued: 'r f d B R F E S t c z', code: ['r', 'R', 'B', 'E'] },
  lua: { language: 'lua', valued: 'e l', code: ['e'] },
  luajit: { language: 'lua', valued: 'e l', code: ['e'] },
  Rscript: { language: 'other', valued: 'e', code: ['e'] },
  julia: { language: 'other', valued: 'e E L', code: ['e', 'E'] },
  elixir: { language: 'other', valued: 'e eval r pr', code: ['e', 'eval'] },
  erl: { language: 'other', valued: 'eval', code: ['eval'] },
  ghc: { language: 'other', valued: 'e', code: ['e'] },
  groovy: { language: 'other', valued: 'e', code: ['e'] },
  scala: { language: 'other', valued: 'e', code: ['e'] },
  jbang: { language: 'other', valued: 'c code deps', code: ['c', 'code'] },
  octave: { language: 'other', valued: 'eval', code: ['eval'] },
  jshell: { language: 'other', valued: 's', code: [] },
  tclsh: { language: 'other', valued: '', code: [] },
  guile: { language: 'other', valued: 'c l', code: ['c'] },
  osascript: { language: 'other', valued: 'e l', code: ['e'] },
}

const interpret: Program = (call, shell) => {
  const kind = interpreterTable[call.name]
  if (kind === undefined) return unknownStream()
  const isClustered = /^(perl|ruby)$/.test(call.name)
  const args = isClustered ? unclustered(call.args) : call.args.map(withTwoDashes(kind.valued))
  const options = readOptions(args, { valued: kind.valued, stopsAtOperand: true })
  for (const file of valuesOf(options, ...(kind.loads ?? []))) judgeLoaded(file, call, shell)
  const code = valuesOf(options, ...kind.code)
  if (code.length > 0) return runOwnCode(code, kind, call, options, shell)
  if (kind.program?.some((name) => options.flags.has(name))) return runModule(call, options, shell)
  const isAlone = options.flags.has('v') && options.operands.length === 0
  if (isAlone || hasFlag(options, 'version', 'help', 'check') || options.flags.has('V')) return unknownStream()
  const words = kind.words?.test(options.operands[0]?.text ?? '') ? options.operands.slice(1) : options.operands
  if (call.name === 'deno' && options.operands[0]?.text === 'eval')
    return runOwnCode(words.slice(0, 1), kind, call, options, shell)
  const { operands } =
    kind.words === undefined ? { operands: words } : readOptions(words, { valued: kind.valued, stopsAtOperand: true })
  const [script] = operands
  if (script === undefined || isStdin(script.text))
    return script === undefined && kind.words !== undefined && words !== options.operands
      ? nothing
      : runStdin(call, kind.language, shell)
  // Our own program by its file: `node …/agentpty.js approvals`.
  if (/^agentptyd?(\.m?js)?$/.test(baseName(script.text)))
    return shell.run([arg('agentpty'), ...args.slice(args.indexOf(script) + 1)], call.stdin)
  return runScript(script, kind.language, call, shell)
}

/** `erl -eval`: a long option behind one dash. */
const withTwoDashes =
  (valued: string) =>
  (one: Arg): Arg =>
    one.text.length > 3 && ` ${valued} `.includes(` ${one.text.slice(1)} `) ? { ...one, text: `-${one.text}` } : one

/** `perl -pi -e`, `perl -lane`, `ruby -rx -e`: the letters before the code take none. */
function unclustered(args: readonly Arg[]): readonly Arg[] {
  return args.flatMap((one) => {
    const found = /^-([0-9a-zA-Z.]*?)([eE])$/.exec(one.text)
    if (found === null || found[1] === '' || /[IMmrF]/.test(found[1] ?? ''))
      return [/^-[0lnpaiwsStTuUW]*i\S*$/.test(one.text) ? { ...one, text: '-p' } : one]
    return [{ ...one, text: `-${found[2]}` }]
  })
}

function runOwnCode(
  code: readonly Arg[],
  { language }: Interpreter,
  call: Call,
  options: Options,
  shell: Shell,
): Stream {
  let taint = call.stdin.taint & ~taints.setup
  for (const one of code) {
    runOwnCommands(call.name, one.text, shell)
    judgeCodeArg(one, language, shell)
    taint |= outputTaint(one.text)
  }
  // In place: `perl -pi -e … FILE`.
  if (call.args.some(({ text }) => /^-[0lnpawsE]*i/.test(text)) && /^(perl|ruby)$/.test(language))
    for (const path of options.operands) shell.write(path, unknownStream())
  if (
    /exec\s*\(?\s*(sys\.stdin|input)|eval\s*\(?\s*(<STDIN>|STDIN|\$stdin|gets|ARGF|<>)|exec\(open\(0\)|eval\(\s*(await\s+)?.*stdin|\bsh\b.*stdin/.test(
      code.map(({ text }) => text).join('\n'),
    ) &&
    !call.readsTerminal
  ) {
    if (hasTaint(call.stdin, taints.network)) shell.report('D2', 'remote-code')
    else shell.report('Q2', 'unresolved')
  }
  const files = options.operands.map((path) => shell.state.files.get(shell.resolve(path.text) ?? '') ?? nothing)
  return { ...unknownStream(taint), taint: taint | joined(files).taint }
}

/** Commands that are text in other languages: AppleScript, Tcl. */
const ownCommands: Readonly<Record<string, RegExp>> = {
  osascript: /do shell script\s+"((?:[^"\\]|\\.)*)"/g,
  tclsh: /(?:^|[\n;[{])\s*exec\s+([^\n;\]}]+)/g,
  expect: /(?:^|[\n;[{])\s*(?:exec|spawn|system)\s+([^\n;\]}]+)/g,
  wish: /(?:^|[\n;[{])\s*exec\s+([^\n;\]}]+)/g,
}

function runOwnCommands(name: string, text: string, shell: Shell): void {
  for (const [, command = ''] of text.slice(0, 20_000).matchAll(ownCommands[name] ?? /(?!)/g))
    shell.subshell().runCode(arg(command.replaceAll('\\"', '"')))
}

function judgeCodeArg(code: Arg, language: Language, shell: Shell): void {
  if (code.text.includes(unknownMark)) {
    if (hasTaint(code, taints.network)) shell.report('D2', 'remote-code')
    else if (hasTaint(code, taints.decoded)) shell.report('D2', 'encoded-payload')
    else shell.report('Q2', 'unresolved')
  }
  judgeInlineCode(code.text, language, shell)
}

function runModule({ stdin }: Call, options: Options, shell: Shell): Stream {
  const [module] = valuesOf(options, 'm')
  // Its words are statements.
  if (module?.text === 'timeit') for (const code of options.operands) judgeCodeArg(code, 'python', shell)
  const isDecoder = /^(base64|quopri|uu|zlib|gzip|bz2|lzma|codecs)$/.test(module?.text ?? '')
  return unknownStream(stdin.taint | (isDecoder ? taints.decoded : taints.none))
}

function runStdin({ name, stdin, readsTerminal }: Call, language: Language, shell: Shell): Stream {
  if (readsTerminal || stdin === nothing) return nothing
  if (hasTaint(stdin, taints.network)) shell.report('D2', 'remote-code')
  else if (hasTaint(stdin, taints.decoded)) shell.report('D2', 'encoded-payload')
  else if (stdin.text === unknownMark) shell.report('Q2', 'unresolved')
  runOwnCommands(name, stdin.text, shell)
  judgeInlineCode(stdin.text, language, shell)
  return unknownStream(stdin.taint)
}

function runScript(script: Arg, language: Language, call: Call, shell: Shell): Stream {
  if (/^(https?|data|blob|npm|jsr):/.test(script.text)) {
    if (/^(npm|jsr):/.test(script.text)) shell.report('Q1', 'foreign-package')
    else shell.report('D2', 'remote-code')
    return unknownStream()
  }
  if (!isStatic(script) && script.taint === taints.none && !script.isGlob) {
    shell.report('Q2', 'unresolved')
    return unknownStream()
  }
  const content = sourced(script, call.stdin, shell)
  if (content === null || script.isGlob) return unknownStream(call.stdin.taint)
  return runStdin({ ...call, stdin: content, readsTerminal: false }, language, shell)
}

/** Something is loaded before the program: inside the workspace it is the program’s own. */
function judgeLoaded(file: Arg, call: Call, shell: Shell): void {
  const isModule = /^[@\w][\w@./-]*$/.test(file.text) && !file.text.startsWith('/')
  if (!isModule || !isStatic(file) || file.text.startsWith('.')) shell.report('Q2', 'smuggled-exec')
  if (/^(https?|data):/.test(file.text)) shell.report('D2', 'remote-code')
  const content = sourced(file, call.stdin, shell)
  if (content !== null) judgeCodeArg({ ...content, isGlob: false }, 'node', shell)
}

const awk: Program = (call, shell) => {
  const options = readOptions(call.args, {
    valued: 'f F v e i l E file field-separator assign source include load exec',
    stopsAtOperand: true,
  })
  for (const file of valuesOf(options, 'f', 'file', 'E', 'exec')) runScript(file, 'awk', call, shell)
  for (const _library of valuesOf(options, 'l', 'load')) shell.report('Q2', 'smuggled-exec')
  const own = valuesOf(options, 'e', 'source')
  const hasFile = hasFlag(options, 'f', 'file', 'E', 'exec') || own.length > 0
  const [program] = options.operands
  const code = [...own, ...(hasFile || program === undefined ? [] : [program])]
  for (const one of code) judgeAwk(one, shell)
  const files = hasFile ? options.operands : options.operands.slice(1)
  if (valuesOf(options, 'i').some(({ text }) => text === 'inplace'))
    for (const path of files) shell.write(path, unknownStream())
  const read = files.filter(({ text }) => !/^\w+=/.test(text)).map((path) => shell.read(path))
  const input = read.length > 0 ? joined(read) : call.stdin
  // A pattern leaves most lines out.
  const kept = code.some(({ text }) => text.includes('/')) ? input.taint & ~taints.allProcesses : input.taint
  return unknownStream(kept | (code.some(({ text }) => /%c/.test(text)) ? taints.decoded : taints.none))
}

function judgeAwk(code: Arg, shell: Shell): void {
  judgeCodeArg(code, 'awk', shell)
  for (const [, path] of code.text.matchAll(
    /\bprintf?\b[^;{}\n>"]{0,200}(?:"(?:[^"\\]|\\.){0,200}"[^;{}\n>"]{0,100}){0,5}>>?\s*"([^"\n]{0,200})"/g,
  ))
    if (path !== undefined) shell.write({ ...code, text: path }, unknownStream())
  if (/\bprintf?\b[^;{}\n>"]{0,200}>>?\s*[a-zA-Z$(]/.test(code.text.replace(/"(?:[^"\\]|\\.)*"/g, '""')))
    shell.report('Q2', 'outside-write')
}

export const interpreters: Programs = {
  ...Object.fromEntries(Object.keys(interpreterTable).map((name) => [name, interpret])),
  ...programsNamed('awk gawk mawk nawk goawk', awk),
}
