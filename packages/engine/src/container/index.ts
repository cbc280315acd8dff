export { containerWords } from './container-words.ts'
export { Containers } from './containers.ts'
