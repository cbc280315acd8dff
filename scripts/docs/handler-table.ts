/** The table of handlers, from that of verbs: each is the export of its verb's name in the file that is named after it. */

import { verbs } from '../../packages/agentpty/src/contracts/verbs/index.ts'

export function writeHandlers(): string {
  const names = Object.keys(verbs)
  const handlers = names.map((name) => ({ what: `{ ${name} }`, from: kebabCase(name) }))
  const imports = [...handlers, { what: 'type { Handlers }', from: 'steps/handler' }]
    .toSorted((a, b) => (a.from < b.from ? -1 : 1))
    .map(({ what, from }) => `import ${what} from './${from}.ts'`)
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

function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
