export { Proxies } from './proxies.ts'
