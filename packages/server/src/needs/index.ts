/** Needs of persons, the overview and notifications. Other modules import this file alone. */

export { needHandlers } from './handlers.ts'
export { notifyOfNeeds } from './notifications.ts'
export { Outbox } from './outbox.ts'
export { TerminalsOverview } from './overview.ts'
export { type PersonsWork, personOf } from './person-fields.ts'
