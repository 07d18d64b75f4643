import { type Logger, pino } from 'pino'

export type Log = Logger

/** JSON lines to standard output. Secrets are kept out by never handing them in; `redact` is the net below. */
export function createLog(level: string, destination?: NodeJS.WritableStream): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: [
      'token',
      'password',
      'secret',
      'privateKey',
      'authorization',
      '*.token',
      '*.password',
      '*.authorization',
    ],
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
