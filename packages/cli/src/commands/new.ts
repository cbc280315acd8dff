import { defined, invalidInput } from '@agentpty/protocol'
import { type Command, exitCode, numberFlag, textFlag, textsFlag, withClient } from '../command.ts'
import { conditionFlag, parseWaitFor, waitForHelp } from '../observation.ts'
import { gateFlag, gateOf, parseSize, sandboxFlags, sandboxOf } from '../parse-values.ts'

export const newTerminal: Command = {
  name: 'new',
  usage: '[COMMAND [ARG...]]',
  summary: 'open a terminal with your shell or a command',
  group: 'terminals',
  words: [0, Number.POSITIVE_INFINITY],
  takesCommand: true,
  flags: {
    name: {
      type: 'string',
      short: 'n',
      value: 'NAME',
      help: 'the name of the terminal; commands accept it in place of the id',
    },
    cwd: { type: 'string', value: 'DIR', help: 'the working folder' },
    shell: { type: 'string', value: 'SHELL', help: 'the shell to start; default: your own' },
    env: {
      type: 'string',
      short: 'e',
      multiple: true,
      value: 'NAME=VALUE',
      help: 'set an environment variable; may be repeated',
    },
    ...sandboxFlags,
    ...gateFlag,
    record: { type: 'boolean', help: 'record the terminal; `agentpty recordings` lists recordings' },
    size: { type: 'string', value: 'COLSxROWS', help: 'the size in cells; default 120x30' },
    wait: conditionFlag('wait for this condition before the command returns'),
    timeout: { type: 'string', value: 'MS', help: 'the longest wait; default 30000' },
  },
  notes: [
    'A single word is a shell line: new "npm test | tee log". Several words are run without a shell: new -- gdb -q ./a.out',
    waitForHelp,
  ],
  examples: ['agentpty new --name build', 'agentpty new --wait ready -- python3 -q'],
  run: async ({ options, words, flags, json }) => {
    const made = await withClient(options, (client) =>
      client.call(
        'create',
        defined({
          ...commandOf(words),
          name: textFlag(flags, 'name'),
          cwd: textFlag(flags, 'cwd'),
          shell: textFlag(flags, 'shell'),
          sandbox: sandboxOf(flags),
          gate: gateOf(flags),
          record: flags['record'] === true ? (true as const) : undefined,
          env: Object.fromEntries(textsFlag(flags, 'env').map(parseAssignment)),
          ...parseSize(textFlag(flags, 'size')),
          waitFor: parseWaitFor(textsFlag(flags, 'wait')) ?? 'none',
          waitTimeoutMs: numberFlag(flags, 'timeout'),
        }),
      ),
    )
    options.print(json ? `${JSON.stringify(made)}\n` : `${made.terminalId}\n`)
    return made.outcome === 'timeout' ? exitCode.timeout : exitCode.ok
  },
}

function commandOf(words: readonly string[]): { readonly command?: string | string[] } {
  const [only] = words
  if (only === undefined) return {}
  return { command: words.length === 1 ? only : [...words] }
}

function parseAssignment(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw invalidInput(`--env ${text}: not NAME=VALUE.`, 'For example: --env CI=true')
}
