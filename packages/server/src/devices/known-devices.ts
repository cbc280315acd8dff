/** The devices of a home: who may open the page, for how long, and how a new one comes in. */

import { createHash, createPublicKey, type KeyObject, randomBytes, verify } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Clock,
  invalidInput,
  limitReached,
  type Millis,
  machineUnfit,
  type Stop,
  TermError,
} from '@agentpty/protocol'
import {
  type Device,
  type DeviceAccess,
  type DeviceEvent,
  type Devices,
  deviceSeenMs,
  devicesFileBytesMax,
  devicesMax,
  type KeptDevice,
  KeptDevices,
  signInCodesMax,
  wrongCodesMax,
  wrongCodesMs,
} from '@agentpty/protocol/page'
import { namesIn, privateJsonFile, type SetAside, writePrivate } from '../files/index.ts'

interface DeviceStore {
  /** Null when there is nothing that can be read. */
  load(): KeptDevices | null
  save(kept: KeptDevices): void
  /** Writes a file that leads a browser to the address; returns its path. */
  putRedirect(url: string): string
  dropRedirect(file: string): void
}

interface KnownDevicesOptions {
  readonly clock: Clock
  readonly store: DeviceStore
  readonly codeMs: Millis
}

export class KnownDevices implements Devices {
  readonly #options: KnownDevicesOptions
  readonly #codes: SignInCodes
  readonly #listeners = new Set<(event: DeviceEvent) => void>()
  #kept: KeptDevices
  /** The address of the page; null while it is not served. */
  #address: string | null = null

  constructor(options: KnownDevicesOptions) {
    this.#options = options
    this.#codes = new SignInCodes(options.clock, options.codeMs)
    this.#kept = options.store.load() ?? { instance: randomBytes(16).toString('base64url'), devices: [] }
  }

  get instance(): string {
    return this.#kept.instance
  }

  invite({ access, forMs, withFile, origin = null }: Parameters<Devices['invite']>[0]): ReturnType<Devices['invite']> {
    const { store, clock, codeMs } = this.#options
    const base = this.#address
    if (base === null)
      throw machineUnfit('There is no page to open: HTTP is off.', 'Set httpPort in config.yaml, then: agentpty stop')
    this.#assertRoom()
    let file: string | null = null
    const code = this.#codes.make({ access, forMs, origin }, () => {
      if (file !== null) store.dropRedirect(file)
    })
    const url = `${base}/#c=${code}`
    file = withFile ? store.putRedirect(url) : null
    return { url, file, expiresAt: clock.wall() + codeMs }
  }

  signIn({ code, publicKey, name }: Parameters<Devices['signIn']>[0]): Device {
    const { clock } = this.#options
    if (readPageKey(publicKey) === null)
      throw invalidInput('That is no public key of P-256.', 'Open the page with: agentpty open')
    const { access, forMs, origin } = this.#codes.use(code)
    this.#assertRoom()
    const now = clock.wall()
    const device = { deviceId: `dev-${randomBytes(6).toString('hex')}`, name, access, createdAt: now, seenAt: now }
    const kept = { ...device, expiresAt: forMs === null ? null : now + forMs, publicKey, origin }
    this.#save([...this.#valid(), kept])
    this.#tell({ type: 'signedIn', device: shown(kept) })
    return shown(kept)
  }

  get origins(): readonly string[] {
    const known = [...this.#codes.origins, ...this.#valid().map(({ origin }) => origin)]
    return [...new Set(known.filter((origin) => origin !== null))]
  }

  recognize({ deviceId, text, signature }: Parameters<Devices['recognize']>[0]): Device | null {
    const found = this.#valid().find((one) => one.deviceId === deviceId)
    if (found === undefined || !isSignedBy(found.publicKey, text, signature)) return null
    const now = this.#options.clock.wall()
    const seen = { ...found, seenAt: now }
    if (now - found.seenAt >= deviceSeenMs) this.#save(this.#valid().map((one) => (one === found ? seen : one)))
    return shown(seen)
  }

  find(deviceId: string): Device | null {
    const found = this.#valid().find((one) => one.deviceId === deviceId)
    return found === undefined ? null : shown(found)
  }

  list(): readonly Device[] {
    return this.#valid().map(shown)
  }

  revoke(deviceId: string, by: string): readonly Device[] {
    const valid = this.#valid()
    const revoked = valid.filter((one) => deviceId === 'all' || one.deviceId === deviceId)
    if (revoked.length === 0 && deviceId !== 'all')
      throw invalidInput(`There is no device "${deviceId}".`, 'List the devices: agentpty devices')
    if (revoked.length > 0) this.#save(valid.filter((one) => !revoked.includes(one)))
    for (const one of revoked) this.#tell({ type: 'revoked', device: shown(one), by })
    return revoked.map(shown)
  }

  onChange(listener: (event: DeviceEvent) => void): void {
    this.#listeners.add(listener)
  }

  /** The page is served at this address: `http://127.0.0.1:17580`. */
  servedAt(address: string): void {
    this.#address = address
  }

  /** Unused codes end with the server. */
  close(): void {
    this.#codes.close()
  }

  /** Errors: `limit_reached`. */
  #assertRoom(): void {
    if (this.#valid().length < devicesMax) return
    throw limitReached(`${devicesMax} devices are signed in.`, 'Revoke one: agentpty devices revoke ID')
  }

  #valid(): readonly KeptDevice[] {
    const now = this.#options.clock.wall()
    return this.#kept.devices.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
  }

  /** Stores the devices before they count. Errors: `machine_unfit`. */
  #save(devices: readonly KeptDevice[]): void {
    const kept = { instance: this.#kept.instance, devices: [...devices] }
    this.#options.store.save(kept)
    this.#kept = kept
  }

  #tell(event: DeviceEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

