/**
 * The devices that get push notifications. Nothing is loaded, watched or computed before the first of them subscribes, and a slow push service
 * delays nothing: each device has a queue of its own.
 */

import { existsSync } from 'node:fs'
import { type Clock, invalidInput, limitReached, type Millis, machineUnfit } from '@agentpty/protocol'
import { type NotifyMessage, retryGapsMs, type SendOutcome } from '@agentpty/protocol/needs'
import {
  type Devices,
  KeptPushes,
  type KeptSubscription,
  type OwnPush,
  type Pushes,
  type PushMessage,
  type PushOutcome,
  type PushSender,
  pushFileBytesMax,
} from '@agentpty/protocol/page'
import type { SecretValues } from '@agentpty/protocol/secrets'
import type { Overview } from '../call/index.ts'
import { privateJsonFile, type SetAside, writePrivate } from '../files/index.ts'
import { notifyOfNeeds, Outbox } from '../needs/index.ts'
import { pushMessage, testMessage } from './push-text.ts'

interface PushStore {
  /** Whether there is something to load. */
  exists(): boolean
  /** Null when there is nothing that can be read. */
  load(): KeptPushes | null
  save(kept: KeptPushes): void
}

export interface KnownPushesOptions {
  readonly clock: Clock
  readonly store: PushStore
  readonly devices: Pick<Devices, 'instance' | 'find' | 'onChange'>
  readonly overview: Pick<Overview, 'watch'>
  readonly secrets: SecretValues | null
  readonly afterMs: Millis
  /** Loads the modules that encrypt and send. */
  readonly sender: () => Promise<PushSender>
  readonly log: (text: string) => void
}

export class KnownPushes implements Pushes {
  readonly #options: KnownPushesOptions
  /** Loaded at the first use; null before, and while no key has been made. */
  #kept: KeptPushes | null = null
  #isLoaded = false
  #sender: Promise<PushSender> | null = null
  readonly #boxes = new Map<string, Outbox>()
  readonly #testing = new Set<string>()
  /** Ends the watch of needs; null while no device is subscribed. */
  #watching: AbortController | null = null

  constructor(options: KnownPushesOptions) {
    this.#options = options
    options.devices.onChange(({ type, device }) => {
      if (type === 'revoked') this.#forget(device.deviceId)
    })
  }

