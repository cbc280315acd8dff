import * as z from 'zod'
import { leaseReasonCharactersMax, mayTypes } from './lease-limits.ts'

export const Lease = z.object({
  mayType: z.enum(mayTypes),
  /** Grows with each change of the clients that may type. */
  epoch: z.number().int(),
  /** The person who has taken it, by their name in the journal; null while it is free. */
  holder: z.string().nullable(),
  reason: z.string().max(leaseReasonCharactersMax).nullable(),
  /** Milliseconds since 1970; null while it is free. */
  takenAt: z.number().nullable(),
  /** When it ends automatically, if it is not extended. */
  endsAt: z.number().nullable(),
  /** Log end when it was taken: what came after it is the person's work. */
  since: z.number().int().nullable(),
  /** Text that an agent had typed without Enter, and that was removed. */
  removed: z.string().nullable(),
})
export type Lease = Readonly<z.infer<typeof Lease>>

export const freeLease: Lease = {
  mayType: 'both',
  epoch: 0,
  holder: null,
  reason: null,
  takenAt: null,
  endsAt: null,
  since: null,
  removed: null,
}

/** An agent asks for a person to take the terminal over. */
export const WantedPerson = z.object({
  by: z.string(),
  reason: z.string().max(leaseReasonCharactersMax),
  /** Milliseconds since 1970. */
  since: z.number(),
})
export type WantedPerson = Readonly<z.infer<typeof WantedPerson>>

/** A report to the agent, once, after a person has had its terminal. */
export const HandBack = z.object({
  by: z.string(),
  /** Given back by the person, or ended automatically. */
  how: z.enum(['returned', 'ended']),
  /** Offset at which the lease began; and the log end when it was given back. */
  since: z.number().int(),
  until: z.number().int(),
  removed: z.string().nullable(),
  /** Milliseconds since 1970. */
  takenAt: z.number(),
  returnedAt: z.number(),
})
export type HandBack = Readonly<z.infer<typeof HandBack>>
