/**
 * The addresses to which push messages may go. A browser names them, so they may not lead to this machine or its network: only HTTPS at public
 * addresses, and the hosts that the configuration names.
 */

import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { invalidInput } from '@agentpty/protocol'
import { pushEndpointCharactersMax } from '@agentpty/protocol/page'

/** Hosts with private addresses that are allowed: `127.0.0.1:8080`, `push.lan`. */
export type AllowedHosts = ReadonlySet<string>

/** Errors: `invalid_input`. */
export function checkEndpoint(endpoint: string, allowed: AllowedHosts): URL {
  if (endpoint.length > pushEndpointCharactersMax)
    throw refused(`The address of the push service has ${endpoint.length} characters.`)
  if (!URL.canParse(endpoint)) throw refused('The address of the push service is no URL.')
  const url = new URL(endpoint)
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw refused('The address of the push service has a user, a password or a fragment.')
  const isAllowed = allowed.has(url.host)
  const plain = plainHost(url)
  const isPlainHttp = url.protocol === 'http:' && isAllowed && isLoopback(plain)
  if (url.protocol !== 'https:' && !isPlainHttp)
    throw refused(`The address of the push service is ${url.protocol}//, not https://.`)
  if (!isAllowed && isIP(plain) !== 0 && !isPublic(plain))
    throw refused(`${plain} is a private address: it gets no push messages.`)
  return url
}

/** Resolves the name of a push service. Addresses that are not public are refused, so the connection goes to a checked address. */
export function lookupFor({ host }: URL, allowed: AllowedHosts): LookupFunction {
  const isAllowed = allowed.has(host)
  return (name, options, found) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return found(error, [])
      const refusedOne = isAllowed ? undefined : addresses.find(({ address }) => !isPublic(address))
      if (refusedOne !== undefined) return found(new PrivateAddress(name, refusedOne.address), [])
      const [first] = addresses
      if (options.all === true || first === undefined) found(null, addresses)
      else found(null, first.address, first.family)
    })
  }
}

export class PrivateAddress extends Error {
  readonly code = privateAddress
  constructor(name: string, address: string) {
    super(`${name} has the private address ${address}`)
  }
}

export const privateAddress = 'AGENTPTY_PRIVATE_ADDRESS'

function refused(message: string) {
  return invalidInput(message, 'Hosts of your own push service are named by pushHosts in config.yaml.')
}

/** Without the brackets of IPv6. */
const plainHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** Networks of IPv4 that are not the public internet: the registry of special addresses, and multicast. */
const specialIpv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/** The part of IPv6 for public addresses, and the networks in it that are none: tunnels hold addresses of IPv4. */
const publicIpv6 = ['2000::', 3] as const
const specialIpv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const listOf = (networks: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const [address, prefix] of networks) list.addSubnet(address, prefix, family)
  return list
}

const special4 = listOf(specialIpv4, 'ipv4')
const public6 = listOf([publicIpv6], 'ipv6')
const special6 = listOf(specialIpv6, 'ipv6')

/** Whether an address belongs to the public internet. */
export function isPublic(address: string): boolean {
  const plain = address.replace(/%.*$/s, '')
  if (isIP(plain) === 4) return !special4.check(plain, 'ipv4')
  return isIP(plain) === 6 && public6.check(plain, 'ipv6') && !special6.check(plain, 'ipv6')
}