  /** Sends to the devices of an earlier daemon. */
  start(): void {
    if (this.#options.store.exists()) this.#watchIfNeeded()
  }

  close(): void {
    this.#watching?.abort()
    this.#watching = null
  }

  of(deviceId: string): OwnPush | null {
    const found = this.#find(deviceId)
    return found === undefined ? null : { wording: found.wording, endpoint: found.subscription.endpoint }
  }

  async publicKey(): Promise<string> {
    const sender = await this.#loadSender()
    const known = this.#load() ?? { keys: sender.makeKeys(), subscriptions: [] }
    if (this.#kept === null) this.#save(known)
    return known.keys.publicKey
  }

  async subscribe({ deviceId, subscription, wording }: KeptSubscription): Promise<void> {
    const sender = await this.#loadSender()
    sender.check(subscription)
    const kept = this.#load()
    if (kept === null)
      throw invalidInput('This server has no push key yet.', 'Turn push notifications on again in the page.')
    // The device may have been revoked in the meantime.
    if (this.#options.devices.find(deviceId) === null) throw noDevice(deviceId)
    const others = kept.subscriptions.filter((one) => one.deviceId !== deviceId && this.#isDevice(one))
    this.#save({ ...kept, subscriptions: [...others, { deviceId, subscription, wording }] })
    this.#watchIfNeeded()
  }

  unsubscribe(deviceId: string): boolean {
    const kept = this.#load()
    const found = this.#find(deviceId)
    if (kept === null || found === undefined) return false
    this.#save({ ...kept, subscriptions: kept.subscriptions.filter((one) => one !== found) })
    this.#boxes.delete(deviceId)
    if (this.#kept?.subscriptions.length === 0) this.close()
    return true
  }

  async test(deviceId: string): Promise<void> {
    const found = this.#find(deviceId)
    if (found === undefined)
      throw invalidInput('This device gets no push notifications.', 'Turn them on in the page, under Devices.')
    if (this.#testing.has(deviceId)) throw limitReached('A test is on its way already.', 'Wait for its result.')
    this.#testing.add(deviceId)
    try {
      const outcome = await this.#post(found, testMessage(this.#options.devices.instance))
      if (outcome.kind !== 'taken')
        throw machineUnfit(`The test was not sent: ${outcome.why}.`, 'Turn push notifications off and on again.')
    } finally {
      this.#testing.delete(deviceId)
    }
  }

  #find(deviceId: string): KeptSubscription | undefined {
    return this.#load()?.subscriptions.find((one) => one.deviceId === deviceId)
  }

  /** A device whose time is over is not revoked: it is only gone. */
  #isDevice({ deviceId }: KeptSubscription): boolean {
    return this.#options.devices.find(deviceId) !== null
  }

  #load(): KeptPushes | null {
    if (!this.#isLoaded) this.#kept = this.#options.store.load()
    this.#isLoaded = true
    return this.#kept
  }

  /** Stores the subscriptions before they count. Errors: `machine_unfit`. */
  #save(kept: KeptPushes): void {
    this.#options.store.save(kept)
    this.#kept = kept
    this.#isLoaded = true
  }

  /** Removes a subscription that is of no use. A full disk may keep it in the file: the next daemon tries again. */
  #forget(deviceId: string): void {
    try {
      this.unsubscribe(deviceId)
    } catch (error) {
      this.#options.log(`The push notifications of ${deviceId} were not removed: ${String(error)}`)
    }
  }

  #watchIfNeeded(): void {
    const { clock, overview, secrets, afterMs, log } = this.#options
    if (this.#watching !== null || (this.#load()?.subscriptions.length ?? 0) === 0) return
    const watching = new AbortController()
    this.#watching = watching
    const tell = (message: NotifyMessage) => this.#tell(message)
    notifyOfNeeds({ clock, overview, secrets, afterMs, tell, signal: watching.signal }).catch((error: unknown) => {
      if (!watching.signal.aborted) log(`Push notifications have ended: ${String(error)}`)
    })
  }

  #tell(message: NotifyMessage): void {
    for (const one of this.#load()?.subscriptions ?? []) {
      if (this.#isDevice(one)) this.#boxOf(one.deviceId).put(message)
      else this.#forget(one.deviceId)
    }
  }

  #boxOf(deviceId: string): Outbox {
    const { clock, log } = this.#options
    const known = this.#boxes.get(deviceId)
    if (known !== undefined) return known
    const made = new Outbox({
      clock,
      send: (message) => this.#send(deviceId, message),
      retries: retryGapsMs.length,
      failed: (what) => log(`A push notification to ${deviceId} was not sent: ${what}`),
    })
    this.#boxes.set(deviceId, made)
    return made
  }

  async #send(deviceId: string, message: NotifyMessage): Promise<SendOutcome> {
    const { devices, log } = this.#options
    const found = this.#find(deviceId)
    // It was turned off while the message waited.
    if (found === undefined || !this.#isDevice(found)) return 'taken'
    const outcome = await this.#post(found, pushMessage(message, found.wording, devices.instance))
    if (outcome.kind === 'later') return { tryAgainAfterMs: outcome.afterMs ?? 0, why: outcome.why }
    if (outcome.kind === 'refused') log(`A push notification to ${deviceId} was not sent: ${outcome.why}`)
    return 'taken'
  }

  async #post(to: KeptSubscription, message: PushMessage): Promise<PushOutcome> {
    const sender = await this.#loadSender()
    const keys = this.#load()?.keys
    if (keys === undefined) return { kind: 'refused', why: 'there is no push key' }
    const outcome = await sender.send(to.subscription, message, keys)
    // The device may have subscribed anew while the message was on its way.
    const isSame = this.#find(to.deviceId)?.subscription.endpoint === to.subscription.endpoint
    if (outcome.kind === 'gone' && isSame) {
      this.#options.log(`${to.deviceId} gets no more push notifications: ${outcome.why}`)
      this.#forget(to.deviceId)
    }
    return outcome
  }

  #loadSender(): Promise<PushSender> {
    this.#sender ??= this.#options.sender()
    return this.#sender
  }
}

function noDevice(deviceId: string) {
  return invalidInput(`${deviceId} is not signed in any more.`, 'Open the page with: agentpty open')
}

const advice = 'Make it readable, or remove it: push notifications are off then.'

/** The subscriptions and the key in a private file. */
export function pushesFile(file: string, report: SetAside): PushStore {
  return {
    exists: () => existsSync(file),
    load: privateJsonFile(file, { schema: KeptPushes, advice, setAside: report }).read,
    save: (kept) => {
      const text = JSON.stringify(kept)
      if (text.length > pushFileBytesMax) throw limitReached(`${text.length} bytes of push subscriptions.`, tooMuch)
      writePrivate(file, text)
    },
  }
}

const tooMuch = 'Turn them off for another device: agentpty devices mute ID'
