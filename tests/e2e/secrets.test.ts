/** Secrets hidden from models: by their format, by names of variables, and those typed by a person. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { program } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
writeFileSync(join(instance.home, 'config.yaml'), 'maskedVariables: DEPLOY_CODE\nremovedVariables: DROPPED_*\n')

/** In two pieces, so that the test's own text is not masked. */
const token = `ghp_${'aB3dE5gH7j'.repeat(3)}aB3dE5`

test('a printed token is masked in results, on screens, on the command line and in recordings', async () => {
  const caller = await instance.mcp()
  const { terminalId } = await caller.call('create', { shell: 'bash' })
  const { output } = await caller.call('send', { terminalId, text: `printf 'token: %s%s\\n' ghp_ ${token.slice(4)}` })
  expect(output).toContain('token: [masked: GitHub token]')
  const shown = [
    JSON.stringify(await caller.call('screenshot', { terminalId })),
    (await caller.call('read', { terminalId, since: 0 })).output,
    (await instance.cli('read', terminalId)).stdout,
    (await instance.cli('recording', terminalId)).stdout,
  ]
  for (const text of shown) {
    expect(text).toContain('[masked: GitHub token]')
    expect(text).not.toContain(token)
  }
})

test('a token split between two results is masked in the second, and in the recording', async () => {
  const client = await instance.rpc()
  const command = [
    'bash',
    '-c',
    `stty -echo; printf 'it is ${token.slice(0, 9)}'; read; echo '${token.slice(9)}.'; exec cat`,
  ]
  const { terminalId, output, cursor } = await client.call('create', { command })
  expect(output).toBe(`it is ${token.slice(0, 9)}`)
  const { output: rest } = await client.call('send', { terminalId, text: '', waitFor: { text: '.' } })
  expect(rest).toBe('[masked: GitHub token].')
  const read = await client.call('read', { terminalId, since: cursor, raw: true })
  expect([read.output, read.cursor]).toEqual(['[masked: GitHub token].\r\n', `it is ${token}.\r\n`.length])
  expect((await client.call('read', { terminalId, since: 0 })).output).toBe('it is [masked: GitHub token].')
  const { recording } = await client.call('recording', { terminalId })
  const [, ...events] = recording.split('\n')
  expect(events.join()).toContain('[masked: GitHub token]')
  expect(events.join()).not.toContain(token.slice(0, 9))
})

test('variables named like secrets are masked, and those removed by the configuration are missing', async () => {
  const env = { MY_API_KEY: 'q9-fancy-value', DEPLOY_CODE: 'bluehorse', DROPPED_X: 'gone', KEPT_X: 'kept' }
  const client = await instance.rpc(env)
  const { terminalId } = await client.call('create', { shell: 'bash' })
  const { output } = await client.call('send', { terminalId, text: 'echo $MY_API_KEY $DEPLOY_CODE $DROPPED_X $KEPT_X' })
  expect(output).toContain('[masked: secret] [masked: secret] kept')
})

test('a secret typed by a person reaches the program, and no model sees it', async () => {
  const client = await instance.rpc()
  const ask = 'read -s -p "Code: " x; echo; echo "length ${#x}, it is $x"'
  const { terminalId } = await client.call('create', { command: ['bash', '-c', ask], waitFor: { text: 'Code:' } })
  const typing = spawn(process.execPath, [program, 'secret', terminalId], { env: instance.env })
  typing.stdin.end('correct horse\n')
  expect((await once(typing, 'exit'))[0]).toBe(0)
  const { output } = await client.call('read', { terminalId, since: 0, waitFor: 'exit' })
  expect(output).toContain('length 13, it is [masked: secret]')
})

test('no secret is typed at a shell’s prompt, and none by a program inside a terminal', async () => {
  const client = await instance.rpc()
  const { terminalId, pid } = await client.call('create', { shell: 'bash' })
  await expect(client.call('secret', { terminalId, text: 'rm -rf build' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('is a command'),
  })
  const inside = await instance.rpcFrom(pid)
  await expect(inside.call('secret', { terminalId, text: 'anything' })).rejects.toMatchObject({ code: 'denied' })
})
