// consola: log lines, a text, a confirmation and a selection, with silent and with computing work between them
import { consola } from 'consola'
import { burn, sleep } from './truth.mjs'

consola.start('Reading the configuration')
await sleep(1000)
await consola.prompt('Name of the release', { type: 'text', placeholder: 'v1' })
consola.start('Collecting changes')
await sleep(1400)
await consola.prompt('Tag it now?', { type: 'confirm', initial: true })
burn(1200)
await consola.prompt('Where to publish', { type: 'select', options: ['registry', 'mirror', 'nowhere'] })
consola.info('Uploading')
await sleep(60_000)
