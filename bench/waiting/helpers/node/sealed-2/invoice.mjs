// answers come from the asynchronous iterator of readline, which stays open while a slow server is asked
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { truth } from '../truth.mjs'

const server = createServer((request, response) => {
  setTimeout(() => response.end('{}'), request.url === '/send' ? 60_000 : 3300)
})
await new Promise((done) => server.listen(0, '127.0.0.1', done))
const request = async (path) => (await fetch(`http://127.0.0.1:${server.address().port}${path}`)).json()

const lines = createInterface({ input: process.stdin, output: process.stdout })
const answers = lines[Symbol.asyncIterator]()
async function ask(question) {
  lines.setPrompt(question)
  lines.prompt()
  truth()
  return (await answers.next()).value
}
await ask('Customer number: ')
await request('/customer')
await ask('Month of the invoice [12]: ')
await request('/month')
await ask('Send the invoice to: ')
await request('/send')
