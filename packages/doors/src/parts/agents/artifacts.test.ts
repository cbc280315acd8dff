import { artifactBytesMax } from '@agentpty/protocol'
import { expect, test } from 'vitest'
import { toArtifact } from './artifacts.ts'

test('an artifact that is too long keeps its head, and its warning within the bound', () => {
  const { output, originalBytes, storedBytes, warning } = toArtifact({
    output: 'é'.repeat(1_000_000),
    originalBytes: 2_000_000,
  })
  expect(originalBytes).toBe(2_000_000)
  expect(storedBytes).toBeLessThanOrEqual(artifactBytesMax)
  expect(storedBytes).toBeGreaterThan(artifactBytesMax - 4)
  expect(warning).toBe('artifact truncated from 2000000 bytes to 1048576 bytes')
  expect(output.endsWith(`é\n\n[termtile-warning] ${warning}\n`)).toBe(true)
  expect(toArtifact({ output: 'short', originalBytes: 5 })).toEqual({
    output: 'short',
    originalBytes: 5,
    storedBytes: 5,
    warning: null,
  })
})
