import { type Logger, pino, stdSerializers } from 'pino'

export type Log = Logger

/** Where PostgreSQL quotes the row or the parameters that it refused: addresses, subjects, anything. */
const QUOTING = ['detail', 'where', 'internalQuery'] as const

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const serialized: Record<string, unknown> = { ...stdSerializers.err(error) }
  for (const name of QUOTING) delete serialized[name]
  return serialized
}

/** JSON lines to standard output. Secrets are kept out by never handing them in; `redact` is the net below. */
export function createLog(level: string, destination?: NodeJS.WritableStream): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: serializeError },
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
