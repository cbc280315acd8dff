/** Put in by the build. */
declare const __AGENTPTY_VERSION__: string
declare const __AGENTPTY_BUILD__: string
