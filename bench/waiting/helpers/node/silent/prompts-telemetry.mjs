// a wizard of prompts beside telemetry: a packet is sent each second, and nothing is drawn
import { createSocket } from 'node:dgram'
import prompts from 'prompts'
import { sleep, truth } from '../truth.mjs'

const socket = createSocket('udp4')
setInterval(() => socket.send('alive', 9, '127.0.0.1', () => {}), 1000)
const ask = (question) => {
  const answer = prompts({ name: 'answer', ...question })
  truth()
  return answer
}
await ask({ type: 'text', message: 'What is your project named?', initial: 'my-app' })
await ask({ type: 'toggle', message: 'Use TypeScript?', initial: false, active: 'Yes', inactive: 'No' })
await sleep(3200)
await ask({ type: 'text', message: 'Which import alias?', initial: '@/*' })
await sleep(60_000)
