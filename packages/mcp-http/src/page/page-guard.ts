/**
 * Who may speak to the page's part of the server: a browser that shows our own page at one of our own addresses.
 *
 * Cookies and names do not tell that on a loopback: a server at another port of this machine gets the first and shares the second. So Host
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
}

/** The origin of our page by the Host that was asked; null for a Host that is none of ours. */
export function originOf(host: string | undefined, { port, names }: PageAddresses): string | null {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]
  if (host === undefined) return null
  if (own.includes(host)) return `http://${host}`
  return names.includes(host) ? `https://${host}` : null
}

/** Null for what anybody may ask who names this server. A query could carry a secret into logs and histories: there is none. */
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
