/**
 * `npm run bench -- bodies [--quick]`: what packs of bodies save, beside each message alone and all in one frame, and what
 * it costs to write and read one.
 */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { constants, zstdCompressSync } from 'node:zlib'
import { bodyContext, sealBody, unsealBody } from '../../src/bodies/pack/body-cipher.ts'
import { makeDictionary } from '../../src/bodies/pack/make-dictionary.ts'
import { COMPRESS_BYTES_MIN, encodeMessage } from '../../src/mime/encoding.ts'
import { makeTeamMessages } from './messages.ts'

const SAMPLES = 64
const LEVELS = [1, 3, 6, 9, 12, 15, 19]
const CONTEXT = bodyContext({ teamId: 'team', emailId: 'email' })

/** Returns the bytes and the CPU time of `work` for each of the messages. */
function measure(messages: readonly Buffer[], work: (message: Buffer) => number) {
  const since = process.cpuUsage()
  let bytes = 0
  for (const message of messages) bytes += work(message)
  const { user, system } = process.cpuUsage(since)
  return { bytes, ms: (user + system) / 1000 / messages.length }
}

const compress = (message: Buffer, level: number, dictionary?: Buffer) =>
  zstdCompressSync(message, {
    params: { [constants.ZSTD_c_compressionLevel]: level },
    ...(dictionary === undefined ? {} : { dictionary }),
  }).length

/** Prints the figures of docs/adr/0053-bodies-in-packs.md. Returns the exit code. */
export async function runBodies(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { quick: { type: 'boolean', default: false } } })
  const [count, seeds] = values.quick ? [200, [1]] : [500, [1, 2, 3]]
  for (const seed of seeds) await measureTeam(makeTeamMessages(count, seed))
  return 0
}

async function measureTeam(messages: readonly Buffer[]): Promise<void> {
  const plain = sumOf(messages)
  const since = process.cpuUsage()
  const samples = messages.slice(0, SAMPLES).map((message, group) => ({ message, group }))
  const dictionary = makeDictionary(samples) ?? Buffer.alloc(0)
  const dictionaryMs = process.cpuUsage(since).user / 1000
  const rest = messages.slice(SAMPLES)
  const restBytes = sumOf(rest)
  const print = (what: string, bytes: number, ms: number, plainBytes = restBytes) =>
    process.stdout.write(
      `${what.padEnd(34)} ${(plainBytes / bytes).toFixed(1).padStart(6)} x  ${ms.toFixed(3)} ms\n`,
    )

  process.stdout.write(
    `\n${messages.length} messages of ${(plain / messages.length / 1000).toFixed(1)} KB on average; dictionary of ${dictionary.length} bytes in ${dictionaryMs.toFixed(0)} ms\n`,
  )
  for (const level of LEVELS) {
    const alone = measure(rest, (message) => compress(message, level))
    print(`level ${level}, alone`, alone.bytes, alone.ms)
    const against = measure(rest, (message) => compress(message, level, dictionary))
    print(`level ${level}, dictionary`, against.bytes, against.ms)
  }
  print('level 9, one frame over all', compress(Buffer.concat(rest), 9), 0)
  await measureProduct(rest, dictionary, print)
  await measureDatabase(rest, print)
  const key = randomBytes(32)
  const small = rest.filter(({ length }) => length < COMPRESS_BYTES_MIN)
  const sealed = measure(small, (message) => sealBody(message, key, CONTEXT, dictionary).length)
  const average = (sumOf(small) / small.length / 1000).toFixed(1)
  print(`the small ones, of ${average} KB, in packs`, sealed.bytes, sealed.ms, sumOf(small))
}

const sumOf = (messages: readonly Buffer[]) => messages.reduce((sum, { length }) => sum + length, 0)

/** Messages as acceptance stores them in PostgreSQL. */
async function measureDatabase(
  messages: readonly Buffer[],
  print: (what: string, bytes: number, ms: number) => void,
): Promise<void> {
  const since = process.cpuUsage()
  let bytes = 0
  for (const message of messages) bytes += (await encodeMessage(message)).bytes.length
  const { user, system } = process.cpuUsage(since)
  print('as PostgreSQL has them', bytes, (user + system) / 1000 / messages.length)
}

async function measureProduct(
  messages: readonly Buffer[],
  dictionary: Buffer,
  print: (what: string, bytes: number, ms: number) => void,
): Promise<void> {
  const key = randomBytes(32)
  const sealed: Buffer[] = []
  const written = measure(messages, (message) => {
    sealed.push(sealBody(message, key, CONTEXT, dictionary))
    return sealed.at(-1)?.length ?? 0
  })
  print('as the product writes them', written.bytes, written.ms)
  const since = process.cpuUsage()
  for (const body of sealed) await unsealBody(body, key, CONTEXT, dictionary)
  const { user, system } = process.cpuUsage(since)
  print('as the product reads them', written.bytes, (user + system) / 1000 / messages.length)
}
