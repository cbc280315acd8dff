/** Programs that speak the protocol without a model: the inspector, both libraries of the protocol, and raw messages. */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { AgentHome } from './agent-home.ts'
import { curlNew, curlOld } from './curl.ts'
import { inspectorOverHttp, inspectorOverStdio } from './inspector.ts'
import { lines } from './lines.ts'
import { packages } from './packages.ts'
import { type Program, type Speaker, speakerOf } from './speaker.ts'

const authorized = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

/** The names of the older library, some of which differ. */
interface OldClient {
  connect(transport: unknown): Promise<void>
  listTools: Client['listTools']
  callTool: Client['callTool']
  listResources: Client['listResources']
  readResource: Client['readResource']
  close(): Promise<void>
}

const fromOldLibrary = async (file: string): Promise<Record<string, new (...args: readonly unknown[]) => OldClient>> =>
  import(packages.file('@modelcontextprotocol', 'sdk', 'dist', 'esm', 'client', file))

async function withOldLibrary(file: string, transport: string, args: readonly unknown[]): Promise<Speaker> {
  const { Client: OldClient } = await fromOldLibrary('index.js')
  const { [transport]: OldTransport } = await fromOldLibrary(file)
  if (OldClient === undefined || OldTransport === undefined) throw new Error(`no ${transport} in the library`)
  const client = new OldClient({ name: 'sdk-1', version: '1' })
  await client.connect(new OldTransport(...args))
  return speakerOfLibrary(client)
}

function speakerOfLibrary(client: Omit<OldClient, 'connect'>): Speaker {
  return speakerOf(
    (method, params = {}) => {
      if (method === 'tools/list') return client.listTools()
      if (method === 'tools/call') return client.callTool(params as Parameters<Client['callTool']>[0])
      if (method === 'resources/list') return client.listResources()
      return client.readResource(params as Parameters<Client['readResource']>[0])
    },
    () => client.close(),
  )
}

type Negotiation = { readonly mode: 'legacy' | { readonly pin: string } }

function withNewLibrary(negotiation: Negotiation): Program['ways'] {
  const connect = async (transport: StdioClientTransport | StreamableHTTPClientTransport) => {
    const client = new Client({ name: 'sdk-2', version: '1' }, { versionNegotiation: { mode: negotiation.mode } })
    await client.connect(transport)
    return speakerOfLibrary(client)
  }
  return {
    stdio: (home) => connect(new StdioClientTransport(overStdio(home))),
    HTTP: async (home) => {
      const { url, token } = await home.address()
      return connect(new StreamableHTTPClientTransport(new URL(url), authorized(token)))
    },
  }
}

const overStdio = ({ command: [command = '', ...args], env }: AgentHome) => ({ command, args, env: { ...env } })

const sdk = '@modelcontextprotocol/sdk'
const oldEra = '2025-11-25'
const newEra = '2026-07-28'

export const programs: readonly Program[] = [
  {
    name: 'MCP inspector',
    version: packages.versions['@modelcontextprotocol/inspector'] ?? '',
    era: oldEra,
    ways: { stdio: inspectorOverStdio, HTTP: inspectorOverHttp },
  },
  {
    name: sdk,
    version: packages.versions[sdk] ?? '',
    era: oldEra,
    ways: {
      stdio: (home) => withOldLibrary('stdio.js', 'StdioClientTransport', [overStdio(home)]),
      HTTP: async (home) => {
        const { url, token } = await home.address()
        return withOldLibrary('streamableHttp.js', 'StreamableHTTPClientTransport', [new URL(url), authorized(token)])
      },
    },
  },
  { name: '@modelcontextprotocol/client', version: '2.4.0', era: oldEra, ways: withNewLibrary({ mode: 'legacy' }) },
  {
    name: '@modelcontextprotocol/client',
    version: '2.4.0',
    era: newEra,
    ways: withNewLibrary({ mode: { pin: newEra } }),
  },
  { name: 'bare lines', version: '', era: oldEra, ways: { stdio: (home) => lines(home, oldEra) } },
  { name: 'bare lines', version: '', era: newEra, ways: { stdio: (home) => lines(home, newEra) } },
  { name: 'curl', version: '', era: oldEra, ways: { HTTP: (home) => curlOld(home, oldEra) } },
  { name: 'curl', version: '', era: newEra, ways: { HTTP: (home) => curlNew(home, newEra) } },
]
