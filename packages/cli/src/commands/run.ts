/**
 * `agentpty run`: runs a command in a terminal of its own, as if it had been started here. Its output is printed as it
 * comes, and its exit code is returned. At a terminal, a person can type into it. In a pipe, its output is plain text,
 * and standard input is typed.
 */

import { type Client, defined, type Exit, type Stop, waitMsMax } from '@agentpty/protocol'
import { joinOutput } from '@agentpty/protocol/call'
import { type CliOptions, type Command, type CommandCall, exitCode, textFlag, withClient } from '../command.ts'
import { complainOfGaps } from '../observation.ts'
import { sandboxFlags, sandboxOf } from '../parse-values.ts'
import { PlainText } from '../plain-text.ts'

/** Base of the exit codes that shells return for a program that a signal ended. */
const signalBase = 128
const interruptedCode = signalBase + 2
const signalNumbers: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
}

export const runCommand: Command = {
  name: 'run',
  usage: 'COMMAND [ARG...]',
  summary: 'run a command in a new terminal; print its output and return its exit code',
  group: 'terminals',
  words: [1, Number.POSITIVE_INFINITY],
  takesCommand: true,
  flags: {
    in: {
      type: 'string',
      value: 'ID',
      help: 'run in the shell of this open terminal, which keeps its folder and variables',
    },
    cwd: {
      type: 'string',
      value: 'DIR',
      help: 'the working folder; with --in the shell changes to it and stays there',
    },
    ...sandboxFlags,
    'clear-line': { type: 'boolean', help: 'with --in: delete text at the prompt first (ctrl+c)' },
    raw: { type: 'boolean', help: 'keep escape sequences, also in a pipe' },
  },
  notes: [
    'A single word is a shell line: run "make && make test". Several words are run without a shell: run -- make -j4',
    'The exit code is the command’s own, or 128 + N if signal N ended it.',
    'Standard input from a pipe or a file is typed line by line, then ctrl+d.',
  ],
  examples: [
    'agentpty run make test',
    'echo yes | agentpty run ./install',
    'agentpty run "npm ls | sort" > list.txt',
    'agentpty run --in build make',
  ],
  run: (call) => {
    const terminalId = textFlag(call.flags, 'in')
    return withClient(call.options, (client) =>
      terminalId === undefined ? runAlone(client, call) : runInShell(client, call, terminalId),
    )
  },
}

async function runAlone(client: Client, { options, words, flags, json }: CommandCall): Promise<number> {
  const { terminal } = options
  const size = terminal?.size() ?? { cols: 120, rows: 40 }
  const [only = ''] = words
  const { terminalId } = await client.call(
    'create',
    defined({
      command: words.length === 1 ? only : [...words],
      cwd: textFlag(flags, 'cwd'),
      sandbox: sandboxOf(flags),
      ...size,
      waitFor: 'none',
    }),
  )
  const close = () => client.call('close', { terminalId })
  let isInterrupted = false
  const stopInterrupts = options.onInterrupt(() => {
    isInterrupted = true
    void close()
  })
  const detach = terminal === null ? passInput(client, terminalId, options) : joinTerminal(client, terminalId, terminal)
  try {
    const exit = await passOn(client, terminalId, options, terminal !== null || flags['raw'] === true)
    if (json) options.complain(`${JSON.stringify({ exitCode: exit.code, signal: exit.signal })}\n`)
    return isInterrupted ? interruptedCode : codeOf(exit)
  } finally {
    detach()
    stopInterrupts()
    await close().catch(() => undefined)
  }
}

/** Keys go to the program, and its terminal has the size of this one. */
function joinTerminal(client: Client, terminalId: string, terminal: NonNullable<CliOptions['terminal']>): Stop {
  // The program may end at any moment: input after that is dropped.
  const gone = () => undefined
  const stopKeys = terminal.keys((bytes) => {
    client.call('write', { terminalId, data: Buffer.from(bytes).toString('base64') }).catch(gone)
  })
  const stopSizes = terminal.onResize((size) => {
    client.call('resize', { terminalId, ...size }).catch(gone)
  })
  return () => {
    stopKeys()
    stopSizes()
  }
}

const ctrlD = Uint8Array.of(0x04)

