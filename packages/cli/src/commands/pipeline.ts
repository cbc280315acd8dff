/** `agentpty pipeline`: steps that agents do, each with the answers of those that it needs. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Client, defined, invalidInput, machineUnfit, systemReason } from '@agentpty/protocol'
import { inputJsonSchema } from '@agentpty/protocol/mcp'
import { Pipeline, type ShownRun } from '@agentpty/protocol/pipelines'
import { type Command, type CommandCall, exitCode, printResult, withClient } from '../command.ts'
import { untilLeft } from '../until-left.ts'
import { changesText, runsText, runText } from './pipeline-text.ts'

export const pipeline: Command = {
  name: 'pipeline',
  usage: 'run FILE | ls | show RUN [STEP] | resume RUN | cancel RUN | schema',
  summary: 'run agents in steps; each step gets the answers of earlier steps',
  group: 'agents',
  words: [1, 3],
  choices: ['run', 'ls', 'show', 'resume', 'cancel', 'schema'],
  flags: {
    input: {
      type: 'string',
      short: 'i',
      multiple: true,
      help: 'run: the value of an input of the pipeline',
      value: 'NAME=TEXT',
    },
    cwd: { type: 'string', help: 'run: the working folder of the steps', value: 'DIR' },
    detach: { type: 'boolean', short: 'd', help: 'run, resume: do not wait for the end' },
  },
  notes: [
    'A run continues when you leave. When the daemon ends, the next one continues it.',
    'To print the answer of a step: agentpty pipeline show RUN STEP',
    'docs/pipelines.md describes the file. `schema` prints its JSON schema for editors.',
    'Exit codes of run and resume: 0 done, 1 a step failed or the run was cancelled.',
  ],
  examples: [
    'agentpty pipeline run audit.yaml --input path=src',
    'agentpty pipeline ls',
    'agentpty pipeline show run-3 summary',
    'agentpty pipeline resume run-3',
  ],
  run: (call) => {
    const [verb = '', ...words] = call.words
    if (verb === 'schema') return printSchema(call)
    const found = verbs[verb]
    if (found === undefined || words.length < found.words[0] || words.length > found.words[1])
      throw invalidInput(`pipeline ${call.words.join(' ')}: no such thing.`, `Use: agentpty pipeline ${pipeline.usage}`)
    return withClient(call.options, (client) => found.run({ ...call, words }, client))
  },
}

async function printSchema({ options }: CommandCall): Promise<number> {
  await options.print(`${JSON.stringify({ ...inputJsonSchema(Pipeline), title: 'agentpty pipeline' }, null, 2)}\n`)
  return exitCode.ok
}

interface Verb {
  readonly words: readonly [min: number, max: number]
  readonly run: (call: CommandCall, client: Client) => Promise<number>
}

const verbs: Readonly<Record<string, Verb>> = {
  run: { words: [1, 1], run },
  ls: { words: [0, 0], run: ls },
  show: { words: [1, 2], run: show },
  resume: { words: [1, 1], run: resume },
  cancel: { words: [1, 1], run: cancel },
}

async function run(call: CommandCall, client: Client): Promise<number> {
  const { options, words, flags } = call
  const [path = ''] = words
  const text = path === '-' ? await options.readInput() : fileText(resolve(options.folders.cwd, path))
  const cwd = typeof flags['cwd'] === 'string' ? flags['cwd'] : undefined
  const { run } = await client.call('runPipeline', defined({ text, inputs: inputsOf(flags['input']), cwd }))
  return followed(run, call, client)
}

async function resume(call: CommandCall, client: Client): Promise<number> {
  const [runId = ''] = call.words
  return followed((await client.call('resumePipeline', { runId })).run, call, client)
}

async function cancel({ options, words: [runId = ''], json }: CommandCall, client: Client): Promise<number> {
  const { run } = await client.call('cancelPipeline', { runId })
  return printResult({ options, json }, { run }, runText(run, options.isoTime))
}

async function ls({ options, json }: CommandCall, client: Client): Promise<number> {
  const { runs } = await client.call('pipelines', {})
  return printResult({ options, json }, { runs }, runsText(runs, options.isoTime))
}

async function show({ options, words: [runId = '', key], json }: CommandCall, client: Client): Promise<number> {
  if (key !== undefined) {
    const { output } = await client.call('stepOutput', { runId, key })
    if (output === null) throw invalidInput(`${key} of ${runId} has no answer.`, `See: agentpty pipeline show ${runId}`)
    return printResult({ options, json }, { output }, `${output}\n`)
  }
  const { runs } = await client.call('pipelines', { runId })
  const [found] = runs
  if (found === undefined) return exitCode.ok
  return printResult({ options, json }, { run: found }, runText(found, options.isoTime))
}

/** Prints the changes of the run's steps until the run ends. */
async function followed(begun: ShownRun, { options, flags, json }: CommandCall, client: Client): Promise<number> {
  const { runId } = begun
  const isOver = ({ state }: ShownRun) => state !== 'running'
  if (!json)
    await options.print(`${runId} has begun. It goes on when you leave; see it with: agentpty pipeline show ${runId}\n`)
  if (flags['detach'] === true) {
    if (json) await options.print(`${JSON.stringify({ run: begun })}\n`)
    return exitCode.ok
  }
  const left = new AbortController()
  const stop = untilLeft(options, () => left.abort())
  let [seen, now]: [ShownRun | null, ShownRun] = [null, begun]
  // Changes since the start of the run are printed immediately.
  let since = -1
  while (!left.signal.aborted) {
    if (!json) await options.print(changesText(seen, now))
    if (isOver(now)) break
    seen = now
    const next = await client
      .call('pipelines', { runId, since, waitTimeoutMs: 30_000 }, { signal: left.signal })
      .catch((error: unknown) => {
        if (!left.signal.aborted) throw error
        return null
      })
    now = next?.runs[0] ?? now
    since = next?.version ?? since
  }
  stop()
  await options.print(json ? `${JSON.stringify({ run: now })}\n` : runText(now, options.isoTime))
  return now.state === 'failed' || now.state === 'cancelled' ? exitCode.failed : exitCode.ok
}

/** Errors: `machine_unfit`. */
function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw machineUnfit(`${path} cannot be read: ${systemReason(error)}.`, 'Name a file, or - for standard input.')
  }
}

/** Errors: `invalid_input`. */
function inputsOf(given: CommandCall['flags'][string]): Record<string, string> {
  const texts = Array.isArray(given) ? given.map(String) : []
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=')
      if (at < 1) throw invalidInput(`--input ${text}: no NAME=TEXT.`, 'For example: --input path=src')
      return [text.slice(0, at), text.slice(at + 1)]
    }),
  )
}
