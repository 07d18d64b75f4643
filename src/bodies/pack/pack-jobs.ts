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
    for await (const message of plainMessages(job.messages)) {
      // A copy, because a few bytes as stored can be megabytes of text.
      const beginning = Buffer.from(message.subarray(0, SAMPLE_BYTES_MAX))
      samples.push({ message: beginning, group: job.groups[samples.length] ?? 0 })
    }
    return makeDictionary(samples)
  },

  /**
   * Returns the object of a pack, and the length of each body in it.
   * @param job.keys the keys of the bodies
   */
  async pack(job: {
    messages: Messages
    keys: readonly Buffer[]
    contexts: readonly string[]
    dictionary: Buffer | null
  }): Promise<{ object: Buffer; lengths: number[]; plainBytes: number }> {
    const bodies: Buffer[] = []
    let plainBytes = 0
    for await (const message of plainMessages(job.messages)) {
      const index = bodies.length
      plainBytes += message.length
      bodies.push(sealBody(message, job.keys[index] as Buffer, job.contexts[index] as string, job.dictionary))
    }
    return { object: Buffer.concat(bodies), lengths: bodies.map(({ length }) => length), plainBytes }
  },
}

export type PackJobs = typeof PACK_JOBS

async function* plainMessages({ octets, each }: Messages): AsyncGenerator<Buffer> {
  let at = 0
  for (const { encoding, bytes } of each) {
    yield decodeMessage(encoding, octets.subarray(at, at + bytes))
    at += bytes
  }
}
