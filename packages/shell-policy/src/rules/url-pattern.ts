/**
 * Patterns of addresses: a host (`example.com`, `*.example.com`, `example.com:8080`), an address (`https://example.com/api`, which is all
 * below it), or an expression between slashes. Where one forbids, a host is those below it as well.
 */

import { dotProblem, portProblem } from '@agentpty/protocol/sandbox'
import { type Address, parseAddress, textOfAddress } from './address.ts'
import { expressionText, type Reach } from './command-pattern.ts'
import { compileExpression, type Expression, type Work } from './expression.ts'
import { type Fit, fitsWildcard } from './wildcard.ts'

export type UrlPattern =
  | { readonly kind: 'expression'; readonly expression: Expression }
  | {
      readonly kind: 'address'
      /** Null: any. */
      readonly scheme: string | null
      readonly host: string
      readonly port: string | null
      readonly path: string
    }

export function parseUrlPattern(text: string): UrlPattern | { readonly problem: string } {
  const found = expressionText.exec(text.trim())
  if (found !== null) {
    const expression = compileExpression(found[1] ?? '', { flags: `i${(found[2] ?? '').replace('i', '')}` })
    return 'problem' in expression ? expression : { kind: 'expression', expression }
  }
  const parts = /^(?:([a-z*][a-z0-9+.-]*):\/\/)?([^/:\s@]+|\[[0-9a-f:]+\])(?::(\d+|\*))?(\/\S*)?$/i.exec(text.trim())
  if (parts === null)
    return { problem: 'no host and no address; for example: example.com, *.example.com, https://example.com/api' }
  const [, scheme, host = '', port, path] = parts
  const problem = hostProblem(host) ?? (port === undefined || port === '*' ? null : portProblem(port))
  if (problem !== null) return { problem }
  // Normalized like the hosts of addresses: small letters, and numbers in one form.
  const plain = host.includes('*') ? null : parseAddress(host)
  return {
    kind: 'address',
    scheme: scheme === undefined || scheme === '*' ? null : scheme.toLowerCase(),
    host: plain?.host ?? host.toLowerCase(),
    port: port === undefined || port === '*' ? null : port,
    path: path ?? '',
  }
}

/** Returns why the host can be part of no address. */
function hostProblem(host: string): string | null {
  // Names are compared as programs ask for them, which cannot be made of one with a star in it.
  if (host.includes('*') && /[^\0-\x7f]/.test(host))
    return 'a star beside letters of other alphabets; write those as xn--…, as a browser shows them'
  return dotProblem(host.replace(/\.$/, ''))
}

/** Null when that takes too much work. */
export function fitsAddress(pattern: UrlPattern, address: Address, reach: Reach, work: Work): Fit | null {
  if (pattern.kind === 'expression') {
    const isMatch = pattern.expression.test(textOfAddress(address), work)
    return isMatch === null ? null : isMatch ? 'yes' : 'no'
  }
  if (!fitsHost(address.host, pattern.host, reach)) return 'no'
  if (pattern.scheme !== null && !fitsNamed(address.scheme, pattern.scheme, reach)) return 'no'
  if (pattern.port !== null && !fitsNamed(address.port, pattern.port, reach)) return 'no'
  return fitsPathOf(address.path, pattern.path, reach) ? 'yes' : 'no'
}

function fitsHost(host: string, pattern: string, reach: Reach): boolean {
  return fitsWildcard(host, pattern) || (reach === 'wide' && host.endsWith(`.${pattern}`))
}

/** An open part of an address may be the forbidden one, and need not be the allowed one. */
function fitsNamed(named: string | null, wanted: string, reach: Reach): boolean {
  return named === null ? reach === 'wide' : named === wanted
}

function fitsPathOf(path: string, pattern: string, reach: Reach): boolean {
  if (pattern === '' || pattern === '/') return true
  if (path === '') return reach === 'wide'
  const folder = pattern.replace(/\/$/, '')
  return fitsWildcard(path, folder) || fitsWildcard(path, `${folder}/*`) || fitsWildcard(path, `${folder}?*`)
}
