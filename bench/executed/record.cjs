// Loaded into each process of agentpty: writes which functions have run since it was asked last, at each SIGUSR2.
const { writeFileSync } = require('node:fs')
const { Session } = require('node:inspector')
const { join } = require('node:path')

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
let taken = 0
process.on('SIGUSR2', () => {
  session.post('Profiler.takePreciseCoverage', (error, answer) => {
    if (error) throw error
    taken += 1
    const name = `${process.pid}-${taken}.json`
    writeFileSync(join(process.env.EXECUTED_FOLDER, name), JSON.stringify(answer.result))
  })
})