/** Types what is piped in, and then says on standard error when the command asks something. Returns a function that stops both. */
function passInput(client: Client, terminalId: string, { pipedInput, complain }: CliOptions): Stop {
  const input = pipedInput()
  let isStopped = false
  const type = async () => {
    let last: number | undefined
    for await (const chunk of input?.chunks ?? []) {
      await client.call('write', { terminalId, data: Buffer.from(chunk).toString('base64') })
      last = chunk.at(-1) ?? last
    }
    // In the middle of a line the first ctrl+d only hands that over.
    const ends = last === undefined ? 0 : last === 0x0a ? 1 : 2
    for (let end = 0; end < ends; end++)
      await client.call('write', { terminalId, data: Buffer.from(ctrlD).toString('base64') })
    await sayWhatIsAsked()
  }
  const sayWhatIsAsked = async () => {
    while (!isStopped) {
      const waiting = { terminalIds: [terminalId], waitFor: 'ready' as const, waitTimeoutMs: waitMsMax }
      const [terminal] = (await client.call('wait', waiting)).terminals
      if (terminal?.held !== undefined) complain(`agentpty: ${terminal.held}\n`)
      if (terminal?.outcome === 'timeout' || terminal?.outcome === 'needs_approval') continue
      if (terminal?.outcome !== 'met' || isStopped) return
      const { output } = await client.call('read', { terminalId })
      const question = output.trimEnd().split('\n').at(-1) ?? ''
      const answer = terminal.kind === 'password' ? `secret ${terminalId}` : `send ${terminalId} TEXT`
      complain(`agentpty: it asks ${JSON.stringify(question)} and waits. Answer with: agentpty ${answer}\n`)
      return
    }
  }
  type().catch((error: unknown) => {
    // The command may end before all was typed.
    if (!isStopped) complain(`agentpty: ${error instanceof Error ? error.message : String(error)}\n`)
  })
  return () => {
    isStopped = true
    input?.stop()
  }
}

async function passOn(client: Client, terminalId: string, options: CliOptions, isRaw: boolean): Promise<Exit> {
  const { print } = options
  const plain = new PlainText()
  for await (const event of client.follow(terminalId, { output: { since: 0 } })) {
    if (event.type === 'output' && event.missedBytes > 0)
      options.complain(`agentpty: ${event.missedBytes} bytes are gone.\n`)
    if (event.type === 'output') await print(isRaw ? event.bytes : plain.push(event.bytes))
    if (event.type === 'exit') {
      await print(plain.end())
      complainOfGaps(options, { invalidBytes: plain.invalidBytes })
      return event.exit
    }
  }
  // The terminal was closed by another client.
  return { code: null, signal: 'SIGHUP' }
}

function codeOf({ code, signal }: Exit): number {
  return code ?? signalBase + (signalNumbers[signal ?? ''] ?? 0)
}

/** Continues to wait when the verb returns before a long command has ended. */
async function runInShell(
  client: Client,
  { options, words, flags, json }: CommandCall,
  terminalId: string,
): Promise<number> {
  let seen = await client.call(
    'run',
    defined({
      terminalId,
      command: words.join(' '),
      cwd: textFlag(flags, 'cwd'),
      clearLine: flags['clear-line'] === true,
      timeoutMs: waitMsMax,
    }),
  )
  await options.print(json ? '' : seen.output)
  while (seen.outcome === 'timeout' || seen.outcome === 'needs_approval') {
    if (seen.held !== undefined && !json) options.complain(`agentpty: ${seen.held}\n`)
    const more = await client.call('read', {
      terminalId,
      since: seen.cursor,
      waitFor: 'command',
      waitTimeoutMs: waitMsMax,
    })
    await options.print(json ? '' : more.output)
    seen = { ...seen, ...more, ...joinOutput(seen, more) }
  }
  if (seen.note !== undefined && !json) options.complain(`agentpty: ${seen.note}\n`)
  if (!json) complainOfGaps(options, seen)
  if (json) options.print(`${JSON.stringify(seen)}\n`)
  else if (seen.output !== '' && !seen.output.endsWith('\n')) options.print('\n')
  if (seen.exitCode !== undefined) return seen.exitCode
  if (seen.outcome === 'exited') return exitCode.exited
  options.complain(
    `agentpty: it asks something and waits (${seen.kind ?? 'other'}). Answer with: agentpty send ${terminalId}\n`,
  )
  return exitCode.timeout
}
