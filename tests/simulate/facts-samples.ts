/** Kernel facts of programs in several states. */

import type { Facts } from '@agentpty/protocol'
import type { FactsSample } from './steps.ts'

export function factsOf(sample: FactsSample, now: number): Partial<Facts> {
  switch (sample) {
    case 'waits':
      return {}
    case 'runs':
      return { wait: 'none', activity: 'runs', state: 'R', waiter: 0, waiterThread: 0, slices: now, consumed: false }
    case 'draws':
      return { wait: 'epoll', canonical: false, echo: false, otherFds: 4, sockets: 1, threads: 11, name: 'agent' }
    case 'asks-raw':
      return { wait: 'read', canonical: false, echo: false, readBytes: 1, name: 'editor' }
    case 'other-program':
      return { foreground: 201, waiter: 201, waiterThread: 201, name: 'other' }
  }
}
