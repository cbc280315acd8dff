const rl = require('node:readline').createInterface({ input: process.stdin, output: process.stdout })
const ask = () =>
  rl.question('project name: ', (a) => {
    const _t = setTimeout(() => {
      console.log(`created ${a}`)
      ask()
    }, 1500)
  })
ask()
