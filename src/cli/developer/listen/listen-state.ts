import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Connection } from '../connect.ts'
import type { Environment } from '../environment.ts'
import { readTextFile, writePrivateFile } from '../files.ts'

const SECRET_BYTES = 32

/** The position of `listen` in the events of one key, for one local server. It outlives the process. */
export interface Position {
  /** Returns null before the first event. */
  read(): string | null
  write(cursor: string): void
}

export function openPosition({ url, apiKey, environment }: Connection, forwardTo: string): Position {
  const name = createHash('sha256').update(`${url}\n${apiKey}\n${forwardTo}`).digest('hex').slice(0, 24)
  const file = join(environment.stateDir, 'listen', `${name}.cursor`)
  return {
    read: () => readTextFile(file)?.trim() || null,
    write: (cursor) => writePrivateFile(file, `${cursor}\n`),
  }
}

/** Returns the secret that signs the events on this machine. It stays the same, so that it can be configured once. */
export function readSecret({ stateDir }: Environment): string {
  const file = join(stateDir, 'listen', 'secret')
  const stored = readTextFile(file)?.trim()
  if (stored) return stored
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
  writePrivateFile(file, `${secret}\n`)
  return secret
}
