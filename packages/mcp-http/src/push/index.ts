export { pushSender } from './send.ts'
