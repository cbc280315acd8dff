/** One command of the command line, composed for the process that it runs in. */

import { type CliOptions, runCli } from '@agentpty/cli'
import { isoTime, systemClock } from '@agentpty/engine/system-clock'
import { version } from '@agentpty/protocol'
import { terminalVariable } from '@agentpty/protocol/session'
import { configPath } from '@agentpty/server/state'
import { commands } from './commands.ts'
import { OwnConnections } from './own-connection.ts'
import { findAgents, ownDoctor, ownPolicy } from './own-doctor.ts'
import { OwnFiles } from './own-files.ts'
import { OwnProcess } from './own-process.ts'

export { OwnProcess }

/** The parts of a process that a command talks to, and the servers that it may become. */
export type CommandStreams = Pick<
  CliOptions,
  | 'print'
  | 'terminal'
  | 'onInterrupt'
  | 'readInput'
  | 'pipedInput'
  | 'writeToTerminal'
  | 'serve'
  | 'serveMcp'
  | 'serveTerminalcp'
>

/** Returns the exit code. */
export function runCommandLine(words: readonly string[], own: OwnProcess, streams: CommandStreams): Promise<number> {
  const connections = new OwnConnections(own)
  const files = new OwnFiles(own, connections)
  const { environment, facts, home, paths } = own
  return runCli(words, {
    version,
    commands,
    ownTerminalId: facts.env[terminalVariable] ?? null,
    complain: facts.complain,
    ...streams,
    clock: systemClock,
    configPath: configPath(paths.configFolder),
    explainConfig: async () => (await files.config()).explain(),
    connect: (request) => connections.rpc(request),
    openBrowser: async (file) => (await import('./open-browser.ts')).openBrowser(file, facts.env, systemClock),
    doctor: (request) => ownDoctor(request, { own, connections, files }),
    findAgents: () => findAgents(own),
    policy: () => ownPolicy(own),
    ...files.forOwner(),
    variables: environment,
    isoTime,
    folders: { cwd: facts.cwd(), home },
  })
}
