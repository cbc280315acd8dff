/** The table of handlers, from that of verbs: each is the export of its verb's name in the file that is named after it. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { verbs } from '../../packages/agentpty/src/contracts/verbs/index.ts'

const source = join(import.meta.dirname, '../../packages/agentpty/src')
const modules = [...readdirSync(join(source, 'server')).map((name) => `server/${name}`), 'gym']

export function writeHandlers(): string {
  const names = Object.keys(verbs)
  const handlers = names.map((name) => ({ what: `{ ${name} }`, from: fileOf(kebabCase(name)) }))
  const imports = [...handlers, { what: 'type { Handlers }', from: './call/handler' }]
    .toSorted((a, b) => (a.from < b.from ? -1 : 1))
    .map(({ what, from }) => `import ${what} from '${from}.ts'`)
  return [
    '/** The table of handlers. Written by `npm run docs` from contracts/verbs/index.ts: add a verb there. */',
    '',
    ...imports,
    '',
    'export const handlers: Handlers = {',
    ...names.map((name) => `  ${name},`),
    '}',
    '',
  ].join('\n')
}

/** Seen from `server/`. Errors: throws when no module has the file. */
function fileOf(name: string): string {
  const found = modules.find((module) => existsSync(join(source, module, 'verbs', `${name}.ts`)))
  if (found === undefined) throw new Error(`no module has verbs/${name}.ts`)
  return `${found.startsWith('server/') ? `./${found.slice('server/'.length)}` : `../${found}`}/verbs/${name}`
}

function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
