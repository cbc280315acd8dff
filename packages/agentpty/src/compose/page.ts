/** Composes the page of a daemon: its files, its devices, and the wire for those that have signed in. */

import { homedir } from 'node:os'
import type { PageRoute } from '@agentpty/mcp-http/http'
import {
  isPagePath,
  type PageFiles,
  type PageHandlers,
  PageSockets,
  pageApp,
  pageRoute,
  readPageFiles,
} from '@agentpty/mcp-http/page'
import { type Client, type Clock, defined } from '@agentpty/protocol'
import { type CallContext, pageClientName } from '@agentpty/protocol/call'
import type { Config, Paths } from '@agentpty/protocol/home'
import { type Device, type DeviceEvent, type Devices, httpNamesMax, wirePath } from '@agentpty/protocol/page'
import type { CallerScope } from '@agentpty/protocol/scope'
import { tokenVariable } from '@agentpty/protocol/session'
import type { Carrier, SharedBounds } from '@agentpty/protocol/wire'
import { WireServer } from '@agentpty/protocol/wire-server'
import { MessageConnection } from '@agentpty/server/daemon'
import { devicesFile, KnownDevices } from '@agentpty/server/devices'
import type { Audit } from './audit.ts'
import { environmentElsewhere, packageFile } from './own-host.ts'

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

export function pageOf({ clock, config, devices, shared, clientOf, port }: PageParts) {
  let files: PageFiles | null = null
  const names = config.httpNames
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, httpNamesMax)
  const addresses = () => ({ port: port(), names, origins: devices.origins })
  const app = pageApp({ devices, files: () => (files ??= readPageFiles(packageFile('dist/page'))) })
  const sockets = new PageSockets({
    clock,
    devices,
    addresses,
    open: (carrier, device, tab) => serveDevice(carrier, callerFor(device, tab, devices), { shared, clientOf }),
  })
  const upgrade = { path: wirePath, serve: sockets.upgrade.bind(sockets) }
  const route: PageRoute = { owns: isPagePath, serve: pageRoute(app, addresses), upgrade }
  return { sockets, route }
}

/** Returns the caller of a device. A signed-in device is a person; a read-only one is any holder of the address. */
function callerFor({ deviceId, name, access }: Device, tab: string | null, devices: Devices): CallContext {
  const { [tokenVariable]: _, ...env } = environmentElsewhere()
  const caller = {
    // The same after a reconnection: terminals remember their opener.
    client: `page-${deviceId}`,
    program: pageClientName(name, tab),
    cwd: homedir(),
    env,
  }
  if (access.kind === 'all') return { ...caller, isPerson: true, deviceId }
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
