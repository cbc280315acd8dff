// a wizard that makes a project: text, a list with arrows, work behind a spinner, yes or no by one key; a timer ticks all the time
import { emitKeypressEvents } from 'node:readline'
import { burn, sleep, truth } from '../truth.mjs'

let ticks = 0
setInterval(() => {
  ticks += 1
}, 170)

emitKeypressEvents(process.stdin)
process.stdin.setRawMode(true)
const typed = []
let wake = () => {}
process.stdin.on('keypress', (text, key) => {
  if (key.ctrl && key.name === 'c') process.exit(1)
  typed.push({ text, name: key.name })
  wake()
})
async function nextKey() {
  while (typed.length === 0) {
    await new Promise((done) => {
      wake = done
    })
  }
  return typed.shift()
}

async function text(question) {
  process.stdout.write(`? ${question} › `)
  truth('text')
  let answer = ''
  for (;;) {
    const key = await nextKey()
    if (key.name === 'return') break
    answer += key.text ?? ''
    process.stdout.write(key.text ?? '')
  }
  process.stdout.write('\n')
  return answer
}

async function list(question, choices) {
  let at = 0
  process.stdout.write(`? ${question}\n`)
  for (;;) {
    for (const [index, choice] of choices.entries())
      process.stdout.write(`\x1b[K${index === at ? '❯' : ' '} ${choice}\n`)
    truth('list')
    const key = await nextKey()
    if (key.name === 'return') return choices[at]
    if (key.name === 'down') at = (at + 1) % choices.length
    if (key.name === 'up') at = (at + choices.length - 1) % choices.length
    process.stdout.write(`\x1b[${choices.length}A`)
  }
}

async function spin(label, ms) {
  const until = Date.now() + ms
  while (Date.now() < until) {
    process.stdout.write(`\r${'|/-\\'[ticks % 4]} ${label}`)
    await sleep(90)
  }
  process.stdout.write('\n')
}

const name = await text('Project name')
const frame = await list('Framework', ['none', 'small', 'large'])
await spin(`Fetching the template ${frame}`, 2400)
process.stdout.write(`? Overwrite ${name}/readme.md? (y/n) `)
burn(1500)
truth('confirm')
await nextKey()
process.stdout.write('\n')
const manager = await list('Install with', ['npm', 'pnpm', 'later'])
process.stdout.write(`${manager} is silent\n`)
await sleep(3800)
await text(`Start ${name} on port`)
process.stdout.write('? Open the page now › ')
await sleep(60_000)
