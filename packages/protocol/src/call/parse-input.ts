export const bytesOf = (text: string) => Buffer.byteLength(text)

/** Checks input against a schema: an error names each wrong field and shows a correct call. */
export const problemsMax = 5

/** Signals that programs act on. Stopping and continuing are the shell's job control. */
export const signals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGKILL'] as const
