/** Bounds of who may type. */

/** A text that was typed and not entered is remembered up to here. */
export const unsubmittedCharactersMax = 4_096

export const leaseReasonCharactersMax = 200
/** How long an agent waits for the line that a person is typing. */
export const personTypesMsMax = 10_000
/** How long a person has a terminal that they take over, unless they say otherwise or extend it. */
export const leaseMsDefault = 300_000
export const leaseMsMax = 86_400_000
/** Of somebody who is attached, and extends it for as long as they are: so late at most it goes back when their window is gone. */
export const attachedLeaseMs = 45_000
