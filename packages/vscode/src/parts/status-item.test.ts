import { TermError } from '@agentpty/protocol'
import type { Overview } from '@agentpty/protocol/overview'
import { expect, test } from 'vitest'
import type { LinkState } from '../link/link.ts'
import { rowOf } from '../testing/fake-daemon.ts'
import { lookOf } from './status-item.ts'

const two: Overview = { rows: [rowOf('a'), rowOf('b')], needs: [], nodes: [] }
const asks = { ...two, needs: [{}] } as unknown as Overview
const lost: LinkState = { kind: 'lost', error: new TermError('no_daemon', 'It is not there.', 'Install it.') }

test.each<[string, LinkState, Overview | null, string]>([
  ['shows no count before the first overview', { kind: 'connecting' }, null, '$(terminal) agentpty'],
  ['counts terminals', { kind: 'open' }, two, '$(terminal) 2'],
  ['counts open requests', { kind: 'open' }, asks, '$(terminal) 2 $(bell-dot) 1'],
  ['keeps its count while the daemon is replaced', { kind: 'connecting' }, two, '$(terminal) 2'],
  ['warns of a lost connection', lost, two, '$(warning) agentpty'],
  ['shows that agentpty was stopped', { kind: 'stopped' }, two, '$(circle-slash) agentpty'],
])('the status item %s', (_what, state, overview, text) => expect(lookOf(state, overview).text).toBe(text))
