/** Needs of persons, the overview and notifications. Other modules import this file alone. */

export { needHandlers, notifyOfNeeds, Outbox } from './notifications.ts'
export { TerminalsOverview } from './overview.ts'
export { type PersonsWork, personOf } from './person-fields.ts'
