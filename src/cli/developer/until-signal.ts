/** Ctrl-C signals a process twice, from the terminal and from its launcher. Signals this close together count as one. */
const SAME_SIGNAL_MS = 500
const INTERRUPTED = 130

/**
 * Returns a signal that aborts when the person presses Ctrl-C, or the process is asked to end. A second request ends
 * the process immediately.
 */
export function abortOnSignal(): AbortSignal {
  const ending = new AbortController()
  let askedAtMs: number | null = null
  const end = () => {
    const nowMs = performance.now()
    if (askedAtMs !== null && nowMs - askedAtMs > SAME_SIGNAL_MS) process.exit(INTERRUPTED)
    askedAtMs ??= nowMs
    ending.abort()
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, end)
  return ending.signal
}
