/** The commands of terminal-agent under their old names, so that key bindings and tasks of its users keep working. */

import type { DaemonStatus, WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import type { Link } from '../link/link.ts'
import type { Observable } from '../link/observable.ts'
import { wordsOf } from '../terminals/session-terminal.ts'
import { oldSettings, portWords } from './old-settings.ts'

export interface OldNamesParts {
  readonly link: Pick<Link, 'client' | 'start' | 'stop' | 'retry'>
  readonly log: vscode.LogOutputChannel
}

export function keepOldNames({ link, log }: OldNamesParts): vscode.Disposable {
  const say = (words: string) => void vscode.window.showInformationMessage(words)
  const orSay = (does: () => Promise<unknown>) => async () => {
    try {
      await does()
    } catch (error) {
      void vscode.window.showWarningMessage(wordsOf(error))
    }
  }
  const start = async () => {
    link.start()
    say(statusWords(await (await connected(link.client)).control.status()))
  }
  const restart = async () => {
    await link.stop()
    await start()
  }
  const status = async () => {
    const open = link.client.peek()
    if (open === null) return say('agentpty does not run. Start it with: terminal-agent: Start.')
    const now = await open.control.status()
    const other = portWords(oldSettings(), now.http?.url ?? null)
    if (other === null) return say(statusWords(now))
    const chosen = await vscode.window.showWarningMessage(`${statusWords(now)} ${other}`, 'Restart')
    if (chosen === 'Restart') await restart()
  }
  const stop = async () => {
    await link.stop()
    say(
      'agentpty’s server has ended. Its terminals go on, and it comes back when something calls it, or with: terminal-agent: Start.',
    )
  }
  const commands: Readonly<Record<string, () => unknown>> = {
    'terminalAgent.start': orSay(start),
    'terminalAgent.stop': orSay(stop),
    'terminalAgent.status': orSay(status),
    'terminalAgent.showLog': () => log.show(),
    'terminal-agent.restart': orSay(restart),
    'terminal-agent.showStatus': orSay(status),
  }
  return vscode.Disposable.from(...Object.entries(commands).map(([name, does]) => registered(name, does, log)))
}

/** While terminal-agent itself is installed, it owns the names. */
function registered(name: string, does: () => unknown, log: vscode.LogOutputChannel): vscode.Disposable {
  try {
    return vscode.commands.registerCommand(name, does)
  } catch (error) {
    log.info(`${name} stays with another extension: ${wordsOf(error)}`)
    return { dispose: () => {} }
  }
}

/** Resolves with the current connection or the next one. */
function connected(client: Observable<WireClient | null>): Promise<WireClient> {
  return new Promise((resolve) => {
    let stop: () => void = () => {}
    let isFound = false
    stop = client.subscribe((open) => {
      if (open === null || isFound) return
      isFound = true
      resolve(open)
      queueMicrotask(() => stop())
    })
  })
}

export function statusWords({ daemon, sessions, http }: DaemonStatus): string {
  const where = http === null ? 'without HTTP' : `MCP at ${http.url}/mcp`
  const files = (http?.discovery ?? []).map(({ path, kind, detail }) => {
    if (kind === 'ours') return `${path} leads here`
    return kind === 'others' ? `${path} leads to another server (${detail})` : `${path} is not written (${detail})`
  })
  return `agentpty ${daemon.version} runs: ${sessions.open} terminals, ${[where, ...files].join('; ')}.`
}
