import { parentPort } from 'node:worker_threads'
import { findBuffers, ownedArrays, packError, withBuffers } from './transfer.ts'

/** A job as it is sent to a thread. */
export interface NamedJob {
  name: string
  job: unknown
}

/** In a thread of createJobThread: runs the jobs that are sent to it by name, and answers each. */
export function answerJobs(jobs: Readonly<Record<string, (job: never) => unknown>>): void {
  const answer = async ({ name, job }: NamedJob): Promise<void> => {
    try {
      const run = jobs[name] as (job: unknown) => unknown
      const result = await run(withBuffers(job))
      parentPort?.postMessage({ result }, ownedArrays(findBuffers(result)))
    } catch (error) {
      parentPort?.postMessage({ error: packError(error) })
    }
  }
  parentPort?.on('message', (sent: NamedJob) => void answer(sent))
}
