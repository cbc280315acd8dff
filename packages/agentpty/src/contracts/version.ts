/** Which agentpty this is. The build puts the values in; sources that are run as they are have none. */

export const version = typeof __AGENTPTY_VERSION__ === 'string' ? __AGENTPTY_VERSION__ : '0.0.0-source'

/** Changes with every change of the code: a daemon of another build is replaced. */
export const build = `${version}+${typeof __AGENTPTY_BUILD__ === 'string' ? __AGENTPTY_BUILD__ : 'source'}`