const shown = ({ publicKey: _, origin: __, ...device }: KeptDevice): Device => device

/** An uncompressed point. */
const pointBytes = 65
const signatureBytes = 64

/** Keys of browsers: ECDSA on P-256, as WebCrypto writes the key and the signature. Null for what is no point of the curve. */
function readPageKey(publicKey: string): KeyObject | null {
  const point = Buffer.from(publicKey, 'base64url')
  if (point.length !== pointBytes || point[0] !== 4 || point.toString('base64url') !== publicKey) return null
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  } catch {
    // Two numbers that are no point of the curve.
    return null
  }
}

function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = readPageKey(publicKey)
  const bytes = Buffer.from(signature, 'base64url')
  if (key === null || bytes.length !== signatureBytes) return false
  return verify('sha256', Buffer.from(text, 'utf8'), { key, dsaEncoding: 'ieee-p1363' }, bytes)
}

interface Invitation {
  readonly access: DeviceAccess
  readonly forMs: Millis | null
  readonly origin: string | null
}

interface OpenCode extends Invitation {
  readonly stopTimer: Stop
  /** It was used, has expired, or made room. */
  readonly gone: () => void
}

const codeBytes = 16

/** Codes that sign a browser in: each is good once and for a short time. Only their hashes are kept, and only in memory. */
class SignInCodes {
  readonly #clock: Pick<Clock, 'now' | 'callAt'>
  readonly #codeMs: Millis
  /** By the hash of the code, the oldest first. */
  readonly #open = new Map<string, OpenCode>()
  /** When codes were given that are none. */
  #wrong: Millis[] = []

  constructor(clock: Pick<Clock, 'now' | 'callAt'>, codeMs: Millis) {
    this.#clock = clock
    this.#codeMs = codeMs
  }

  /** `gone` is called when the code cannot be used any more. */
  make(invitation: Invitation, gone: () => void): string {
    const code = randomBytes(codeBytes).toString('base64url')
    const key = hashOf(code)
    const stopTimer = this.#clock.callAt(this.#clock.now() + this.#codeMs, () => this.#take(key))
    this.#open.set(key, { ...invitation, stopTimer, gone })
    const [oldest] = this.#open.keys()
    if (this.#open.size > signInCodesMax && oldest !== undefined) this.#take(oldest)
    return code
  }

  /** Errors: `denied` for what is no code, or none any more; `limit_reached` after many of those. */
  use(code: string): Invitation {
    const now = this.#clock.now()
    this.#wrong = this.#wrong.filter((at) => now - at < wrongCodesMs)
    if (this.#wrong.length >= wrongCodesMax)
      throw limitReached('Too many wrong codes.', 'Wait a minute, then run: agentpty open')
    const found = this.#take(hashOf(code))
    if (found !== null) return found
    this.#wrong.push(now)
    throw new TermError(
      'denied',
      'This code was used already, has expired, or never was one.',
      'Run agentpty open again: each code is good once, and for a minute.',
    )
  }

  /** Those of the codes that can still be used. */
  get origins(): readonly (string | null)[] {
    return [...this.#open.values()].map(({ origin }) => origin)
  }

  /** None is good any more. */
  close(): void {
    for (const key of [...this.#open.keys()]) this.#take(key)
  }

  #take(key: string): Invitation | null {
    const found = this.#open.get(key)
    if (found === undefined) return null
    this.#open.delete(key)
    found.stopTimer()
    found.gone()
    return { access: found.access, forMs: found.forMs, origin: found.origin }
  }
}

/** Codes are found by their hash, so the time of the search reveals nothing about a code. */
const hashOf = (code: string): string => createHash('sha256').update(code).digest('base64url')

// The devices of an instance, in a file of its own, and the files that lead a browser to the page.

const advice = 'Make it readable, or remove it: all browsers sign in again then.'
const prefix = 'open-'
const ending = '.html'

/** `file`: the devices; 0600. `folder`: private to the user; redirects of an earlier daemon are removed from it. Errors: `machine_unfit`. */
export function devicesFile(file: string, folder: string, report: SetAside) {
  for (const name of namesIn(folder))
    if (name.startsWith(prefix) && name.endsWith(ending)) rmSync(join(folder, name), { force: true })
  return {
    load: privateJsonFile(file, { schema: KeptDevices, advice, setAside: report }).read,
    save: (kept: KeptDevices): void => {
      const text = JSON.stringify(kept)
      if (text.length > devicesFileBytesMax) throw new Error(`${text.length} bytes of devices`)
      writePrivate(file, text)
    },
    putRedirect: (url: string): string => {
      const path = join(folder, `${prefix}${randomBytes(6).toString('hex')}${ending}`)
      writePrivate(path, redirectTo(url))
      return path
    },
    dropRedirect: (path: string): void => rmSync(path, { force: true }),
  }
}

/** The address holds letters, digits and a few marks that mean nothing in HTML. */
function redirectTo(url: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${url}">
<title>agentpty</title>
<p><a href="${url}">Open agentpty</a></p>
</html>
`
}
