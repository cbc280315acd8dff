// Every bound of push notifications. Sizes are bytes, durations milliseconds.

/** The words that a device may choose between. `brief`: only that something waits. `sentence`: also which terminal, and its question. */
export const pushWordings = ['brief', 'sentence'] as const
export type PushWording = (typeof pushWordings)[number]

/** The addresses of push services have 150 to 800 characters. */
export const pushEndpointCharactersMax = 2_000
/** A point of P-256 and a secret of 16 bytes, in base64url. */
export const pushKeyCharacters = 87
export const pushAuthCharacters = 22
/** The file of all subscriptions: at most one for each device. */
export const pushFileBytesMax = 256 * 1024
/** Hosts of push services that `pushHosts` may name. */
export const pushHostsMax = 16

/** All messages have this size before encryption, so that a push service learns nothing from it. Services accept 3,993. */
export const pushPlainBytes = 1_024
/** Characters of the title and of the text; each takes up to four bytes, or six as an escape in JSON. */
export const pushTitleCharactersMax = 60
export const pushTextCharactersMax = 150

/** How long a push service keeps a message for a device that is off: the person sees older needs on the page. */
export const pushTtlMs = 12 * 3_600_000
/** How long the signature of a message is valid. Services accept at most a day. */
export const pushTokenMs = 12 * 3_600_000
/** The time for one message, from the name of the service to its answer. */
export const pushSendMs = 10_000
/** The longest wait that a push service can ask for before the next try. */
export const pushRetryMsMax = 10 * 60_000
