/** The version of this agentpty. The build inserts the values; sources that are run directly have none. */

export const version = typeof __AGENTPTY_VERSION__ === 'string' ? __AGENTPTY_VERSION__ : '0.0.0-source'

/** Changes with every change of the code: a daemon of another build is replaced. */
export const build = `${version}+${typeof __AGENTPTY_BUILD__ === 'string' ? __AGENTPTY_BUILD__ : 'source'}`
