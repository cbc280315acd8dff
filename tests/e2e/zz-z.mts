import { Instance } from './instance.ts'
const instance = new Instance()
const person = await instance.rpc({}, { isPerson: true, program: 'ada' } as any)
const { terminalId } = await person.call('create', { shell: 'zsh' } as any)
const w = async (text: string) => { await person.call('write', { terminalId, data: Buffer.from(text).toString('base64') } as any).catch(async (e:any) => console.log(e.message)); await new Promise(r => setTimeout(r, 400)) }
const raw = async () => console.log(JSON.stringify(((await person.call('read', { terminalId, since: 0, raw: true } as any)) as any).output.slice(-420)))
await w(`echo 's1; true A'"\r`)
await w('!#')
await w('\x1b[5098~'); await raw()
await w('\x1b[5099~'); await raw()
await w('\r'); await w('"\r'); await raw()
await w('\x03'); await w('echo one two #\r'); await w("!!'!!"); await w('\x1b[5098~'); await raw();  await w('\x1b[5099~'); await raw()
await instance.stop()
