/** The same as parallel.py, in threads of Node, half of whose calls are made by the pool of libuv. */

import { renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { unlink, writeFile } from 'node:fs/promises'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

const threads = 16
const rounds = 40
const home = process.env.HOME

async function work(number) {
  let refused = 0
  for (let at = 0; at < rounds; at++) {
    writeFileSync(`t${number}`, `${at}`)
    renameSync(`t${number}`, `u${number}`)
    unlinkSync(`u${number}`)
    await writeFile(`${home}/new${number}`, `${at}`)
    await unlink(`${home}/new${number}`)
    if (at !== rounds / 2) continue
    try {
      await unlink(`${home}/keep/k${number}`)
    } catch (error) {
      if (error.code !== 'EACCES') throw error
      refused++
    }
  }
  writeFileSync(`end${number}`, `${number}`)
  return refused
}

if (isMainThread) {
  const codes = Array.from({ length: threads }, (_, number) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: number })
    return new Promise((done) => worker.on('exit', done))
  })
  // A thread ends with the number of calls that were refused.
  const refused = await Promise.all(codes)
  process.stdout.write(`refused ${refused.reduce((sum, one) => sum + one, 0)}\n`)
} else process.exit(await work(workerData))
