import { decodeMessage, type Encoding } from '../../mime/encoding.ts'
import { sealBody } from './body-cipher.ts'
import { makeDictionary, SAMPLE_BYTES_MAX } from './make-dictionary.ts'

/** Messages as stored, one behind the other. */
export interface Messages {
  octets: Buffer
  each: readonly { encoding: Encoding; bytes: number }[]
}

/** The jobs of the thread by name. Each is pure. */
export const PACK_JOBS = {
  /** @param groups see make-dictionary.ts */
  async dictionary(job: { messages: Messages; groups: readonly number[] }): Promise<Buffer | null> {
    const samples = []
    let index = 0
    for await (const message of plainMessages(job.messages)) {
      const group = job.groups[index++] ?? 0
      if (!Buffer.isBuffer(message)) continue
      // A copy, because a few bytes as stored can be megabytes of text.
      samples.push({ message: Buffer.from(message.subarray(0, SAMPLE_BYTES_MAX)), group })
    }
    return makeDictionary(samples)
  },

  /**
   * Returns the object of a pack, and the length of each body in it. A message that cannot be decoded is not in it: its length
   * is null.
   * @param job.keys the keys of the bodies
   */
  async pack(job: {
    messages: Messages
    keys: readonly Buffer[]
    contexts: readonly string[]
    dictionary: Buffer | null
  }): Promise<{ object: Buffer; lengths: (number | null)[]; plainBytes: number; damage: Error | null }> {
    const bodies: Buffer[] = []
    const lengths: (number | null)[] = []
    let plainBytes = 0
    let damage: Error | null = null
    for await (const message of plainMessages(job.messages)) {
      const index = lengths.length
      if (!Buffer.isBuffer(message)) {
        damage ??= message
        lengths.push(null)
        continue
      }
      const [key, context] = [job.keys[index] as Buffer, job.contexts[index] as string]
      const body = sealBody(message, key, context, job.dictionary)
      plainBytes += message.length
      bodies.push(body)
      lengths.push(body.length)
    }
    return { object: Buffer.concat(bodies), lengths, plainBytes, damage }
  },
}

export type PackJobs = typeof PACK_JOBS

/** Yields each message, or the error of one that is damaged. */
async function* plainMessages({ octets, each }: Messages): AsyncGenerator<Buffer | Error> {
  let at = 0
  for (const { encoding, bytes } of each) {
    yield decodeMessage(encoding, octets.subarray(at, at + bytes)).catch((error: Error) => error)
    at += bytes
  }
}
