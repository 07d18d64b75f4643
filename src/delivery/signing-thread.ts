import { parentPort } from 'node:worker_threads'
import { signMessage } from '../mime/dkim.ts'
import type { SignBatch, SignResult } from './signing-threads.ts'

/** The entry of the threads that sign small messages (signing-threads.ts). Replies to each batch with one list. */
function signBatch({ messages, jobs }: SignBatch): SignResult[] {
  let start = 0
  return jobs.map(({ sizeBytes, keys, at }) => {
    const message = Buffer.from(messages, start, sizeBytes)
    start += sizeBytes
    try {
      return signMessage(message, keys, at).toString('latin1')
    } catch (error) {
      return error as Error
    }
  })
}

parentPort?.on('message', (batch: SignBatch) => parentPort?.postMessage(signBatch(batch)))
