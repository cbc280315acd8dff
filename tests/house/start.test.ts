/** A command starts with what it needs: it builds no schema of a verb and reads no YAML before it knows that it must. */

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const dist = path.resolve('packages/agentpty/dist')
const staticImport = /(?:^|;|\n)\s*import\s*(?:[\w*{][^'"()]*?from\s*)?"(\.[^"]+)"/g

/** The files of a bundle that are loaded before any of it runs. */
function loadedWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, from = ''] of readFileSync(file, 'utf8').matchAll(staticImport))
    loadedWith(path.resolve(path.dirname(file), from), seen)
  return seen
}

/** Paths below `packages`, or below `node_modules`. */
function sourcesIn(file: string): readonly string[] {
  const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: readonly string[] }
  return sources.map((source) => source.replace(/^(?:\.\.\/)+(?:.*(?:node_modules|packages)\/)?/, ''))
}

const sourcesOf = (files: Iterable<string>) => [...files].flatMap(sourcesIn)

test.each(['main.js', 'command-line.js'])('%s loads neither verbs nor YAML', (entry) => {
  const sources = sourcesOf(loadedWith(path.join(dist, entry)))
  expect(sources.length).toBeGreaterThan(10)
  expect(sources.filter((source) => /^(?:protocol\/src\/verbs\/|yaml\/)/.test(source))).toEqual([])
})

test.each(['terminals', 'wait', 'send', 'status'])('the commands in %s load no verbs', (name) => {
  const chunks = readdirSync(path.join(dist, 'chunks')).filter((file) => new RegExp(`^${name}-\\w+\\.js$`).test(file))
  const loaded = chunks.map((chunk) => sourcesOf(loadedWith(path.join(dist, 'chunks', chunk))))
  const sources = loaded.find((one) => one.includes(`cli/src/commands/${name}.ts`))
  expect(sources).toBeDefined()
  expect(sources?.filter((source) => source.startsWith('protocol/src/verbs/'))).toEqual([])
})
