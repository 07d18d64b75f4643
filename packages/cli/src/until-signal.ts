/** Returns a signal that aborts when the person presses Ctrl-C, or the process is asked to end. */
export function abortOnSignal(): AbortSignal {
  const ending = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => ending.abort())
  return ending.signal
}
