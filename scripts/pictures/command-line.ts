/** The pictures of the command line: commands about the scene, typed into a shell of another instance, which draws its screens. */

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { Instance, program } from '../../tests/harness/instance.ts'
import { pictureFile, runIn, type Scene } from './scene.ts'
import { shop } from './shop.ts'

interface CommandPicture {
  readonly name: string
  readonly command: string
  readonly size: string
  /** On the screen when it is complete. */
  readonly text: string
}

const commands: readonly CommandPicture[] = [
  { name: 'cli-ls', command: 'agentpty ls', size: '100x12', text: 'editor' },
  { name: 'cli-needs', command: 'agentpty needs', size: '116x17', text: 'merge' },
  { name: 'cli-tree', command: 'agentpty tree', size: '116x13', text: 'docs-writer' },
  { name: 'cli-watch', command: 'agentpty watch', size: '130x36', text: 'docs-writer' },
]

export async function drawCommandLine(scene: Scene): Promise<void> {
  const instance = new Instance((home) => ({ PATH: `${join(home, 'bin')}:${process.env['PATH']}` }))
  try {
    writeProgram(join(instance.home, 'bin'), scene.instance.home)
    for (const picture of commands) await draw(picture, instance)
  } finally {
    await instance.stop()
  }
}

async function draw({ name, command, size, text }: CommandPicture, instance: Instance): Promise<void> {
  const agentpty = (...args: readonly string[]) => runIn(instance, args)
  await agentpty('new', '--name', name, '--shell', 'bash', '--cwd', shop, '--size', size)
  await agentpty('send', name, command, '--wait', `text:${text}`)
  await agentpty('wait', name, '--for', 'stable:500')
  for (const [theme, ending] of [
    ['dark', ''],
    ['light', '-light'],
  ] as const)
    await agentpty('screen', name, '--theme', theme, '--output', pictureFile(`${name}${ending}.svg`))
}

/** The program `agentpty` of the shells: its commands are about the instance `home`, not about the one of the shell. */
function writeProgram(folder: string, home: string): void {
  mkdirSync(folder)
  const file = join(folder, 'agentpty')
  const lines = [
    '#!/bin/sh',
    'unset AGENTPTY_TERMINAL AGENTPTY_LINEAGE',
    `export AGENTPTY_HOME='${home}'`,
    `exec '${process.execPath}' '${program}' "$@"`,
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  chmodSync(file, 0o755)
}
