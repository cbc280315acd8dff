/**
 * Makes the pictures of the docs, in docs/pictures: the views of the page, the command line, VS Code, and the recorded demo of README. The
 * terminals in them are real, and work in a folder that is removed at the end.
 *
 *   npm run pictures -- --only page
 */
import process from 'node:process'
import { drawCommandLine } from './command-line.ts'
import { recordDemo } from './demo.ts'
import { drawPage } from './page.ts'
import { openScene, type Scene } from './scene.ts'
import { drawEditor } from './vscode.ts'

/** By the name for `--only`. */
const ofScene: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  page: drawPage,
  'command-line': drawCommandLine,
  // It closes terminals, so it is the last one.
  vscode: drawEditor,
}
const alone: Readonly<Record<string, () => void>> = { demo: recordDemo }
const names = [...Object.keys(ofScene), ...Object.keys(alone)]

const at = process.argv.indexOf('--only')
const only = at < 0 ? names : [process.argv[at + 1] ?? '']
const unknown = only.find((name) => !names.includes(name))
if (unknown !== undefined) throw new Error(`There are no pictures "${unknown}". Known: ${names.join(', ')}.`)

const wanted = Object.entries(ofScene).filter(([name]) => only.includes(name))
if (wanted.length > 0) {
  process.stdout.write('opening the terminals\n')
  const scene = await openScene()
  try {
    for (const [name, draw] of wanted) {
      process.stdout.write(`drawing: ${name}\n`)
      await draw(scene)
    }
  } finally {
    await scene.close()
  }
}
for (const [name, record] of Object.entries(alone)) if (only.includes(name)) record()
process.stdout.write('wrote docs/pictures; look at each one before you commit it\n')
