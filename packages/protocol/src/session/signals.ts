/** Signals that programs act on. Stopping and continuing are the shell's job control. */
export const signals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGKILL'] as const
