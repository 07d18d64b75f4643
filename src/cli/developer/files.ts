import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError, codeOf } from './failures.ts'

/** The files contain keys and secrets, so only their owner may read them. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

/** Reads a file that the command line names. Throws CommandError, also if it has more than `bytesMax`. */
export async function readArgumentFile(path: string, bytesMax = Number.POSITIVE_INFINITY): Promise<Buffer> {
  try {
    const { size } = await stat(path)
    if (size <= bytesMax) return await readFile(path)
  } catch (error) {
    throw new CommandError(`${path} cannot be read (${codeOf(error)}).`)
  }
  throw new CommandError(`${path} is larger than ${bytesMax / 1024 / 1024} MiB. Divide it.`)
}

/** Returns null if there is no such file. Throws CommandError if it cannot be read, or is not UTF-8. */
export function readTextFile(file: string): string | null {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new CommandError(`${file} cannot be read (${codeOf(error)}).`)
  }
  return decodeUtf8(file, bytes)
}

/**
 * Returns UTF-8 text without its byte order mark. Throws CommandError for another encoding, whose letters would be lost.
 * @param file names the text in the error
 */
export function decodeUtf8(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CommandError(`${file} is not UTF-8 text.`)
  }
}

/**
 * Writes a file that only its owner can read. It replaces the old file in one step, so that a crash leaves one of
 * them complete.
 */
export function writePrivateFile(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE })
    const making = `${file}.${process.pid}`
    // An existing file would keep its mode, so it is removed first.
    rmSync(making, { force: true })
    writeFileSync(making, text, { mode: FILE_MODE, flag: 'wx' })
    renameSync(making, file)
  } catch (error) {
    throw new CommandError(`${file} cannot be written (${codeOf(error)}).`)
  }
}
