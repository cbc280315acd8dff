export { SweRex, type SweRexParts } from './swerex.ts'
