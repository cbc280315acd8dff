import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { z } from 'zod'

const root = join(import.meta.dirname, '..')
const packages = readdirSync(join(root, 'packages')).filter((name) =>
  existsSync(join(root, 'packages', name, 'tsconfig.json')),
)

const Config = z.object({ files: z.array(z.string()) })

test.each(packages)('the type check of %s reads every source of it', (name) => {
  const folder = join(root, 'packages', name)
  // The configuration alone: reading all files of all projects again took eight seconds.
  const args = [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder, '--showConfig']
  const { files } = Config.parse(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })))
  const listed = new Set(files.map((path) => join(folder, path)))
  const isSource = /\.tsx?$/
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => isSource.test(path) && !path.endsWith('.test.ts'))
    .map((path) => join(folder, 'src', path))
    .filter((path) => statSync(path).isFile())
  assert.deepEqual(
    sources.filter((path) => !listed.has(path)),
    [],
  )
})
