// a wizard of inquirer beside a timer that asks for a newer version every two seconds and draws nothing
import { createServer } from 'node:http'
import { confirm, input, select } from '@inquirer/prompts'
import { sleep, truth } from '../truth.mjs'

const registry = createServer((_request, response) => response.end('{"version":"1.0.0"}'))
await new Promise((done) => registry.listen(0, '127.0.0.1', done))
setInterval(async () => {
  const answer = await fetch(`http://127.0.0.1:${registry.address().port}/latest`)
  await answer.json()
}, 2000)
const ask = (prompt, question) => {
  const answer = prompt(question)
  truth()
  return answer
}
await ask(input, { message: 'Project name:', default: 'shop' })
await sleep(3200)
await ask(select, { message: 'Database:', choices: ['sqlite', 'postgres', 'mariadb'] })
await ask(confirm, { message: 'Install the packages?', default: true })
await sleep(60_000)
