import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'

export type Log = Logger

/**
 * Opens standard output for whole lines. A write blocks until it is done, and does nothing if the reader is gone.
 * Pino's default output writes later and completes when the process exits, which then never ends if the reader is gone.
 */
export function openLogOutput(): DestinationStream {
  return pino.destination({ dest: process.stdout.fd, sync: true })
}

/** Fields in which PostgreSQL quotes the rejected row or parameters, which may contain addresses and subjects. */
const QUOTING = ['detail', 'where', 'internalQuery'] as const

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const serialized: Record<string, unknown> = { ...stdSerializers.err(error) }
  for (const name of QUOTING) delete serialized[name]
  return serialized
}

/**
 * Creates a log of JSON lines on standard output. Callers must not pass secrets; `redact` is a safety net.
 * @param labels fields of every line
 */
export function createLog(
  level: string,
  destination?: DestinationStream,
  labels: Readonly<Record<string, string>> = {},
): Log {
  const options = {
    level,
    base: labels,
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
