/** Whether a host is one of those that a sandbox may reach. */

import { parseNetworkHost, plainHost } from './network-host.ts'

/**
 * `host` as a client named it, without brackets. A name in the list is that name alone, `*.` before it what is below it; a port in the
 * list must be the one that is asked for.
 */
export function isAllowedHost(allowed: readonly string[], host: string, port: number): boolean {
  const name = plainHost(host.toLowerCase().replace(/\.$/, ''))
  return allowed.map(parseNetworkHost).some((entry) => {
    if (entry.port !== null && entry.port !== port) return false
    if (entry.host.startsWith('*.')) return name.endsWith(entry.host.slice(1)) && name.length > entry.host.length - 1
    return name === entry.host
  })
}

/** An address of this machine or of a network around it: a name on the list must not lead there, whoever answers for its DNS. */
export function isLocalAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
  if (mapped.includes('.') && !mapped.includes(':')) {
    const [a = 0, b = 0] = mapped.split('.').map(Number)
    return (
      [0, 10, 127].includes(a) ||
      (a === 100 && b >= 64 && b < 128) ||
      (a === 169 && b === 254) ||
      (a === 172 && b >= 16 && b < 32) ||
      (a === 192 && b === 168) ||
      a >= 224
    )
  }
  // What begins otherwise than 2 or 3 is no address of the wide network.
  return !/^[23][\da-f]{3}:/i.test(mapped) || /^(2002|2001:0{0,4}):/i.test(mapped)
}
