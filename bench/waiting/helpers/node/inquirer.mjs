// @inquirer/prompts: input, password, checkbox and a search whose source is slow
import { checkbox, input, password, search } from '@inquirer/prompts'
import { sleep } from './truth.mjs'

await input({ message: 'Your name' })
await sleep(1200)
await password({
  message: 'Token',
  mask: true,
  validate: async (x) => {
    await sleep(1500)
    return x === 'right' || 'The token is not valid'
  },
})
await checkbox({ message: 'Toppings', choices: ['cheese', 'ham', 'olives'] })
await search({
  message: 'City',
  source: async (term) => {
    await sleep(1300)
    return ['Rome', 'Riga', 'Oslo'].filter((c) => c.includes(term ?? ''))
  },
})
