/** Answers an installer that asks one question at a time, and recognises its password prompt. */

import assert from 'node:assert/strict'
import { openSession } from 'agentpty'

const installer = `
read -p "Install where? [/opt/tool] " where
read -p "Licence: accept? (yes/no) " licence; [ "$licence" = yes ] || exit 1
read -s -p "Password for the service: " password; echo
echo "installed in \${where:-/opt/tool}, password of \${#password} characters"`

await using session = await openSession({ command: ['bash', '-c', installer] })
const answers: Readonly<Record<string, string>> = { where: '', accept: 'yes', Password: 'secret word' }

let seen = await session.read({ since: 0, waitFor: 'ready' })
while (seen.state === 'ready') {
  const question = seen.output.trim().split('\n').at(-1) ?? ''
  const [, answer = ''] = Object.entries(answers).find(([word]) => question.includes(word)) ?? []
  console.log(`${question} -> ${seen.kind === 'password' ? '(a password)' : answer || '(as proposed)'}`)
  seen = await session.send(answer)
}
console.log(seen.output.trim())

assert.equal(seen.exitCode, 0)
assert.match(seen.output, /password of 11 characters/)
