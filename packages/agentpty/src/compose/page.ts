/** Composes the page of a daemon: its files, its devices, and the wire for those that have signed in. */

import { homedir } from 'node:os'
import type { CallContext } from '../contracts/call/call-context.ts'
import { pageClientName } from '../contracts/call/caller-name.ts'
import type { Client } from '../contracts/client.ts'
import { defined } from '../contracts/defined.ts'
import type { Config } from '../contracts/home/config.ts'
import type { Paths } from '../contracts/home/paths.ts'
import type { Device, DeviceEvent, Devices } from '../contracts/page/device.ts'
import { httpNamesMax } from '../contracts/page/page-limits.ts'
import { wirePath } from '../contracts/page/page-messages.ts'
import type { Clock } from '../contracts/ports.ts'
import type { CallerScope } from '../contracts/scope/scope.ts'
import { tokenVariable, withoutOwnTerminal } from '../contracts/session/own-terminal.ts'
import type { Carrier } from '../contracts/wire/carrier.ts'
import type { SharedBounds } from '../contracts/wire/shared-bounds.ts'
import { MessageConnection } from '../faces/daemon/message-connection.ts'
import type { PageRoute } from '../faces/http/http-server.ts'
import { pageApp } from '../faces/page/page-app.ts'
import { type PageFiles, readPageFiles } from '../faces/page/page-files.ts'
import { isPagePath, pageRoute } from '../faces/page/page-route.ts'
import { type PageHandlers, PageSockets } from '../faces/page/page-sockets.ts'
import { WireServer } from '../faces/wire/wire-server.ts'
import { devicesFile, KnownDevices } from '../server/devices/index.ts'
import type { Audit } from './audit.ts'
import { packageFile } from './own-host.ts'

export interface DevicesParts {
  readonly paths: Pick<Paths, 'devices' | 'runFolder'>
  readonly clock: Clock
  readonly config: Config
  readonly audit: Pick<Audit, 'put'>
  readonly log: (text: string) => void
}

/** The devices of a home, with a record of each that comes or goes. */
export function devicesOf({ paths, clock, config, audit, log }: DevicesParts): KnownDevices {
  const store = devicesFile(paths.devices, paths.runFolder, log)
  const devices = new KnownDevices({ clock, store, codeMs: config.signInCodeMs })
  devices.onChange((event) => audit.put(recordOf(event)))
  return devices
}

function recordOf(event: DeviceEvent) {
  const { type, device } = event
  return defined({
    kind: 'device' as const,
    event: type,
    device: device.deviceId,
    name: device.name,
    access: accessWords(device),
    expiresAt: device.expiresAt ?? undefined,
    by: type === 'revoked' ? event.by : undefined,
  })
}

function accessWords({ access }: Device): string {
  if (access.kind === 'all') return 'all'
  return `read-only${access.terminalId === null ? '' : ` ${access.terminalId}`}`
}

export interface PageParts {
  readonly clock: Clock
  readonly config: Config
  readonly devices: Devices
  readonly shared: SharedBounds
  readonly clientOf: (caller: CallContext) => Client
  readonly port: () => number
}

export interface Page {
  readonly route: PageRoute
  readonly sockets: PageSockets
}

export function pageOf({ clock, config, devices, shared, clientOf, port }: PageParts): Page {
  let files: PageFiles | null = null
  const names = config.httpNames
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, httpNamesMax)
  const addresses = () => ({ port: port(), names })
  const app = pageApp({ devices, files: () => (files ??= readPageFiles(packageFile('dist/page'))) })
  const sockets = new PageSockets({
    clock,
    devices,
    addresses,
    open: (carrier, device, tab) => serveDevice(carrier, callerFor(device, tab, devices), { shared, clientOf }),
  })
  const upgrade = { path: wirePath, serve: sockets.upgrade.bind(sockets) }
  return { sockets, route: { owns: isPagePath, serve: pageRoute(app, addresses), upgrade } }
}

/** Who signed in is a person; who may only look is whatever somebody gave the address to. */
function callerFor({ deviceId, name, access }: Device, tab: string | null, devices: Devices): CallContext {
  const { [tokenVariable]: _, ...own } = process.env
  const env = Object.entries(own).filter((one): one is [string, string] => one[1] !== undefined)
  const caller = {
    // The same after a reconnection: terminals remember who has opened them.
    client: `page-${deviceId}`,
    program: pageClientName(name, tab),
    cwd: homedir(),
    env: withoutOwnTerminal(Object.fromEntries(env)),
  }
  if (access.kind === 'all') return { ...caller, isPerson: true }
  const holds = () => devices.find(deviceId) !== null
  const scope: CallerScope = {
    id: deviceId,
    name: `read-only ${deviceId}`,
    holds,
    view: { terminalId: access.terminalId },
  }
  return { ...caller, isPerson: false, scope }
}

function serveDevice(
  carrier: Carrier,
  caller: CallContext,
  { shared, clientOf }: Pick<PageParts, 'shared' | 'clientOf'>,
): PageHandlers {
  const connection = new MessageConnection(carrier, shared, (text) => {
    try {
      return server.receive(text)
    } catch {
      // The page breaks the protocol: nothing it sends after this can be trusted.
      carrier.close()
      return undefined
    }
  })
  const room = (signal: AbortSignal) => connection.room(signal)
  const server = new WireServer({
    client: clientOf({ ...caller, room }),
    send: (message) => connection.send(message),
    room,
  })
  return {
    message: (text) => connection.receive([text]),
    drained: () => connection.drained(),
    closed: () => {
      connection.closed()
      server.close()
    },
  }
}
