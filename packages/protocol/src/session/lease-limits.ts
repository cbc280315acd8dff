import type { Permit } from '../call/call-context.ts'

// Bounds of the lease.

/** A text that was typed and not entered is remembered up to here. */
export const unsubmittedCharactersMax = 4_096

export const leaseReasonCharactersMax = 200
/** How long an agent waits for the line that a person is typing. */
export const personTypesMsMax = 10_000
/** How long a person has a terminal that they take over, unless they say otherwise or extend it. */
export const leaseMsDefault = 300_000
export const leaseMsMax = 86_400_000
/** Lease of an attached person, which is extended while they are attached. It ends at most this late after their window is gone. */
export const attachedLeaseMs = 45_000

/**
 * The lease of a terminal: who may type into it. A person who takes it over excludes all other writers. Input for an
 * agent carries the lease's epoch from the start of its call, and is refused once that has changed.
 */
export const mayTypes = ['both', 'person', 'agent'] as const

/** A call that types, and the epoch of the lease when it began. */
export interface Typist {
  readonly isPerson: boolean
  readonly epoch: number
  readonly permit: Permit
}
