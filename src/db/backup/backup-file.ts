import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { CannotStart } from '../../lib/cannot-start.ts'
import { BadBackup, type Frame, MAGIC, readFrames } from './frames.ts'

/** Stands for standard output or input. */
const STANDARD = '-'

/**
 * Writes compressed frames to a file that only its owner can read. The file gets its name when it is complete; until
 * then, an existing file of that name remains.
 */
export async function writeBackupFile(path: string, frames: AsyncGenerator<Buffer>): Promise<void> {
  const params = { [constants.ZSTD_c_checksumFlag]: 1 }
  const compress = createZstdCompress({ params })
  if (path === STANDARD) {
    process.stdout.write(MAGIC)
    return pipeline(Readable.from(frames, { objectMode: false }), compress, process.stdout)
  }
  // A device or a pipe cannot be replaced, so it is written directly.
  const isPlain = (await stat(path).catch(() => null))?.isFile() !== false
  const part = isPlain ? `${path}.part` : path
  try {
    const file = isPlain ? await openNew(part) : await open(path, 'w')
    await file.write(MAGIC)
    const out = createWriteStream(part, { fd: file, flush: isPlain })
    await pipeline(Readable.from(frames, { objectMode: false }), compress, out)
    if (isPlain) await rename(part, path)
  } catch (error) {
    if (isPlain) await rm(part, { force: true })
    throw asCannotStart(error, path, 'written')
  }
}

async function openNew(path: string) {
  await rm(path, { force: true })
  return open(path, 'wx', 0o600)
}

/**
 * Opens a backup for `work`, which reads its frames. Throws CannotStart when the file is not a backup or is damaged.
 */
export async function withBackupFile<T>(
  path: string,
  work: (frames: AsyncGenerator<Frame>) => Promise<T>,
): Promise<T> {
  const input: Readable = path === STANDARD ? process.stdin : createReadStream(path)
  const plain = createZstdDecompress()
  const piping = pipeline(Readable.from(withoutMagic(input), { objectMode: false }), plain)
  piping.catch(() => {})
  try {
    const result = await work(readFrames(plain))
    await piping
    return result
  } catch (error) {
    throw asCannotStart(error, path, 'read')
  } finally {
    input.destroy()
    plain.destroy()
  }
}

async function* withoutMagic(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0)
  for await (const chunk of input) {
    if (head === null) {
      yield chunk
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length < MAGIC.length) continue
    if (!head.subarray(0, MAGIC.length).equals(MAGIC))
      throw new BadBackup('The file is not a Sendwright backup.')
    yield head.subarray(MAGIC.length)
    head = null
  }
  if (head !== null) throw new BadBackup('The file is not a Sendwright backup, or it is truncated.')
}

/** Converts errors of the file itself to CannotStart, so that the command prints one sentence instead of a stack. */
function asCannotStart(error: unknown, path: string, what: 'read' | 'written'): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (error instanceof BadBackup) return new CannotStart(`${path}: ${error.message}`, { cause: error })
  if (code?.startsWith('ZSTD_') === true || code === 'Z_BUF_ERROR' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return new CannotStart(`${path}: The file is damaged or truncated. It cannot be decompressed.`, {
      cause: error,
    })
  }
  if (syscall !== undefined && ['open', 'read', 'write', 'rename', 'fsync'].includes(syscall)) {
    return new CannotStart(`${path} cannot be ${what} (${code}).`, { cause: error })
  }
  return error
}
