import './style.css'
import { openSocket } from './session/open-socket.ts'
import { signIn, takeCode } from './session/sign-in.ts'

const code = takeCode()
if (code) document.title = (await signIn(code)) ?? 'ok'
const s = await openSocket(() => {})
document.body.textContent = s ? 'signed in' : 'not signed in'
if (s) document.body.textContent += JSON.stringify(await s.client.call('list', {}))
