// vorpal: a command interpreter in Node with a command that takes its time
import vorpal from 'vorpal'
import { sleep } from './truth.mjs'

const shell = vorpal()
shell.command('work', 'takes its time').action(async function () {
  await sleep(1500)
  this.log('work is done')
})
shell.command('sure', 'asks').action(function () {
  return this.prompt({ type: 'confirm', name: 'ok', message: 'Are you sure?' })
})
shell.delimiter('tool$').show()
