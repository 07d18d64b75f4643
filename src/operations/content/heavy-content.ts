import { createJobThread } from '../../base/job-thread.ts'
import { CONTENT_JOBS, type ContentJobs } from './content-jobs.ts'
import { ownedArrays, restoreError, type SentError, withBuffers } from './transfer.ts'

type JobName = keyof ContentJobs
export type JobOf<Name extends JobName> = Parameters<ContentJobs[Name]>[0]
export type ResultOf<Name extends JobName> = Awaited<ReturnType<ContentJobs[Name]>>

export interface SentJob {
  name: JobName
  job: unknown
}

/** Contents from this size on are worked on by the thread: whatever they hold, a smaller one takes less than 50 ms. */
export const HEAVY_BYTES_MIN = 256 * 1024
/** Heap of the thread. The largest message takes a third of it; Buffers are beside it and bounded by the message. */
const LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 48 }
const IDLE_MS = 5_000

const runAside = createJobThread<SentJob, unknown>({
  entry: new URL('./content-thread.ts', import.meta.url),
  limits: LIMITS,
  idleMs: IDLE_MS,
  restoreError: (error) => restoreError(error as SentError),
})

/**
 * Does a job on the content of a message: at once for a small content, on the thread for a large one. The thread has one
 * job at a time, so that memory holds one large content's worth of work however many requests come.
 * @param sizeBytes of the content, about
 * @param handedOver Buffers of the job that nobody uses afterwards: they go to the thread without a copy
 */
export async function workOnContent<Name extends JobName>(
  name: Name,
  sizeBytes: number,
  job: JobOf<Name>,
  handedOver: readonly Buffer[] = [],
): Promise<ResultOf<Name>> {
  if (sizeBytes < HEAVY_BYTES_MIN) {
    const run = CONTENT_JOBS[name] as (job: JobOf<Name>) => ResultOf<Name> | Promise<ResultOf<Name>>
    return run(job)
  }
  const result = await runAside({ name, job }, ownedArrays(handedOver))
  return withBuffers(result) as ResultOf<Name>
}
