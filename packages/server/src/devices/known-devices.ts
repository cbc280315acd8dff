/** The devices of a home: who may open the page, for how long, and how a new one comes in. */

import { randomBytes } from 'node:crypto'
import { type Clock, type Millis, type Stop, TermError } from '@agentpty/protocol'
import {
  type Device,
  type DeviceEvent,
  type Devices,
  deviceSeenMs,
  devicesMax,
  type KeptDevice,
  type KeptDevices,
} from '@agentpty/protocol/page'
import { isSignedBy, readPageKey } from './page-key.ts'
import { SignInCodes } from './sign-in-codes.ts'

export interface DeviceStore {
  /** Null when there is nothing that can be read. */
  load(): KeptDevices | null
  save(kept: KeptDevices): void
  /** Writes a file that leads a browser to the address; returns its path. */
  putRedirect(url: string): string
  dropRedirect(file: string): void
}

export interface KnownDevicesOptions {
  readonly clock: Clock
  readonly store: DeviceStore
  readonly codeMs: Millis
}

export class KnownDevices implements Devices {
  readonly #options: KnownDevicesOptions
  readonly #codes: SignInCodes
  readonly #listeners = new Set<(event: DeviceEvent) => void>()
  #kept: KeptDevices
  /** Of the page; null while it is served nowhere. */
  #address: string | null = null

  constructor(options: KnownDevicesOptions) {
    this.#options = options
    this.#codes = new SignInCodes(options.clock, options.codeMs)
    this.#kept = options.store.load() ?? { instance: randomBytes(16).toString('base64url'), devices: [] }
  }

  get instance(): string {
    return this.#kept.instance
  }

  invite({ access, forMs, withFile }: Parameters<Devices['invite']>[0]): ReturnType<Devices['invite']> {
    const { store, clock, codeMs } = this.#options
    const base = this.#address
    if (base === null)
      throw new TermError(
        'environment',
        'There is no page to open: HTTP is off.',
        'Set httpPort in config.yaml, then: agentpty stop',
      )
    this.#assertRoom()
    let file: string | null = null
    const code = this.#codes.make({ access, forMs }, () => {
      if (file !== null) store.dropRedirect(file)
    })
    const url = `${base}/#c=${code}`
    file = withFile ? store.putRedirect(url) : null
    return { url, file, expiresAt: clock.wall() + codeMs }
  }

  signIn({ code, publicKey, name }: Parameters<Devices['signIn']>[0]): Device {
    const { clock } = this.#options
    if (readPageKey(publicKey) === null)
      throw new TermError('invalid_input', 'That is no public key of P-256.', 'Open the page with: agentpty open')
    const { access, forMs } = this.#codes.use(code)
    this.#assertRoom()
    const now = clock.wall()
    const device = { deviceId: `dev-${randomBytes(6).toString('hex')}`, name, access, createdAt: now, seenAt: now }
    const kept = { ...device, expiresAt: forMs === null ? null : now + forMs, publicKey }
    this.#save([...this.#valid(), kept])
    this.#tell({ type: 'signedIn', device: shown(kept) })
    return shown(kept)
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
      throw new TermError('invalid_input', `No device "${deviceId}".`, 'Those that there are: agentpty devices')
    if (revoked.length > 0) this.#save(valid.filter((one) => !revoked.includes(one)))
    for (const one of revoked) this.#tell({ type: 'revoked', device: shown(one), by })
    return revoked.map(shown)
  }

  onChange(listener: (event: DeviceEvent) => void): Stop {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The page is served at this address: `http://127.0.0.1:17580`. */
  servedAt(address: string): void {
    this.#address = address
  }

  /** Codes that nobody has used end with the server. */
  close(): void {
    this.#codes.close()
  }

  /** Errors: `limit_reached`. */
  #assertRoom(): void {
    if (this.#valid().length < devicesMax) return
    throw new TermError(
      'limit_reached',
      `${devicesMax} devices are signed in.`,
      'Revoke one: agentpty devices revoke ID',
    )
  }

  #valid(): readonly KeptDevice[] {
    const now = this.#options.clock.wall()
    return this.#kept.devices.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
  }

  /** What cannot be written does not count either. Errors: `environment`. */
  #save(devices: readonly KeptDevice[]): void {
    const kept = { instance: this.#kept.instance, devices: [...devices] }
    this.#options.store.save(kept)
    this.#kept = kept
  }

  #tell(event: DeviceEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

const shown = ({ publicKey: _, ...device }: KeptDevice): Device => device
