// prompts: a toggle, a multiselect, an invisible password
import prompts from 'prompts'
import { sleep } from './truth.mjs'

await prompts({ type: 'toggle', name: 't', message: 'Use types', active: 'yes', inactive: 'no' })
await sleep(1300)
await prompts({
  type: 'multiselect',
  name: 'm',
  message: 'Features',
  choices: [{ title: 'Router' }, { title: 'Tests' }],
})
await prompts({ type: 'invisible', name: 'i', message: 'Secret word' })
await sleep(3000)
