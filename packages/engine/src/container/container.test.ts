import { expect, test } from 'vitest'
import { containerWords, enterWords, terminalWords } from './container.ts'

const limits = { memoryBytes: 1_000, processes: 20, fileBytes: 300 }
const plain = {
  stage: '/stage',
  stageBytes: 500,
  layers: [],
  mounts: [],
  rootBytes: 700,
  hostname: 'agentpty',
  hasNetwork: false,
  limits,
}
const after = (words: readonly string[], name: string) => words[words.indexOf(name) + 1]

test('an overlay is named by its number, and a folder that is written itself by its path', () => {
  const words = containerWords({
    ...plain,
    layers: [
      { target: '/data', lowers: ['/a:b,c', '/d\\e'], folder: null },
      { target: '/copy', lowers: null, folder: '/folder' },
      { target: '/app', lowers: ['/f'], folder: null },
    ],
  })
  expect(words.join(' ')).toContain('--overlay /a\\:b\\,c:/d\\\\e --overlay /f')
  expect(words.join(' ')).toContain('--layer 0 /data --write /folder /copy --layer 1 /app')
  expect(after(words, '--stage-bytes')).toBe('500')
})

test('without an overlay only the root is in memory', () => {
  const words = containerWords({ ...plain, layers: [{ target: '/app', lowers: null, folder: '/folder' }] })
  expect(words).not.toContain('--stage-bytes')
  expect([after(words, '--root-bytes'), after(words, '--network'), after(words, '--memory')]).toEqual([
    '700',
    'off',
    '1000',
  ])
})

test('a program enters with the limits of single processes, on a terminal or on pipes', () => {
  expect(terminalWords('12:34', '/app', limits).join(' ')).toBe(
    'agentpty-wall --container 12:34 --cwd /app --processes 20 --file-size 300 -- --',
  )
  expect(enterWords('12:34', '/app', limits).join(' ')).toBe(
    '--enter 12:34 --cwd /app --processes 20 --file-size 300 --',
  )
})
