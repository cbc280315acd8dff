/** The bounds of what is said and kept of agents. */

/** Entries of `agents:` in config.yaml. */
export const agentSettingsMax = 100
/** Agents of which it is kept what they are and what they were asked to do: as many as terminals may be kept. */
export const agentsKeptMax = 2_000
