import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemReason } from './errors.ts'

/** The error of what fails. */
function errorOf(fails: () => unknown): unknown {
  try {
    fails()
  } catch (error) {
    return error
  }
  return null
}

test('the reason of a system error has neither its code, its call nor its path', () => {
  const folder = mkdtempSync(join(tmpdir(), "it's a, folder-"))
  try {
    expect(systemReason(errorOf(() => readFileSync(join(folder, 'none'))))).toBe('no such file or directory')
    expect(systemReason(errorOf(() => readFileSync(folder)))).toBe('illegal operation on a directory')
    expect(systemReason(errorOf(() => writeFileSync(folder, '')))).toBe('illegal operation on a directory')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the reason of any other error is its message', () => {
  expect(systemReason(new Error('Unexpected token, in JSON'))).toBe('Unexpected token, in JSON')
  expect(systemReason('no reason')).toBe('no reason')
})
