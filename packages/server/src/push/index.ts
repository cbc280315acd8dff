/** Push notifications to signed-in browsers. Other modules import this file alone. */

export { pushHandlers } from './handlers.ts'
export { KnownPushes, pushesFile } from './known-pushes.ts'
