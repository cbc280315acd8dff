export { containerWords } from './container.ts'
export { Containers } from './containers.ts'
