/** The judge of lines: it always returns a verdict, and no preceding text makes it allow wiping the root. */

import assert from 'node:assert/strict'
import { policyShells } from '@agentpty/protocol/policy'
import { judge, judgeWrites, newSession, touchesOf } from '@agentpty/shell-policy'
import type { Target } from '../target.ts'

const surroundings = { cwd: '/srv/app', home: '/home/me', user: 'me', workspace: '/srv/app' }

export const policy: Target = {
  name: 'policy',
  covers: ['shell-policy/src/'],
  words: [
    ...['rm', 'rm -rf /', '-rf', '$HOME', '"$x"', '${x:-y}', '$(', ')', '`', '<(', '>(', '<<E\n', '\nE\n', '$((', '))'],
    ...[
      'if true; then ',
      'fi',
      'for x in a b; do ',
      'done',
      'case x in x) ',
      'esac',
      '{ ',
      '; }',
      'f() { ',
      '[[ ',
      ' ]]',
    ],
    ...['|', '||', '&&', '&', ';', '\n', '>', '>>', '<', '2>&1', '!', '!!', '^a^b', '\\\n', "'", '"', "$'\\x72m'"],
    ...[
      'alias a=b;',
      'x=1 ',
      'export PATH=. ',
      'eval ',
      'sudo ',
      'xargs ',
      'bash -c ',
      'find . -exec ',
      'env -S ',
      'ssh h ',
    ],
    ...[
      '{a,b}',
      '{1..9}',
      '*',
      '?',
      '[a]',
      '~',
      '/',
      '..',
      '/etc/passwd',
      'https://x.example',
      '\x03',
      '\x7f',
      '\x1b[D',
      '\t',
    ],
  ],
  bytesMax: 600,
  check(input) {
    const [first = 0] = input
    const shell = policyShells[first % policyShells.length] ?? 'bash'
    const text = Buffer.from(input.subarray(1)).toString('utf8')
    const situation = { profile: 'standard', shell } as const
    const alone = judge(text, newSession(surroundings), situation)
    assert.match(alone.judgement.verdict, /^(allow|ask|deny)$/)
    const after = judge(`${text}\nrm -rf /\n`, newSession(surroundings), situation).judgement.verdict
    // An unterminated here-document or quote may swallow it: then the line is incomplete and needs approval.
    if (shell === 'bash' && !/<<|#|exit|return|exec|\\$|^\s*!|["'`]/.test(text)) assert.notEqual(after, 'allow', text)
    judgeWrites([text, '\r'], newSession(surroundings), situation)
    const { removed, written, hosts } = touchesOf(text, newSession(surroundings), situation)
    assert.ok(removed.length <= 32 && written.length <= 32 && hosts.length <= 32)
  },
}
