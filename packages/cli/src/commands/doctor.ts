/** `agentpty doctor`: what is wrong, and what to do next, a line each as it becomes known. */

import { doctorAnswerMsDefault, doctorAnswerMsMax, invalidInput } from '@agentpty/protocol'
import type { Finding, FindingMark } from '@agentpty/protocol/setup'
import { type Command, exitCode, numberFlag } from '../command.ts'

export const runDoctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'check the installation and the connection of each registered client',
  group: 'start',
  words: [0, 0],
  flags: {
    timeout: {
      type: 'string',
      value: 'MS',
      help: `how long the daemon and the server of each client may take to answer; default ${doctorAnswerMsDefault}`,
    },
  },
  notes: [
    'ok: works. warn: works, but needs attention. wrong: does not work; the exit code is 1. Indented lines say what to do.',
  ],
  examples: ['agentpty doctor', 'agentpty doctor --json'],
  run: async ({ options, flags, json }) => {
    const answerMs = numberFlag(flags, 'timeout') ?? doctorAnswerMsDefault
    if (answerMs < 1 || answerMs > doctorAnswerMsMax)
      throw invalidInput(`--timeout ${answerMs}: not from 1 to ${doctorAnswerMsMax}.`, 'It is in ms.')
    const paint = options.terminal === null ? (_mark: FindingMark, text: string) => text : painted
    const findings: Finding[] = []
    for await (const finding of options.doctor({ answerMs })) {
      const isFirst = findings.at(-1)?.group !== finding.group
      findings.push(finding)
      if (!json) await options.print(`${isFirst ? heading(finding, findings.length > 1) : ''}${toLine(finding, paint)}`)
    }
    const isWrong = findings.some(({ mark }) => mark === 'wrong')
    await options.print(json ? `${JSON.stringify({ ok: !isWrong, findings })}\n` : `\n${summary(findings)}\n`)
    return isWrong ? exitCode.failed : exitCode.ok
  },
}

const headings: Readonly<Record<Finding['group'], string>> = {
  machine: 'This machine',
  daemon: 'The daemon',
  clients: 'Clients',
}

const heading = ({ group }: Finding, isLater: boolean) => `${isLater ? '\n' : ''}${headings[group]}\n`

/** Width of the longest name of a client. */
const nameWidth = 'Claude Desktop'.length
const markWidth = 'wrong'.length
const words: Readonly<Record<FindingMark, string>> = { ok: 'ok', hint: '-', warn: 'warn', wrong: 'wrong' }

type Paint = (mark: FindingMark, text: string) => string

function toLine({ mark, name, found, advice }: Finding, paint: Paint): string {
  const indent = ' '.repeat(2 + markWidth + 2 + nameWidth + 2)
  const line = `  ${paint(mark, words[mark].padEnd(markWidth))}  ${name.padEnd(nameWidth)}  ${found}\n`
  return advice === '' ? line : `${line}${indent}→ ${advice}\n`
}

const colours: Readonly<Record<FindingMark, number>> = { ok: 32, hint: 2, warn: 33, wrong: 31 }

const painted: Paint = (mark, text) => `\x1b[${colours[mark]}m${text}\x1b[0m`

function summary(findings: readonly Finding[]): string {
  const count = (mark: FindingMark) => findings.filter((finding) => finding.mark === mark).length
  const isWrong = count('wrong')
  const isOdd = count('warn')
  const things = (many: number) => (many === 1 ? '1 thing' : `${many} things`)
  const odd = isOdd === 0 ? '' : `${things(isOdd)} to look at.`
  const summary = isWrong === 0 ? 'Nothing is wrong.' : `${things(isWrong)} ${isWrong === 1 ? 'is' : 'are'} wrong.`
  return `${summary} ${odd}`.trim()
}
