/**
 * The scripted model as a program:
 *
 *   node --import tsx tools/fake-model/main.ts --script FILE.json [--port N] [--log FILE.jsonl] [--dump FOLDER]
 *
 * Prints one line when it listens: {"ready":true,"url":"http://127.0.0.1:N","pid":...}
 */

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startFakeModel } from './server.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { script: text, port: text, log: text, dump: text } })
if (values.script === undefined) {
  process.stderr.write('usage: main.ts --script FILE.json [--port N] [--log FILE.jsonl] [--dump FOLDER]\n')
  process.exit(2)
}
const { url } = await startFakeModel({
  script: JSON.parse(readFileSync(values.script, 'utf8')),
  port: Number(values.port ?? 0),
  logFile: values.log,
  dumpFolder: values.dump,
})
process.stdout.write(`${JSON.stringify({ ready: true, url, pid: process.pid })}\n`)
