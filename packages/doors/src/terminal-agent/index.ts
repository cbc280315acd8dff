export { makeTerminalAgent } from './terminal-agent.ts'
