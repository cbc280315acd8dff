/** What secrets look like. A shape is in the table only if nothing else looks like it. */

import { maskOf } from './secret-values.ts'

export interface SecretShape {
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
