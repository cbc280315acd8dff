// @clack/prompts as project generators use it: text, a spinner, a select, a confirm, tasks
import * as p from '@clack/prompts'
import { burn, sleep } from './truth.mjs'

p.intro('new project')
await p.text({ message: 'Where to?', placeholder: './app' })
const s = p.spinner()
s.start('Looking at the folder')
await sleep(1500)
s.stop('Folder is fine')
await p.select({
  message: 'Which kind?',
  options: [
    { value: 'a', label: 'Library' },
    { value: 'b', label: 'Website' },
  ],
})
burn(1200)
await p.confirm({ message: 'Install packages?' })
s.start('Installing')
await sleep(4000)
s.stop('Installed')
