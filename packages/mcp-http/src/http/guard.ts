/**
 * Access to HTTP: for a process of this machine that knows the token. A web page has none, whatever name points at this machine: Host and
 * Origin are checked before anything else.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export interface Refusal {
  readonly status: 401 | 403
  readonly code: 'unauthorized' | 'forbidden'
  readonly message: string
  readonly hint: string
}

const ownNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Null when the request comes from this machine and from no foreign page. */
export function refuseForeign({ host, origin }: IncomingHttpHeaders): Refusal | null {
  if (!isOwn(`http://${host ?? ''}`))
    return forbidden(
      `Host "${host ?? ''}" is not this machine.`,
      'Use http://127.0.0.1 and the port of: agentpty status',
    )
  if (origin !== undefined && !isOwn(origin))
    return forbidden(
      `Origin "${origin}" may not speak to this server.`,
      'Only pages of this machine may: http://127.0.0.1',
    )
  return null
}

/**
 * Whether a form was sent from our own page: another server of this machine is another origin. Browsers send the origin
 * with every form; a client that sends none is not a browser.
 */
export function isFromOwnPage({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  const isSameSite = site === undefined || site === 'same-origin'
  return isSameSite && (origin === undefined ? site === undefined : origin === `http://${host}`)
}

/** Places of the token in a request: most clients use a header of their choice, some only the one of their system. */
export type TokenPlace = 'bearer' | 'basic' | 'x-api-key'

/** Null when the request brings the token. */
export function refuseStranger(
  headers: IncomingHttpHeaders,
  token: string,
  places: readonly TokenPlace[],
): Refusal | null {
  const given = tokenIn(headers, places)
  if (given !== null && isSame(given, token)) return null
  return {
    status: 401,
    code: 'unauthorized',
    message: given === null ? 'No token.' : 'The token is wrong.',
    hint:
      'Send the header "Authorization: Bearer TOKEN"; print the token with: agentpty token. ' +
      'In a client’s file add to the entry with this url: "headers": {"Authorization": "Bearer TOKEN"} ' +
      '(in TOML: http_headers = {"Authorization" = "Bearer TOKEN"}), or let agentpty write it: agentpty init --http',
  }
}

export function tokenIn(headers: IncomingHttpHeaders, places: readonly TokenPlace[]): string | null {
  for (const place of places) {
    const given = inPlace[place](headers)
    if (given !== null) return given
  }
  return null
}

const inPlace: Readonly<Record<TokenPlace, (headers: IncomingHttpHeaders) => string | null>> = {
  bearer: ({ authorization = '' }) => /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null,
  // The password of `http://any:TOKEN@127.0.0.1`, for clients that take an address and nothing else.
  basic: ({ authorization = '' }) => {
    const [, given = ''] = /^Basic +(\S+)$/i.exec(authorization) ?? []
    const [, password = ''] = /^[^:]*:(.+)$/s.exec(Buffer.from(given, 'base64').toString()) ?? []
    return password === '' ? null : password
  },
  'x-api-key': ({ 'x-api-key': given }) => (typeof given === 'string' && given !== '' ? given : null),
}

function isOwn(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { pathname, username, hostname } = new URL(url)
  return pathname === '/' && username === '' && ownNames.includes(hostname)
}

/** Takes as long for a wrong token as for the right one. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}

function forbidden(message: string, hint: string): Refusal {
  return { status: 403, code: 'forbidden', message, hint }
}
