// @topcli/prompts: a question, a menu, several choices and a confirmation, with work of two kinds between them
import { confirm, multiselect, question, select } from '@topcli/prompts'
import { burn, sleep } from '../truth.mjs'

console.log('reading the workspace')
burn(900)
await question('Package to publish?', { defaultValue: 'tool' })
await sleep(1300)
await select('Which channel?', { choices: ['stable', 'beta', 'nightly'] })
burn(1200)
await multiselect('Which platforms?', { choices: ['linux', 'mac', 'windows'] })
await sleep(1100)
await confirm('Publish it?', { initial: false })
await sleep(60_000)
