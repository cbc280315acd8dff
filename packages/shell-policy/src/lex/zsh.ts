/** Rewrites the syntax that zsh has and bash does not, as bash would have it; everything else stays unchanged. */

import type { PolicyState } from '../state/policy-state.ts'

const quoted = String.raw`'[^']*'|"(?:\\.|[^"\\])*"|\\.`

/** Behind a pattern: `*(.)`, `*.log(om[1])`. */
const behindPattern = String.raw`(?<=[*?\]/][^\s'"()$;&|<>{}\x60]{0,200})`

/** Glob qualifiers: only letters that neither change names nor run code. */
const qualifier = String.raw`${behindPattern}\((?:[.@/=%*^,A-Dac-dF-IL-OR-SUWXghm-oprstuwx\d[\]-]|\+\d)+\)`

/** `*.(jpg|png)`: one of some. */
const oneOf = String.raw`(?<=[\w.*?/\]-])\((?=[\w.*?-]*(?:\|[\w.*?-]*)+\))`

/** `$=x`, `${~x}`: a value that is split, or a pattern. */
const split = String.raw`\$\{?[=~^]{1,2}(?=[A-Za-z_])`

/** `${(e)x}`: a value that is run. */
const run = String.raw`\$\{\([A-Za-z]*e[A-Za-z]*\)(?<value>[A-Za-z_]\w*)\}`

/** `>! file`, `>>| file`: even though it is there. */
const clobber = '>>[!|]|>!'

/** `=(cmd)`: a file with its output. */
const outputFile = String.raw`(?<![^\s;&|<>])=\(`

const pieces = new RegExp(
  `(?<quoted>${quoted})|(?<qualifier>${qualifier})|(?<oneOf>${oneOf})|(?<split>${split})|(?<run>${run})|(?<clobber>${clobber})|(?<output>${outputFile})`,
  'gs',
)

/** `for NAME (WORDS) body`, the body in braces, between do and done, or up to the end of its command. */
const shortFor = new RegExp(
  String.raw`(?<quoted>${quoted})|(?<![^\s;&|({])for\s+(?<name>\w+)\s*\((?<words>[^()'"\n]*)\)\s*(?:;?\s*(?<long>do\b)|\{(?<braced>[^{}'"]*)\}|(?<body>[^\s;&|\n{}][^;&|\n{}]*))`,
  'gs',
)

/** Flags of `${(...)x}`, unless all of them are known to evaluate nothing, as `e` and `%` do. */
const evaluates = /\$\{\((?!(?:[@#~\dA-Za-df-z]|([:,./|])[^e%)]{0,9}\1)*\))/

const sourceMax = 20_000 // characters; longer ones are read as bash

export function zshToBash(source: string, { variables }: Pick<PolicyState, 'variables'>): string {
  if (!/[(!$]/.test(source) || source.length > sourceMax) return source
  const text = longFor(source.replace(pieces, (whole, ...rest) => inBash(whole, rest.at(-1))))
  const arrays = new Set([...text.matchAll(/(?<![\w$])([A-Za-z_]\w*)\+?=\(/g)].map(([, name = '']) => name))
  for (const [name, { kind }] of variables) if (kind === 'array') arrays.add(name)
  const program = evaluates.test(source) ? `${text}\neval "$unknown"` : text
  return arrays.size === 0 ? program : withElements(program, arrays)
}

const reference = /\$(?:\{([A-Za-z_]\w*)(?:\[([^\]\s]*)\])?\}|([A-Za-z_]\w*)(?:\[([^\]\s]*)\])?)/g

/** `$list`, `$list[1]`: all of an array, or one of it, counted from one. */
function withElements(source: string, arrays: ReadonlySet<string>): string {
  const within = (text: string, all: string) =>
    text.replace(reference, (whole: string, braced, at, plain, index = at) => {
      const name: string = braced ?? plain
      if (!arrays.has(name)) return whole
      const element = /^-?\d+$/.test(index ?? '') ? Number(index) - (index > 0 ? 1 : 0) : all
      return `\${${name}[${element}]}`
    })
  return source.replace(/('[^']*')|("(?:\\.|[^"\\])*")|(\\.)|([^'"\\]+)/gs, (whole, single, double, escaped) =>
    single !== undefined || escaped !== undefined ? whole : within(whole, double === undefined ? '@' : '*'),
  )
}

type Groups = Readonly<Record<string, string | undefined>>

function inBash(whole: string, groups: Groups): string {
  if (groups['quoted'] !== undefined) return whole
  if (groups['qualifier'] !== undefined) return ''
  if (groups['split'] !== undefined) return whole.replace(/[=~^]/g, '')
  if (groups['run'] !== undefined) return `$(eval echo \\"$${groups['value']}\\")`
  if (groups['clobber'] !== undefined) return whole.startsWith('>>') ? '>>' : '>|'
  return groups['output'] === undefined ? '@(' : '<('
}

function longFor(source: string): string {
  return source.replace(shortFor, (whole, ...rest) => {
    const { quoted, name, words, long, braced, body }: Groups = rest.at(-1)
    if (quoted !== undefined) return whole
    const head = `for ${name} in ${words}; do`
    return long === undefined ? `${head} ${longFor(braced ?? body ?? '')}\ndone` : head
  })
}

/** `*(e:'CODE':)`, `*(+NAME)`: the code that zsh runs for each of the files; null where bash means the same. */
export function codeOfPattern(pattern: string): string | null {
  const found = /^[\w.@/=%*^,-]{0,50}?(?:e\W\s*(?:'([^']*)'|"([^"]*)")\W?|(e[^\w|].*)|\+([A-Za-z_]\w*))$/s.exec(pattern)
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? found?.[4] ?? null
}
