// enquirer: autocomplete, a number, a form, with silent work between them
import enquirer from 'enquirer'
import { burn, sleep } from './truth.mjs'

await enquirer.prompt({ type: 'autocomplete', name: 'a', message: 'Pick a colour', choices: ['red', 'green', 'blue'] })
await sleep(1400)
await enquirer.prompt({ type: 'numeral', name: 'n', message: 'How many' })
burn(1200)
await enquirer.prompt({
  type: 'form',
  name: 'f',
  message: 'Who are you',
  choices: [{ name: 'first' }, { name: 'last' }],
})
