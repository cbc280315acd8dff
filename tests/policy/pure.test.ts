/** Judging is a pure function: it changes no argument, and the same line in the same state gets the same verdict. */

import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import {
  judge,
  judgeAtPrompt,
  judgeStart,
  judgeWrite,
  judgeWrites,
  type PolicySession,
  type Situation,
  touchesOf,
} from '@agentpty/shell-policy'
import { freshSession, judgeLine, rulesOf } from '@agentpty/shell-policy/testing'
import { expect, test } from 'vitest'

interface Row {
  readonly command: string | readonly string[]
  readonly shell: Situation['shell']
}

const rows: readonly Row[] = ['corpus.jsonl', 'unseen.jsonl'].flatMap((file) =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line)),
)

/** Lines that change every part of the state. */
const earlierLines = [
  'cd src; x=/etc; y=(a b); declare -n r=x; set -- /usr b',
  'alias t="rm -rf build"; f() { cd /tmp; z=1; rm "$1"; }',
  'ln -s / top; echo "rm -rf /" > s.sh; exec 3< s.sh',
  'git clone https://example.com/c.git; git add .env',
]

/** Throws on any write to it. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (value instanceof Map) {
    const refuse = () => {
      throw new Error('a map of the state was changed')
    }
    Object.assign(value, { set: refuse, delete: refuse, clear: refuse })
    for (const one of value.values()) frozen(one)
  }
  for (const one of Object.values(value)) frozen(one)
  return Object.freeze(value)
}

const after = (session: PolicySession, line: string) =>
  judge(line, session, { profile: 'standard', shell: 'bash' }).session
const sessions = [freshSession(), earlierLines.reduce(after, freshSession())].map(frozen)

const rules = rulesOf({
  user: "deny: [npm publish]\nask: [git push]\nallow: ['rm **']\npaths: {deny: [/srv/app/keys]}",
})

const entries: Readonly<Record<string, (line: string, session: PolicySession, situation: Situation) => unknown>> = {
  judge,
  judgeLine: (line, { state }, situation) => judgeLine(line, state, situation),
  judgeWrite: (line, session, situation) => judgeWrite(`${line}\r`, session, situation, { isConfirmed: false }),
  judgeWrites: (line, session, situation) => judgeWrites([line.slice(0, 5), `${line.slice(5)}\r`], session, situation),
  judgeAtPrompt: (line, session, situation) =>
    judgeAtPrompt({ line, wouldRun: true, program: line }, session, situation),
  'judgeStart of a line': (line, session, situation) =>
    judgeStart({ variables: [['PAGER', 'less']], command: line, text: line }, session, situation),
  'judgeStart of words': (line, session, situation) =>
    judgeStart({ variables: [], command: line.split(' '), text: line }, session, situation),
  touchesOf,
}

test.each(Object.entries(entries))('%s changes no argument, and returns the same result twice', (_name, entry) => {
  const changed = rows.filter(({ command, shell }, index) => {
    const line = typeof command === 'string' ? command : command.join('')
    const situation = frozen<Situation>({ profile: 'standard', shell, ...(index % 2 === 0 ? {} : { rules }) })
    return !sessions.every((session) =>
      isDeepStrictEqual(entry(line, session, situation), entry(line, session, situation)),
    )
  })
  expect(changed.map(({ command }) => command)).toEqual([])
})
