/** Addresses of other machines as they appear on a command line, normalized. */

export interface Address {
  /** Null for a bare host. */
  readonly scheme: string | null
  /** Small letters, numbers of IPv4 written out. */
  readonly host: string
  /** Null when none is named and the scheme has none of its own. */
  readonly port: string | null
  /** The path with its query; empty for a bare host. */
  readonly path: string
}

const portsOfSchemes: Readonly<Record<string, string>> = { http: '80', https: '443', ftp: '21', ssh: '22', git: '9418' }

/** Parses an address; null when the machine that it means is unknown. */
export function parseAddress(text: string): Address | null {
  const network = /^\/dev\/(?:tcp|udp)\/([^/]+)\/([^/]+)$/.exec(text)
  if (network !== null) return parsed(null, `${network[1]}:${network[2]}`)
  const withScheme = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(text)
  if (withScheme !== null) return parsed(withScheme[1] ?? null, withScheme[2] ?? '')
  const remotePath = /^((?:[^@/:\s]*@)?[^/:\s[\]]+):(?!\d+(?:\/|$))/.exec(text)
  return parsed(null, remotePath?.[1] ?? text)
}

function parsed(scheme: string | null, rest: string): Address | null {
  // Blanks, backslashes and braces are read differently by every program.
  if (/^[/?#]|[\s\\{}|^`<>\0-\x1f]/.test(rest)) return null
  let url: URL
  try {
    url = new URL(`http://${rest}`)
  } catch {
    // No address, or one that only some programs understand.
    return null
  }
  const host = url.hostname.replace(/\.$/, '')
  if (host === '' || !/^[a-z0-9._-]+$|^\[[0-9a-f:.]+\]$/.test(host)) return null
  const name = scheme?.toLowerCase().replace(/^git\+|\+.*$/, '') ?? null
  const hasPath = scheme !== null || /[/?]/.test(rest)
  const named = url.port !== '' ? url.port : /^[^/?#]*:80(?:[/?#]|$)/.test(rest) ? '80' : null
  return {
    scheme: name,
    host,
    port: named ?? (name === null ? null : (portsOfSchemes[name] ?? null)),
    path: hasPath ? url.pathname + url.search : '',
  }
}

export function textOfAddress({ scheme, host, port, path }: Address): string {
  const ownPort = port === null || (scheme !== null && portsOfSchemes[scheme] === port) ? '' : `:${port}`
  return `${scheme === null ? '' : `${scheme}://`}${host}${ownPort}${path}`
}
