/** The protocol's inspector without its page: one process for each request. */

import assert from 'node:assert/strict'
import { run } from '../harness/instance.ts'
import type { AgentHome } from './agent-home.ts'
import { packages } from './packages.ts'
import { type Speaker, speakerOf } from './speaker.ts'

const cli = packages.file('@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build', 'index.js')

export const inspectorOverStdio = async (home: AgentHome): Promise<Speaker> => inspector(home, home.command)

export async function inspectorOverHttp(home: AgentHome): Promise<Speaker> {
  const { url, token } = await home.address()
  return inspector(home, [url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`])
}

/** Its exit code after a result with an error. */
const toolFailed = 5

function inspector(home: AgentHome, server: readonly string[]): Speaker {
  const ask = async (method: string, params: Readonly<Record<string, unknown>> = {}) => {
    const { code, stdout, stderr } = await run(
      packages.node,
      [cli, '--cli', ...server, '--method', method, ...flagsOf(params)],
      home.env,
      { cwd: home.cwd },
    )
    assert.ok(code === 0 || code === toolFailed, stderr)
    return JSON.parse(stdout)
  }
  return speakerOf(ask, async () => {})
}

function flagsOf({ name, arguments: args, uri }: Readonly<Record<string, unknown>>): readonly string[] {
  if (typeof uri === 'string') return ['--uri', uri]
  if (typeof name !== 'string') return []
  const pairs = Object.entries(args ?? {}).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`])
  return ['--tool-name', name, ...pairs]
}
