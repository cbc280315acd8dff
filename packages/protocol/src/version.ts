/** The version of this agentpty. The build inserts the values; sources that are run directly have none. */

export const version = typeof __AGENTPTY_VERSION__ === 'string' ? __AGENTPTY_VERSION__ : '0.0.0-source'

/** How people install agentpty. The package is not published: once it is, this names it, as the pages do. */
export const howToInstall = 'In a checkout of agentpty: npm run install:user'

/** Changes with every change of the code: a daemon of another build is replaced. */
export const build = `${version}+${typeof __AGENTPTY_BUILD__ === 'string' ? __AGENTPTY_BUILD__ : 'source'}`
