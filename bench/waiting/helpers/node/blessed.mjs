// neo-blessed: a list on the whole screen, a loading box, a question box
import blessed from 'neo-blessed'
import { truth } from './truth.mjs'

const screen = blessed.screen({ smartCSR: true })
const list = blessed.list({
  parent: screen,
  keys: true,
  items: ['apple', 'pear', 'plum'],
  width: '50%',
  height: '50%',
  border: 'line',
  style: { selected: { inverse: true } },
})
const loading = blessed.loading({
  parent: screen,
  top: 'center',
  left: 'center',
  width: 30,
  height: 5,
  border: 'line',
  hidden: true,
})
const question = blessed.question({
  parent: screen,
  top: 'center',
  left: 'center',
  width: 30,
  height: 7,
  border: 'line',
  hidden: true,
})
list.on('select', () => {
  loading.load('Picking it')
  setTimeout(() => {
    loading.stop()
    question.ask('Eat it?', () => {
      list.focus()
      screen.render()
      truth()
    })
    screen.render()
    truth()
  }, 1500)
})
screen.key('q', () => process.exit(0))
list.focus()
screen.render()
truth()
