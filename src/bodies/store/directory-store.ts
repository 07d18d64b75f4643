import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BodyStore } from './body-store.ts'

/** Keeps objects as files. A file gets its name when it is complete and on the disk. */
export function createDirectoryStore(directory: string): BodyStore {
  const pathOf = (name: string) => join(directory, name)
  return {
    write: (name, object, signal) => within(signal, writeFile(pathOf(name), object)),
    read: (name, start, bytes, signal) => within(signal, readPart(pathOf(name), start, bytes)),
    remove: (name, signal) => within(signal, rm(pathOf(name), { force: true })),
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

async function writeFile(path: string, object: Buffer): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const part = `${path}.part`
  const file = await open(part, 'w', 0o600)
  try {
    await file.writeFile(object)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, path)
  // Without this, a crash of the machine could lose the new name.
  const parent = await open(folder)
  await parent.sync().finally(() => parent.close())
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
