/** Checks of an installation. Other modules import this file alone. */

export { findAgents } from './agent-programs.ts'
export { examine } from './doctor.ts'
