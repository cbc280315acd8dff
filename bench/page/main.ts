/**
 * The page against its goals, in Debian's Chromium on this machine: first load, first paint, find, keys, the wall, a page at rest, and
 * what viewers cost a flood.
 *
 *   npm run bench:page                          all of it; some five minutes
 *   npm run bench:page -- --only keys,wall
 *   npm run bench:page -- --listed 1000         additional terminals besides those on the wall
 */

import { parseArgs } from 'node:util'
import { find, findEnv } from './find.ts'
import { alone, firstLoad, firstPaint, flood, idle, wall, withHistory } from './measures.ts'
import { load, openScene, openTerminals, type Scene } from './scene.ts'
import { scroll, scrollEnv } from './scroll.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'load,paint,history,scroll,find,keys,idle,wall,flood' },
    listed: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '3' },
  },
})
const say = (text: string) => void process.stdout.write(`${text}\n`)

const historyBytes = 1e9

const measures: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  load: async () => say(`first load: ${firstLoad()}`),
  paint: async (scene) => {
    const [terminalId = ''] = await openTerminals(scene, 1, ['sh', '-c', 'echo painted; exec cat'], 'paint')
    say(`load of the page to the first terminal painted: ${await firstPaint(scene, terminalId, 20)}`)
  },
  history: async (scene) => {
    const terminalId = await withHistory(scene, historyBytes)
    say(`the same with ${historyBytes / 1e9} GB of history: ${await firstPaint(scene, terminalId, 20)}`)
  },
  scroll: async (scene) => {
    for (const line of await scroll(scene)) say(`scroll: ${line}`)
  },
  find: async (scene) => {
    for (const line of await find(scene)) say(`find: ${line}`)
  },
  keys: async (scene) => say(`key to glyph, alone: ${await alone(scene)}`),
  idle: async (scene) => {
    const [terminalId = ''] = await openTerminals(scene, 1, ['cat'], 'idle')
    say(`a page at rest: ${await idle(scene, terminalId)}`)
  },
  wall: async (scene) => {
    for (const line of await wall(scene, Number(values.listed))) say(`wall: ${line}`)
  },
  flood: async (scene) => {
    for (const line of await flood(scene, Number(values.rounds))) say(`flood: ${line}`)
  },
}

for (const name of values.only.split(',')) {
  const measure = measures[name]
  if (measure === undefined) throw new Error(`no measure ${name}; there are: ${Object.keys(measures).join(', ')}`)
  const scene = await openScene(name === 'scroll' ? scrollEnv : name === 'find' ? findEnv : {})
  try {
    await measure(scene)
  } finally {
    await scene.close()
  }
}
say(`load of the machine: ${load()}`)
