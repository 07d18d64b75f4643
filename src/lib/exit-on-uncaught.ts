import type { Log } from './log.ts'

/** The exit code after an error that nothing caught (EX_SOFTWARE of sysexits.h). The launcher then starts the server again. */
const CRASHED = 70

/**
 * Ends this process when an error was not caught anywhere: what it left half done is unknown, so it must not take more
 * work. Leases and the journal bring back its deliveries.
 */
export function exitOnUncaught(log: Log): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.removeAllListeners(event)
    process.on(event, (err: unknown) => {
      log.fatal({ err }, 'ending this process after an error that nothing caught')
      process.exit(CRASHED)
    })
  }
}
