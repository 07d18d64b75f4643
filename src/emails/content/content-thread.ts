import { parentPort } from 'node:worker_threads'
import { findBuffers, ownedArrays, packError, withBuffers } from '../../lib/async/transfer.ts'
import { CONTENT_JOBS } from './content-jobs.ts'
import type { SentJob } from './heavy-content.ts'

/** The entry of the thread that runs content jobs (heavy-content.ts). */
async function answer({ name, job }: SentJob): Promise<void> {
  try {
    const run = CONTENT_JOBS[name] as (job: unknown) => unknown
    const result = await run(withBuffers(job))
    parentPort?.postMessage({ result }, ownedArrays(findBuffers(result)))
  } catch (error) {
    parentPort?.postMessage({ error: packError(error) })
  }
}

parentPort?.on('message', (sent: SentJob) => void answer(sent))
