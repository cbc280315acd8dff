/** The walls of a terminal. Other modules import this file alone. */

export { tryBubblewrap } from './probe.ts'
export { makeWalls } from './walls.ts'
