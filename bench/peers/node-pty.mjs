/** A floor: node-pty in this very process. No screen, no server, no protocol; CPU and memory are those of the harness. */
import { createRequire } from 'node:module'
import { countLines, sleep, within } from '../lib/measure.mjs'
import { bashCommand, installPeer, peerFile, privateEnvironment, prompt } from '../lib/workspace.mjs'

const library = '@lydell/node-pty'
const tailMax = 65_536

export const install = () => installPeer(library)

export async function make({ home }) {
  const pty = createRequire(import.meta.url)(peerFile(library))

  function open(program, args) {
    const child = pty.spawn(program, args, { cols: 80, rows: 24, env: privateEnvironment(home) })
    const session = { child, tail: '', waits: [], bytes: 0, lines: 0, kept: null }
    session.exited = new Promise((resolve) => child.onExit(resolve))
    child.onData((text) => {
      session.bytes += text.length
      session.lines += countLines(text)
      session.tail = (session.tail + text).slice(-tailMax)
      if (session.kept !== null) session.kept += text
      const met = session.waits.filter(({ marker }) => session.tail.includes(marker))
      session.waits = session.waits.filter((wait) => !met.includes(wait))
      for (const { resolve } of met) resolve()
    })
    return session
  }

  function until(session, marker, timeoutMs = 30_000) {
    const found = new Promise((resolve) => {
      if (session.tail.includes(marker)) resolve()
      else session.waits.push({ marker, resolve })
    })
    return within(found, timeoutMs, marker)
  }

  async function typeAndWait(session, line, marker, timeoutMs) {
    session.tail = ''
    session.child.write(`${line}\r`)
    await until(session, marker, timeoutMs)
  }

  async function keep(session, input, done) {
    session.kept = ''
    session.child.write(input)
    await done()
    return [session.kept]
  }

  return {
    inProcess: true,
    async start() {
      // in this process already
    },
    async stop() {
      // its scenario closes every session
    },
    serverPids: () => [process.pid],
    create: async ({ stampFile } = {}) => open('/bin/bash', ['-c', `exec ${bashCommand(stampFile)}`]),
    waitPrompt: (session, timeoutMs) => until(session, prompt, timeoutMs),
    async exec(session, line, marker, timeoutMs) {
      await typeAndWait(session, line, marker, timeoutMs)
      return session.tail
    },
    async ready(session, line, timeoutMs) {
      await typeAndWait(session, line, prompt, timeoutMs)
      return 'the caller knows the prompt and watches the stream'
    },
    streamStart(session) {
      session.bytes = 0
      session.lines = 0
    },
    streamStat: async ({ bytes, lines }) => ({ bytes, lines }),
    async collect(file) {
      const session = open('cat', [file])
      await session.exited
      await sleep(0)
      return session.bytes
    },
    close: async ({ child }) => child.kill(),
    agentCommand: (session, line, done) => keep(session, `${line}\r`, done),
    agentKeys: keep,
    toolText: async () => '',
  }
}
