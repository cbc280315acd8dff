import { sequence, stringBegin } from './escapes/printed-text.ts'
import type { Millis } from './units.ts'

/** A secret in a text, by the indexes of the text. */
export interface SecretSpan {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** For its mask: `[masked: GitHub token]`. */
  readonly what: string
}

/** Secrets that are known: nothing that leaves for a model shows them. */
export interface SecretValues {
  /** The values of variables whose names say that they hold one. */
  learn(env: Readonly<Record<string, string | undefined>>): void
  add(value: string): void
  /** How many have been added so far, those that were forgotten included. */
  readonly known: number
  /** The same with all secrets in its strings masked; itself where there are none. */
  masked<Result>(result: Result): Result
  /**
   * Returns the secrets in a text that is a part of a longer one, in order and apart; they may contain escape
   * sequences. Bytes are given as Latin1, one character each.
   */
  find(text: string): readonly SecretSpan[]
  /** From where on the text may still become a secret by what follows it; its length where nothing can. */
  openFrom(text: string): number
}

/** Returns the mask that replaces a secret. */
export const maskOf = (what: string): string => `[masked: ${what}]`

// Masks in the place of secrets that were found.

const sequences = new RegExp(sequence, 'g')
const beginOfString = new RegExp(`^${stringBegin}`)

/** In order, those that overlap as one. Which comes first names it; of two that begin together, the first that is given. */
export function apart(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const joined: SecretSpan[] = []
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1)
    if (last === undefined || span.from >= last.to) joined.push(span)
    else if (span.to > last.to) joined[joined.length - 1] = { ...last, to: span.to }
  }
  return joined
}

/** The spans are apart and in order. */
export function maskSpans(text: string, spans: readonly SecretSpan[]): string {
  let masked = ''
  let at = 0
  for (const { from, to, what } of spans) {
    masked += text.slice(at, from) + maskOf(what) + escapesIn(text.slice(from, to))
    at = to
  }
  return spans.length === 0 ? text : masked + text.slice(at)
}

/** Returns the escape sequences in a secret: its colours also apply to the text after it. Strings are text, and stay hidden. */
export function escapesIn(text: string): string {
  return (text.match(sequences) ?? []).filter((one) => !beginOfString.test(one)).join('')
}

// Every bound of secrets that are masked.

/** Secrets kept to be masked, and how long one may be: shorter ones would mask words that are none. */
export const secretsMax = 128
export const secretCharactersMin = 6
export const secretCharactersMax = 1_024
/** Characters of a list of names of variables in `config.yaml`. */
export const variableNamesCharactersMax = 2_000

/** Bytes at the end of streamed output that are retained because they may become a secret; the longest key with its lines fits. */
export const secretHeldBytesMax = 16 * 1_024
/** Time limit of the same: the rest of a write comes within a few ms. A delay of this length in the echo of a key is not visible. */
export const secretHeldMs: Millis = 50
/** Bytes before a secret that may belong to it, `scheme://user:` at most, with a reserve for colours in it. */
export const secretLeadBytes = 256

// The shapes of secrets. A shape is in the table only if nothing else looks like it.

interface SecretShape {
  readonly what: string
  readonly pattern: RegExp
}

/** The only one of many lines. In a text that is a part of a longer one it would wait for an end that may never come. */
export const keyShape: SecretShape = {
  what: 'private key',
  pattern:
    /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
}

/** In each, what is not in a group named `kept` is the secret, which holds no blanks; `kept` comes first. */
export const wordShapes: readonly SecretShape[] = [
  { what: 'AWS key', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { what: 'AWS secret', pattern: /(?<kept>aws_secret_access_key["'\s:=]{1,6})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/gi },
  { what: 'GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})/g },
  { what: 'GitLab token', pattern: /\bglpat-[\w-]{20,64}/g },
  { what: 'Slack token', pattern: /\bxox[abeoprs]-[\w-]{10,250}/g },
  { what: 'Anthropic key', pattern: /\bsk-ant-[\w-]{20,250}/g },
  { what: 'OpenAI key', pattern: /\bsk-(?:proj-|svcacct-|admin-)?(?=[\w-]*\d)[A-Za-z0-9_-]{20,250}/g },
  { what: 'Google key', pattern: /\bAIza[\w-]{35}(?![\w-])/g },
  { what: 'Google token', pattern: /\bya29\.[\w-]{20,500}/g },
  { what: 'Stripe key', pattern: /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,250}/g },
  { what: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { what: 'PyPI token', pattern: /\bpypi-[\w-]{50,500}/g },
  { what: 'Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{30,100}\b/g },
  { what: 'web token', pattern: /\beyJ[\w-]{10,4000}\.eyJ[\w-]{10,4000}\.[\w-]{10,1000}/g },
  {
    what: 'password',
    pattern: /(?<kept>\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'$]{1,100}:)(?![*$[{<])[^\s@/"'$]{3,200}(?=@[\w.[-])/gi,
  },
]

const beginnings =
  /PRIVATE KEY|AKIA|ASIA|aws_secret|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|sk-|AIza|ya29\.|[sr]k_(?:live|test)_|npm_|pypi-|hf_|eyJ|:\/\/[^\s:@/"'$]{1,100}:/i

/** False for most texts, which hold none and need no further search. */
export const mayHoldShapes = (text: string): boolean => beginnings.test(text)

/** @example maskShapes('token ghp_0123…') // 'token [masked: GitHub token]' */
export function maskShapes(text: string): string {
  if (!mayHoldShapes(text)) return text
  return [keyShape, ...wordShapes].reduce(
    (masked, { what, pattern }) =>
      masked.replace(pattern, (...found) => {
        const groups = found.at(-1)
        const kept = typeof groups === 'object' && groups !== null ? (groups as { kept?: string }).kept : undefined
        return `${kept ?? ''}${maskOf(what)}`
      }),
    text,
  )
}
