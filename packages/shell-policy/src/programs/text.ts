/** Programs whose output is known when their input is, and those that pass on what they read. */

import { type Call, type Program, type Programs, programsNamed, type Shell } from '../walk/shell.ts'
import {
  type Arg,
  hasTaint,
  isKnown,
  joined,
  joinedArgs,
  nothing,
  type Stream,
  taints,
  textStream,
  unknownMark,
  unknownStream,
} from '../walk/value.ts'
import { judgeSending } from './network.ts'
import { hasFlag, readOptions, valuesOf } from './options.ts'
import { placeholderFor } from './placeholders-table.ts'
import { inputOf, readOperand } from './reading.ts'

/** Escapes that spell characters. They hide the text that they spell. */
const spelled = /\\(x[0-9a-f]|0?[0-7]{2,3}|u[0-9a-f]|U[0-9a-f])/i

const echo: Program = ({ args }) => {
  let from = 0
  let interprets = false
  for (; /^-[neE]+$/.test(args[from]?.text ?? ''); from++) if (args[from]?.text.includes('e')) interprets = true
  const words = joinedArgs(args.slice(from))
  const isSpelled = interprets && spelled.test(words.text)
  return textStream(
    `${interprets ? unescaped(words.text) : words.text}\n`,
    words.taint | (isSpelled ? taints.decoded : taints.none),
  )
}

const printf: Program = ({ args }, shell) => {
  const [first, second] = args
  if (first?.text === '-v' && second !== undefined) {
    const output = formatted(args.slice(2))
    shell.assign(second.text, { text: output.text, taint: output.taint, isGlob: false })
    return nothing
  }
  return formatted(args[0]?.text === '--' ? args.slice(1) : args)
}

function formatted([format, ...values]: readonly Arg[]): Stream {
  if (format === undefined) return nothing
  const { taint } = joinedArgs([format, ...values])
  const isSpelled =
    spelled.test(format.text) || (/%b/.test(format.text) && values.some(({ text }) => spelled.test(text)))
  const all = taint | (isSpelled ? taints.decoded : taints.none)
  if (!isKnown(format)) return textStream(unknownMark, all)
  let text = ''
  let next = 0
  do {
    const before = next
    text += format.text.replace(/%%|%[-+ #0]*\d*(\.\d+)?([a-zA-Z])|%\([^)]*\)T/g, (whole, _precision, kind) => {
      if (whole === '%%') return '%'
      const value = values[next++]?.text ?? ''
      if (kind === 'b') return unescaped(value)
      return 'sdiq'.includes(kind) ? value : unknownMark
    })
    if (next === before || text.length > 100_000) break
  } while (next < values.length)
  return textStream(unescaped(text), all)
}

// biome-ignore format: one row
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '', b: '\b', e: '\x1b', f: '\f', v: '\v', '\\': '\\', c: '' }

export function unescaped(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|0?[0-7]{1,3}|.)/gs, (whole, code: string) => {
    // A zero ends a word for `xargs -0`, and marks what is unknown in here.
    if (/^[xu]./.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16)).replace('\0', '\n')
    if (/^\d/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 255).replace('\0', '\n')
    return escapes[code] ?? whole
  })
}

/** All that is read, one after the other; the standard input where nothing is named. */
const cat: Program = ({ args, stdin }, shell) => {
  const { operands } = readOptions(args)
  return operands.length === 0 ? stdin : joined(operands.map((path) => readOperand(path, stdin, shell)))
}

const tee: Program = ({ args, stdin }, shell) => {
  for (const path of readOptions(args).operands) shell.write(path, stdin)
  return stdin
}

/** Passes on a part of its input: the part is unknown, but has the same taint. */
const filter: Program = (call, shell) => {
  const input = inputOf(call, shell)
  const hasInput = input.text !== '' || readOptions(call.args).operands.length > 0
  return { text: hasInput ? unknownMark : '', taint: input.taint, listed: input.listed }
}

const decoder =
  (isDecoding: (call: Call) => boolean): Program =>
  (call, shell) => {
    const input = inputOf(call, shell)
    return unknownStream(input.taint | (isDecoding(call) ? taints.decoded : taints.none))
  }

const decodesWith =
  (...names: readonly string[]) =>
  ({ args }: Call) =>
    hasFlag(readOptions(args), ...names)

const tr: Program = (call) => {
  const { args, stdin } = call
  const options = readOptions(args)
  const isDeletion =
    hasFlag(options, 'd', 'delete') || (hasFlag(options, 's', 'squeeze-repeats') && options.operands.length < 2)
  return unknownStream(stdin.taint | (isDeletion ? taints.none : taints.decoded))
}

const openssl: Program = (call, shell) => {
  const [kind = '', ...rest] = call.args.map(({ text }) => text)
  if (kind === 's_client') {
    judgeSending([], call.stdin, shell)
    return unknownStream(taints.network | call.stdin.taint)
  }
  const isDecoding =
    /^(enc|base64|smime|cms|rsautl|pkeyutl|aes|des|camellia|chacha)/.test(kind) &&
    rest.some((one) => /^-(d|decrypt|A?d)$/.test(one))
  return unknownStream(inputOf(call, shell).taint | (isDecoding ? taints.decoded : taints.none))
}

const seq: Program = ({ args }) => {
  const numbers = readOptions(args, { valued: 's f' }).operands.map(({ text }) => Number(text))
  const [first = 1, second, third] = numbers
  if (numbers.some((one) => !Number.isInteger(one)) || numbers.length === 0)
    return textStream(`${placeholderFor.number}\n`)
  const [from, by, to] =
    third !== undefined ? [first, second ?? 1, third] : second !== undefined ? [first, 1, second] : [1, 1, first]
  const count = by === 0 ? 0 : Math.floor((to - from) / by) + 1
  if (count > 1_000) return textStream(`${placeholderFor.number}\n`)
  return textStream(Array.from({ length: Math.max(0, count) }, (_, index) => `${from + by * index}\n`).join(''))
}

