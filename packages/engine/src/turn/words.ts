/** Evidence in words: the rows of the table of evidence, with what is seen filled in. */

import type { Activity, Facts } from '@agentpty/protocol'
import type { TurnMoment } from './turn-moment.ts'

const calls = { read: 'read', poll: 'poll', select: 'select', epoll: 'epoll', io_uring: 'io_uring', none: '' } as const

function inCall(facts: Facts): string {
  return `${facts.name} waits in ${calls[facts.wait]} on ${facts.inner ? 'the terminal inside this one' : 'this terminal'}`
}

const doings: Readonly<Record<Activity, string>> = {
  none: 'does something else',
  runs: 'runs',
  sleeps: 'sleeps for a time it has set',
  child: 'waits for a child',
  network: 'waits for the network',
  pipe: 'waits for another program',
  thread: 'waits for another thread',
  disk: 'waits for the disk',
  stopped: 'is stopped',
  other: 'waits for something else',
  rounds: 'sleeps for short times, again and again',
}

function whatItDoes(facts: Facts): string {
  if (facts.foreground <= 0) return 'no program in the foreground'
  return `${facts.name || `process group ${facts.foreground}`} ${doings[facts.activity]}`
}

/** The placeholders in the reasons of the table, and what replaces them. */
const placeholders: Readonly<Record<string, (facts: Facts) => string | number | null>> = {
  name: ({ name }) => name,
  call: inCall,
  does: whatItDoes,
  sockets: ({ sockets }) => sockets,
  otherFds: ({ otherFds }) => otherFds,
  timeoutMs: ({ timeoutMs }) => timeoutMs,
}

export type Words = (moment: TurnMoment) => string

/** Returns a function that fills a reason in. `{report}` is what the agent's report says, the others are of the facts. */
export function wordsOf(reason: string): Words {
  const [start = '', ...rest] = reason.split('{')
  const parts = rest.map((part) => {
    const [name = '', text = ''] = part.split('}')
    return { name, text }
  })
  return (moment) => parts.reduce((words, { name, text }) => words + seenAt(name, moment) + text, start)
}

function seenAt(name: string, { agent, facts }: TurnMoment): string {
  if (name === 'report') return agent?.why ?? ''
  return facts === null ? '' : String(placeholders[name]?.(facts) ?? '')
}
