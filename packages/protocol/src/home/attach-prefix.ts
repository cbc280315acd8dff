/** The prefix key of `agentpty attach`: a letter with ctrl, but none that terminals need themselves. */
export const prefixPattern = /^ctrl\+[a-gklnopqrstuvwxyz\]\\^_]$/

export const prefixHint = 'A letter with ctrl, except ctrl+h, i, j, m; or ctrl+], ctrl+\\, ctrl+^, ctrl+_'

export const prefixDefault = 'ctrl+]'
