/** Evidence in words. */

import type { Activity, Facts } from '../../contracts/ports.ts'

const calls = { read: 'read', poll: 'poll', select: 'select', epoll: 'epoll', io_uring: 'io_uring', none: '' } as const

export function inCall(facts: Facts): string {
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

export function whatItDoes(facts: Facts): readonly string[] {
  if (facts.foreground <= 0) return ['no program in the foreground']
  return [`${facts.name || `process group ${facts.foreground}`} ${doings[facts.activity]}`]
}
