/** The page's paths: its document, its files, and signing in. Nothing here is behind a key but what a socket shows afterwards. */

import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { invalidInput, isTermError, type TermError } from '@agentpty/protocol'
import { type Devices, deviceNameCharactersMax, pushWorkerPath, signInPath } from '@agentpty/protocol/page'
import { parseObject } from '@agentpty/protocol/wire'
import { Hono } from 'hono'
import { pageHeaders } from './page-guard.ts'

interface PageAppOptions {
  readonly files: () => PageFiles
  readonly devices: Devices
}

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
      // It contains no user's data, and browsers keep for their back button no page that may not be stored.
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
  app.get(pushWorkerPath, ({ env, body }) =>
    body(files().worker, 200, {
      ...pageHeaders(env.origin, null),
      'content-type': 'text/javascript; charset=utf-8',
      // An old worker is replaced at the next visit.
      'cache-control': 'no-cache',
    }),
  )
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
  code === 'denied' ? 403 : code === 'limit_reached' ? 429 : code === 'machine_unfit' ? 503 : 400

/** Errors: `invalid_input`. */
function asked(text: string): { readonly code: string; readonly publicKey: string } {
  const { code, publicKey } = parseObject(text) ?? {}
  if (typeof code === 'string' && typeof publicKey === 'string') return { code, publicKey }
  throw invalidInput('Signing in takes a code and a public key.', 'Open the page with: agentpty open')
}

// The browser and the system, as the browser names them; people recognize their own devices by it.

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bVS Code\b/, 'VS Code'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chromium)\//, 'Chromium'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** @example deviceName('Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0') // 'Firefox on Linux' */
function deviceName(userAgent: string): string {
  const find = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser = 'A browser', system] = [find(browsers), find(systems)]
  return (system === undefined ? browser : `${browser} on ${system}`).slice(0, deviceNameCharactersMax)
}

// The files of the page as the build has written them, each in the forms in which browsers take them. They are public and hold no data.

interface PageFile {
  readonly type: string
  /** The contents by the name of their encoding; `identity` always exists. */
  readonly forms: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

export interface PageFiles {
  /** The document, with `{{nonce}}` where the nonce belongs. */
  readonly document: string
  /** Files by name. Their names change with their contents. */
  readonly assets: ReadonlyMap<string, PageFile>
  /** The service worker. */
  readonly worker: Uint8Array<ArrayBuffer>
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Errors: those of the file system, where the page was not built. */
export function readPageFiles(folder: string): PageFiles {
  const assets = join(folder, 'assets')
  const names = readdirSync(assets)
  const read = (name: string) => new Uint8Array(readFileSync(join(assets, name)))
  const known = names.flatMap((name): [string, PageFile][] => {
    const type = types[extname(name)]
    if (type === undefined) return []
    const encoded = encodings.filter(([, ending]) => names.includes(name + ending))
    const forms = new Map([
      ['identity', read(name)],
      ...encoded.map(([form, ending]) => [form, read(name + ending)] as const),
    ])
    return [[name, { type, forms }]]
  })
  return {
    document: readFileSync(join(folder, 'index.html'), 'utf8'),
    assets: new Map(known),
    worker: new Uint8Array(readFileSync(join(folder, 'push-worker.js'))),
  }
}

/** The smallest form that the browser takes. */
function formFor({ forms }: PageFile, accepted: string): readonly [encoding: string, bytes: Uint8Array<ArrayBuffer>] {
  const taken = accepted.split(',').map((one) => one.trim().replace(/;.*$/s, ''))
  const form = encodings.map(([name]) => name).find((name) => taken.includes(name) && forms.has(name)) ?? 'identity'
  return [form, forms.get(form) ?? new Uint8Array()]
}
