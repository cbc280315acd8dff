/** An item of a list of hosts: `example.com`, `*.example.com`, an address, each with or without a port; and what is wrong with one. */

const portMax = 65_535
const labelCharactersMax = 63

interface NetworkHost {
  /** In small letters, without brackets, IPv6 in its shortest form. With `*.` before it: what is below it. */
  readonly host: string
  readonly port: number | null
}

export function parseNetworkHost(item: string): NetworkHost {
  const { host, port } = partsOf(item)
  const name = host.toLowerCase()
  return { host: plainHost(name), port: port === null ? null : Number(port) }
}

/** Normalizes a host for comparison: IPv6 has many forms. */
function plainHost(name: string): string {
  const inside = name.replace(/^\[|\]$/g, '')
  return inside.includes(':') ? (shortestForm(inside) ?? inside) : inside
}

/** Returns the problem and its correction; null when there is none. */
export function networkHostProblem(item: string): string | null {
  const problem = problemOf(item)
  return problem === null ? null : `${JSON.stringify(item)}: ${problem}`
}

function problemOf(item: string): string | null {
  if (item.trim() === '') return 'an empty item; separate hosts by one comma'
  if (/\s/.test(item)) return 'there are blanks in it; write only the host, as example.com'
  if (item === 'on' || item === 'off') return `${item} stands alone, without hosts beside it`
  if (item === '*') return 'this is every host; for that the network is on'
  if (/[/?#@\\]/.test(item)) return `this is more than a host; write ${hostIn(item) ?? 'only the host, as example.com'}`
  const isBare6 = shortestForm(item) !== null
  if (isBare6) return `an address of IPv6 stands in brackets; write [${item}]`
  const { host, port } = partsOf(item)
  return (port === null ? null : portProblem(port)) ?? hostProblem(host)
}

/** Checks the digits after the colon. */
export function portProblem(port: string): string | null {
  const isPort = /^[1-9]\d{0,4}$/.test(port) && Number(port) <= portMax
  return isPort ? null : `a port that is none; one is a number from 1 to ${portMax}, as in example.com:443`
}

/** A dot too many: no host has such a name, so nothing would ever be it. */
export function dotProblem(host: string): string | null {
  const labels = host.split('.')
  if (!labels.includes('')) return null
  const name = labels.filter((label) => label !== '').join('.')
  if (name === '') return 'no name; write a host, as example.com'
  return host === `.${name}`
    ? `a dot before its name; write *.${name} for what is below it, or ${name}`
    : `a dot too many; write ${name}`
}

function hostProblem(host: string): string | null {
  if (/^\[.*\]$/.test(host)) return shortestForm(host.slice(1, -1)) === null ? no6 : null
  if (/[:[\]]/.test(host)) return no6
  const below = host.startsWith('*.')
  const name = below ? host.slice(2) : host
  if (name.includes('*')) return 'a star stands only at the beginning, for all that is below: *.example.com'
  const dots = dotProblem(name)
  if (dots !== null) return dots
  if (/[^\0-\x7f]/.test(name)) return `write it as programs ask for it: ${hostIn(host) ?? 'in ASCII'}`
  if (/^(?:\d+|0x[\da-f]*)$/i.test(name.split('.').at(-1) ?? '')) return numberProblem(name, below)
  return name.split('.').every(isLabel) ? null : labelProblem
}

const no6 = 'no address of IPv6; one is written as [::1] or [::1]:8080'
const labelProblem = `between dots stand 1 to ${labelCharactersMax} letters, digits, "_" and "-", with no "-" at an end; write the host's name, as example.com`

/** A host that ends with a number is an address for every program, and no name. */
function numberProblem(name: string, below: boolean): string | null {
  const isWhole = /^(?:(?:0|[1-9]\d{0,2})(?:\.|$)){4}$/.test(name) && name.split('.').every((one) => Number(one) < 256)
  if (!isWhole || name.endsWith('.')) return 'no whole address of IPv4; one is written as 10.0.0.1'
  return below ? `nothing is below an address; write ${name}` : null
}

const isLabel = (label: string): boolean => label.length <= labelCharactersMax && /^\w(?:[\w-]*\w)?$/.test(label)

/** Where a colon is none of a port, it stays. */
function partsOf(item: string): { readonly host: string; readonly port: string | null } {
  const [, host = item, port] = /^(\[[^\]]*\]|[^:[\]]*)(?::([^:]*))?$/.exec(item) ?? []
  return { host, port: port ?? null }
}

/** Null for what is no address of IPv6. */
function shortestForm(text: string): string | null {
  if (!text.includes(':') || !/^[\da-f:.]+$/i.test(text)) return null
  return hostnameOf(`[${text}]`)?.slice(1, -1) ?? null
}

/** Returns the host of an address or a requested name; null where there is none. */
function hostIn(text: string): string | null {
  const [, authority = ''] = /^(?:[a-z][a-z\d+.-]*:)?[/\\]*([^/?#\\]*)/i.exec(text) ?? []
  const star = authority.startsWith('*.') ? '*.' : ''
  const name = hostnameOf(authority.slice(star.length).replace(/^.*@|:\d*$/g, ''))
  return name === null || name === '' ? null : `${star}${name}`
}

function hostnameOf(host: string): string | null {
  try {
    return new URL(`http://${host}`).hostname
  } catch {
    // No host at all.
    return null
  }
}

/** A process of Linux needs at least this much memory to start. */
export const memoryBytesMin = 16 * 1024 * 1024

export type SandboxNetwork = 'off' | 'on' | readonly string[]

/** Where the task folder is inside: of our own folders outside nothing is there. */
export const tasksInside = '/run/agentpty-tasks'

// Whether a host is one of those that a sandbox may reach.

/**
 * `host` as a client named it, without brackets. A name in the list is that name alone, with `*.` before it the names below it; a port in the
 * list must be the requested one.
 */
export function isAllowedHost(allowed: readonly string[], host: string, port: number): boolean {
  const name = plainHost(host.toLowerCase().replace(/\.$/, ''))
  return allowed.map(parseNetworkHost).some((entry) => {
    if (entry.port !== null && entry.port !== port) return false
    if (entry.host.startsWith('*.')) return name.endsWith(entry.host.slice(1)) && name.length > entry.host.length - 1
    return name === entry.host
  })
}

/** Whether an address belongs to this machine or a network around it: a name on the list must not lead there, whatever its DNS says. */
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
  // An address that does not begin with 2 or 3 is no address of the wide network.
  return !/^[23][\da-f]{3}:/i.test(mapped) || /^(2002|2001:0{0,4}):/i.test(mapped)
}
