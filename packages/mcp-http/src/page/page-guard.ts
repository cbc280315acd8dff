/**
 * Access to the page's part of the server: for a browser that shows our own page at one of our own addresses.
 *
 * Cookies and names do not prove that on a loopback: a server at another port of this machine gets the first and shares the second. So Host
 * must be one of a list, Origin the same address, and a browser must not say that the request comes from elsewhere.
 */

import type { IncomingHttpHeaders } from 'node:http'

export interface PageRefusal {
  readonly status: 400 | 403 | 415 | 421
  readonly message: string
  readonly hint: string
}

export interface PageAddresses {
  readonly port: number
  /** Names under which a proxy shows the page over HTTPS. */
  readonly names: readonly string[]
  /** Origins under which editors forward the page, each named by a person's editor when it opened the page. */
  readonly origins: readonly string[]
}

/** The origin of our page by the Host that was asked; null for a Host that is none of ours. */
export function originOf(host: string | undefined, { port, names, origins }: PageAddresses): string | null {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]
  if (host === undefined) return null
  if (own.includes(host)) return `http://${host}`
  if (names.includes(host)) return `https://${host}`
  return origins.find((origin) => new URL(origin).host === host) ?? null
}

/** Null for requests that any client may send to this server. A query could carry a secret into logs and histories: there is none. */
export function refuseAddress(headers: IncomingHttpHeaders, url: string, addresses: PageAddresses): PageRefusal | null {
  if (originOf(headers.host, addresses) === null)
    return {
      status: 421,
      message: `Host "${headers.host ?? ''}" is not an address of this page.`,
      hint: 'Run: agentpty open. Names of a proxy are set by httpNames in config.yaml.',
    }
  if (!url.includes('?')) return null
  return { status: 400, message: 'Addresses of this page have no query.', hint: 'Run: agentpty open' }
}

/** Null for a request that our own page has sent. Browsers do not say with every WebSocket where it comes from, but always its Origin. */
export function refuseElsewhere(
  { host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  addresses: PageAddresses,
  kind: 'post' | 'upgrade',
): PageRefusal | null {
  const isOwnSite = site === 'same-origin' || (site === undefined && kind === 'upgrade')
  if (origin !== undefined && origin === originOf(host, addresses) && isOwnSite) return null
  return {
    status: 403,
    message: `This was sent from ${origin === undefined ? 'somewhere that it does not say' : `"${origin}"`}, not from the page.`,
    hint: 'Run: agentpty open',
  }
}

/** Forms of other pages can send anything but this. */
export function refuseContent({ 'content-type': type = '' }: IncomingHttpHeaders): PageRefusal | null {
  if (/^application\/json(?:\s*;|$)/i.test(type)) return null
  return { status: 415, message: `"${type}" is not JSON.`, hint: 'Send application/json.' }
}

// Headers of every response of the page. They forbid requests elsewhere, frames, guesses at types, a referrer, and code from strings.

/** `origin`: of the page; null in responses to others. `nonce`: for the style elements that the terminal makes; null for what is no document. */
export function pageHeaders(origin: string | null, nonce: string | null): Readonly<Record<string, string>> {
  return {
    'content-security-policy': origin === null ? nothing : policy(origin, nonce),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}

/** The one policy of the page: packages/web/src/session/worker-address.ts. */
const workerPolicy = 'agentpty-worker'

const nothing = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function policy(origin: string, nonce: string | null): string {
  // Not every browser takes a WebSocket of the same origin for 'self'.
  const socket = origin.replace(/^http/, 'ws')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    `connect-src 'self' ${socket}`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "manifest-src 'self'",
    `style-src-elem 'self'${nonce === null ? '' : ` 'nonce-${nonce}'`}`,
    // The terminal sets the colours of single cells by attributes.
    "style-src-attr 'unsafe-inline'",
    "require-trusted-types-for 'script'",
    // For the addresses of our own workers, and nothing else.
    `trusted-types ${workerPolicy}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
