/** The page's paths: its document, its files, and signing in. Nothing here is behind a key but what a socket shows afterwards. */

import { randomBytes } from 'node:crypto'
import { isTermError, TermError } from '@agentpty/protocol'
import { type Devices, signInPath } from '@agentpty/protocol/page'
import { parseObject } from '@agentpty/protocol/wire'
import { Hono } from 'hono'
import { deviceName } from './device-name.ts'
import { formFor, type PageFiles } from './page-files.ts'
import { pageHeaders } from './page-headers.ts'

export interface PageAppOptions {
  readonly files: () => PageFiles
  readonly devices: Devices
}

/** What the route knows of a request and has checked. */
export interface Checked {
  readonly Bindings: { readonly origin: string }
}

const yearSeconds = 365 * 86_400

export function pageApp({ files, devices }: PageAppOptions): Hono<Checked> {
  const app = new Hono<Checked>()
  app.get('/', ({ env, body }) => {
    const nonce = randomBytes(16).toString('base64url')
    return body(files().document.replaceAll('{{nonce}}', nonce), 200, {
      ...pageHeaders(env.origin, nonce),
      'content-type': 'text/html; charset=utf-8',
      // It holds nothing of anybody, and browsers keep for their back button no page that may not be stored.
      'cache-control': 'private, no-cache',
    })
  })
  app.get('/assets/:name', ({ env, req, body, notFound }) => {
    const file = files().assets.get(req.param('name'))
    if (file === undefined) return notFound()
    const [encoding, bytes] = formFor(file, req.header('accept-encoding') ?? '')
    return body(bytes, 200, {
      ...pageHeaders(env.origin, null),
      'content-type': file.type,
      'cache-control': `public, max-age=${yearSeconds}, immutable`,
      vary: 'accept-encoding',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    })
  })
  app.post(signInPath, async ({ env, req, json }) => {
    const { code, publicKey } = asked(await req.text())
    const device = devices.signIn({ code, publicKey, name: deviceName(req.header('user-agent') ?? '') })
    return json({ device, instance: devices.instance }, 200, {
      ...pageHeaders(env.origin, null),
      'cache-control': 'no-store',
    })
  })
  const plain = (origin: string) => ({ ...pageHeaders(origin, null), 'cache-control': 'no-store' })
  app.notFound(({ env, json, req }) => json({ error: 'Not found', path: req.path }, 404, plain(env.origin)))
  app.onError((error, { env, json }) => {
    if (!isTermError(error)) throw error
    const { code, message, hint } = error
    return json({ error: { code, message, hint } }, statusOf(code), plain(env.origin))
  })
  return app
}

const statusOf = (code: TermError['code']) =>
  code === 'denied' ? 403 : code === 'limit_reached' ? 429 : code === 'environment' ? 503 : 400

/** Errors: `invalid_input`. */
function asked(text: string): { readonly code: string; readonly publicKey: string } {
  const { code, publicKey } = parseObject(text) ?? {}
  if (typeof code === 'string' && typeof publicKey === 'string') return { code, publicKey }
  throw new TermError('invalid_input', 'Signing in takes a code and a public key.', 'Open the page with: agentpty open')
}
