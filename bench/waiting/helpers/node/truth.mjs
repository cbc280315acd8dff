// for Node helpers: truth("wait") writes that the wait begins now; sleep and burn are the two ways to be busy
import { appendFileSync } from 'node:fs'

export function truth(label = 'wait') {
  if (process.env.PHASE_LOG) appendFileSync(process.env.PHASE_LOG, `${process.hrtime.bigint()} ${label}\n`)
}
export const sleep = (ms) => new Promise((done) => setTimeout(done, ms))
export function burn(ms) {
  const until = Date.now() + ms
  while (Date.now() < until);
}