const shortOutput: Program = () => textStream(`${placeholderFor.number}\n`)

export const filterPrograms: ReadonlySet<string> = new Set(
  'sort uniq head tail grep egrep fgrep rg ag ack cut paste nl column fold fmt expand unexpand tac shuf comm join less more bat batcat jq yq strings od hexdump md5sum sha1sum sha256sum sha512sum b2sum cksum colrm ts csvcut'.split(
    ' ',
  ),
)
const decompressors =
  'gunzip zcat bunzip2 bzcat unxz xzcat unzstd zstdcat lz4cat uncompress lzcat unlzma brotli uudecode gzcat zless zmore rev ascii2uni recode uncompress funzip atob rot13 qprint'

/** Programs of text that are known by what they put out, and not by the files that they write. */
export const decodersAndWriters: ReadonlySet<string> = new Set([
  ...decompressors.split(' '),
  ...'iconv dos2unix unix2dos pv sort base64 base32 basenc gpg age gzip bzip2 xz zstd lz4 openssl 7z git perf time'.split(
    ' ',
  ),
])

export const textPrograms: Programs = {
  echo,
  printf,
  print: echo,
  cat,
  tee,
  tr,
  openssl,
  seq,
  yes: ({ args }) => textStream(unknownMark, taints.endless | joinedArgs(args).taint),
  ...Object.fromEntries([...filterPrograms, 'iconv', 'dos2unix', 'unix2dos', 'pv'].map((name) => [name, filter])),
  ...programsNamed(
    decompressors,
    decoder(() => true),
  ),
  ...Object.fromEntries([...placeholderFor.programs].map((name) => [name, shortOutput])),
  wc: filter,
  base64: decoder(decodesWith('d', 'D', 'decode', 'di', 'i')),
  base32: decoder(decodesWith('d', 'D', 'decode')),
  basenc: decoder(decodesWith('d', 'decode')),
  base58: decoder(decodesWith('d', 'decode')),
  xxd: decoder(({ args }) => args.some(({ text }) => /^-(r|revert|.*r.*)$/.test(text))),
  jq: decoder(({ args }) => args.some(({ text }) => /@base(64|32)d/.test(text))),
  gpg: decoder(({ args }) => hasFlag(readOptions(args), 'd', 'decrypt')),
  age: decoder(decodesWith('d', 'decrypt')),
  ...programsNamed('gzip bzip2 xz zstd lz4', decoder(decodesWith('d', 'decompress', 'uncompress'))),
  unzip: decoder(decodesWith('p', 'c')),
  '7z': decoder(({ args }) => args.some(({ text }) => text === '-so')),
  dd: ({ args, stdin }, shell) => {
    const value = (key: string) =>
      args
        .filter(({ text }) => text.startsWith(`${key}=`))
        .map((one) => ({ ...one, text: one.text.slice(key.length + 1) }))
    const input = joined([...(value('if').length > 0 ? [] : [stdin]), ...value('if').map((path) => shell.read(path))])
    for (const path of value('of')) shell.write(path, input)
    return value('of').length > 0 ? nothing : input
  },
  // The environment and the history are private.
  history: ({ args }) =>
    args.length === 0 || /^\d+$/.test(args[0]?.text ?? '') ? unknownStream(taints.secret) : nothing,
  fc: (call, shell) => {
    if (!call.args.some(({ text }) => /^-[a-z]*[ln]/.test(text))) shell.report('Q2', 'unresolved')
    return unknownStream(taints.secret)
  },
  printenv: () => unknownStream(taints.secret),
  pwd: (_call, shell) => textStream(`${shell.state.cwd.value ?? unknownMark}\n`),
  ...programsNamed('whoami logname', (_call, shell) => textStream(`${shell.state.user}\n`)),
  mktemp: ({ args }, shell) => {
    const options = readOptions(args, { valued: 'p tmpdir suffix' })
    const [given] = valuesOf(options, 'p', 'tmpdir')
    const name = options.operands[0]?.text.replace(/X{3,}/, placeholderFor.number) ?? `tmp.${placeholderFor.number}`
    if (options.operands[0] !== undefined) shell.write(options.operands[0], nothing)
    const isInFolder = given !== undefined || options.operands.length === 0 || options.flags.has('t')
    return textStream(isInFolder ? `${given?.text ?? '/tmp'}/${name}\n` : `${name}\n`)
  },
  dirname: ({ args }) => {
    const [path] = args
    if (path === undefined || !isKnown(path)) return unknownStream(path?.taint)
    return textStream(
      `${path.text.includes('/') ? path.text.slice(0, path.text.lastIndexOf('/')) || '/' : '.'}\n`,
      path.taint,
    )
  },
  basename: ({ args }) => {
    const [path] = args
    if (path === undefined || !isKnown(path)) return unknownStream(path?.taint)
    return textStream(`${path.text.replace(/\/+$/, '').split('/').at(-1) ?? ''}\n`, path.taint)
  },
  ...programsNamed('realpath readlink', pathOf),
}

function pathOf({ args }: Call, shell: Shell): Stream {
  const [path] = readOptions(args).operands
  const resolved = path === undefined ? null : shell.resolve(path.text)
  return resolved === null || hasTaint(path ?? nothing, taints.network) ? unknownStream() : textStream(`${resolved}\n`)
}
