/**
 * The extension against its goals, in a real VS Code (code-server) on this machine: a new terminal, echoes, a flood, keys, a hundred
 * terminals, and how long it takes to be activated.
 *
 *   npm run bench:vscode                        all of it; some three minutes, and four more for the editor the first time
 *   npm run bench:vscode -- --only tabs           processor time of the editor's tasks, which holds on a busy machine, too
 */

import { parseArgs } from 'node:util'
import { Instance } from '../../tests/harness/instance.ts'
import { Editor } from '../../tests/vscode/editor.ts'
import { load } from '../page/scene.ts'
import { activation, creates, echoes, flood, hundred, keys, tabs, type Window } from './measures.ts'

const measures: Readonly<Record<string, (window: Window) => Promise<string>>> = {
  activation,
  create: creates,
  echo: echoes,
  keys,
  flood,
  tabs,
  hundred,
}

const { values } = parseArgs({ options: { only: { type: 'string', default: Object.keys(measures).join(',') } } })
const say = (text: string) => void process.stdout.write(`${text}\n`)

const instance = new Instance()
const editor = await Editor.open(instance, { 'terminal.integrated.scrollback': 100_000 })
try {
  const agent = await instance.mcp()
  await editor.showView()
  for (const name of values.only.split(',')) {
    const measure = measures[name]
    if (measure === undefined) throw new Error(`${name} is none of: ${Object.keys(measures).join(', ')}`)
    say(`${name}: ${await measure({ instance, editor, agent })}`)
    say(`load of the machine: ${load()}`)
  }
} finally {
  await editor.close()
  await instance.stop()
}
