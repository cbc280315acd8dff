/** Every bound of approvals and grants. Durations are in milliseconds unless the name says otherwise. */

/**
 * What agents want to do that waits for a person: how much at once, how long each may be answered and its answer counts, and how many
 * answered ones are kept to be looked at.
 */
export const approvalsMax = 64
export const approvalKeptMs = 15 * 60 * 1_000
export const approvalsAnsweredMax = 200
/** How long a call waits for the answer while somebody is known to look: most clients give up after 60 s. */
export const approvalWaitMs = 45_000
/** How far a person is told what a line would delete: a large folder must not keep the others waiting. */
export const effectFilesMax = 20_000
export const effectMsMax = 30
/** What a person has allowed beyond once: how long it holds unless they say otherwise, at most, and how much of it there is. */
export const grantMs = 8 * 60 * 60 * 1_000
export const grantMsMax = 7 * 24 * 60 * 60 * 1_000
export const grantsMax = 100
/** After as many equal answers a person is offered to allow the like of it here. */
export const answersBeforeOffer = 3
/** Of what would be typed, how much a person is shown; what decided is shown beside it. */
export const approvalCharactersMax = 2_000
