import type { EffectQuestion, EffectVerb } from '@agentpty/protocol/effects'
import { expect, test } from 'vitest'
import { effectOf, reasonOf, wantedBy } from './question-words.ts'

const question = (program: string, verb: EffectVerb, area: string, path: string): EffectQuestion => ({
  kind: 'asks',
  id: 1,
  count: 1,
  verb,
  program,
  pid: 10,
  group: 10,
  command: program,
  area,
  path,
  answer: 'open',
  leftMs: 1,
})

test.each<[EffectQuestion, string, string]>([
  [
    question('docker', 'connect', 'docker', 'docker/run/docker.sock'),
    'docker wants to connect to docker',
    'it acts outside this terminal, where the gate does not see it; its socket is /run/docker.sock',
  ],
  [
    question('pkill', 'signal', 'node', 'node/4711 node server.js'),
    'pkill wants to send a signal to node',
    'process 4711, which this terminal has not started: node server.js',
  ],
  [
    question('kill', 'signal', 'every process', 'every process/of this user'),
    'kill wants to send a signal to every process',
    'of this user',
  ],
  [
    question('gdb', 'trace', 'kworker_0:1', 'kworker_0:1/12 '),
    'gdb wants to debug kworker_0:1',
    'process 12, which this terminal has not started',
  ],
  [
    question('killall', 'signal', '/', 'node/4711 node server.js'),
    'killall wants to send a signal to many more processes',
    'the answer is for all that this job has not been asked about; the first of these is node/4711 node server.js',
  ],
])('%j is asked as "%s" (%s)', (asked, wanted, effect) => {
  expect([wantedBy(asked), effectOf(asked, () => 0), reasonOf(asked)]).toEqual([
    wanted,
    effect,
    'It is outside this terminal. The first call is held: nothing has happened yet.',
  ])
})

test('a job that was asked about in many places is asked about all others', () => {
  const asked = question('python3', 'delete', '/', '/data/17/f')
  expect([wantedBy(asked), effectOf(asked, () => 0)]).toEqual([
    'python3 wants to delete files in many more places',
    'the answer is for all that this job has not been asked about; the first of these is /data/17/f',
  ])
})
