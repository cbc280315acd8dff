// @inquirer/prompts: a raw list, an expandable choice, a number, then a confirmation whose theme has a spinner while it validates
import { confirm, expand, number, rawlist } from '@inquirer/prompts'
import { burn, sleep } from './truth.mjs'

await rawlist({ message: 'Which branch', choices: ['main', 'next', 'old'].map((value) => ({ value })) })
await sleep(1300)
await expand({
  message: 'Conflict in a.txt',
  default: 'd',
  choices: [
    { key: 'y', name: 'Overwrite', value: 'y' },
    { key: 'a', name: 'Overwrite all', value: 'a' },
    { key: 'd', name: 'Show the difference', value: 'd' },
  ],
})
burn(1100)
await number({
  message: 'How many workers',
  validate: async (count) => {
    await sleep(1500)
    return count < 9 || 'At most eight'
  },
})
await confirm({ message: 'Go on' })
await sleep(60_000)
