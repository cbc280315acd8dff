// a wizard of @clack/prompts beside an update notifier: a timer looks at a file and draws nothing
import { statSync } from 'node:fs'
import { confirm, select, text } from '@clack/prompts'
import { sleep, truth } from '../truth.mjs'

setInterval(() => statSync(process.execPath), 1500)
const ask = (prompt, options) => {
  const answer = prompt(options)
  truth()
  return answer
}
await ask(text, { message: 'What is your project named?', placeholder: 'my-app', defaultValue: 'my-app' })
await ask(select, { message: 'Use a router?', options: [{ value: 'No' }, { value: 'Yes' }] })
await sleep(3000)
await ask(confirm, { message: 'Install the packages now?' })
await sleep(60_000)
