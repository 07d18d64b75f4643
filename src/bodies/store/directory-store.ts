import { access, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BodyStore } from './body-store.ts'

/** A file that tells the store from the empty folder that a file system is mounted on. */
const MARKER = 'sendwright-bodies'

/** Keeps objects as files. A file gets its name when it is complete and on the disk. */
export function createDirectoryStore(directory: string): BodyStore {
  const pathOf = (name: string) => join(directory, name)
  return {
    recognize: (isNew, signal) => within(signal, recognize(directory, isNew)),
    write: (name, object, signal) => within(signal, writeFile(pathOf(name), object)),
    read: (name, start, bytes, signal) => within(signal, readPart(pathOf(name), start, bytes)),
    remove: (name, signal) => within(signal, removeFile(pathOf(name))),
  }
}

/** Rejects when the signal aborts. Calls to a network file system that is away cannot be aborted, and are abandoned. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function recognize(directory: string, isNew: boolean): Promise<void> {
  const path = join(directory, MARKER)
  if (isNew) return writeFile(path, Buffer.from('Sendwright keeps messages in this folder.\n'))
  await access(path).catch(() => {
    throw new Error(
      `The directory ${directory} lacks the file ${MARKER}: its file system may not be mounted.`,
    )
  })
}

async function writeFile(path: string, object: Buffer): Promise<void> {
  const folder = dirname(path)
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) await syncFolder(dirname(made))
  const part = `${path}.part`
  const file = await open(part, 'w', 0o600)
  try {
    await file.writeFile(object)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, path)
  await syncFolder(folder)
}

/** Without this, a crash of the machine could lose a new name in the folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

/** Removes a file, and what a killed writer left of it. */
async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true })
  await rm(`${path}.part`, { force: true })
}

async function readPart(path: string, start: number, bytes: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const part = Buffer.allocUnsafeSlow(bytes)
    const { bytesRead } = await file.read(part, 0, bytes, start)
    if (bytesRead !== bytes) throw new Error(`The file ${path} is shorter than expected.`)
    return part
  } finally {
    await file.close()
  }
}
