// Node starts a shell that owns the terminal and asks; Node itself waits for it, then works
import { spawn } from 'node:child_process'
import { sleep } from './truth.mjs'

const run = (text) => new Promise((done) => spawn('sh', ['-c', text], { stdio: 'inherit' }).on('exit', done))
await sleep(700)
await run('printf "child asks: "; read x; sleep 1')
await sleep(700)
await run('stty -echo; printf "child secret: "; read x; stty echo; sleep 3')
