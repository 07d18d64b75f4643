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
/** From this size on a job's heap is given back at once; below it a thread that starts costs more than what it holds. */
const LARGE_BYTES_MIN = 4 * 1024 * 1024
/** Heap of the thread. The largest message takes a third of it; Buffers are beside it and bounded by the message. */
const LIMITS = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 48 }
const IDLE_MS = 5_000

const runAside = createJobThread<SentJob, unknown>({
  entry: new URL('./content-thread.ts', import.meta.url),
  limits: LIMITS,
  idleMs: IDLE_MS,
  restoreError: (error) => restoreError(error as SentError),
})

/** Whose content it is, and how large. */
export interface ContentOf {
  teamId: string
  /** About. */
  sizeBytes: number
  /** Buffers of the job that are not used afterwards: they go to the thread without a copy. */
  handedOver?: readonly Buffer[]
}

/**
 * Does a job on the content of a message: at once for a small content, on the thread for a large one. The thread has one
 * job at a time, so that memory holds one large content's worth of work however many requests come.
 */
export async function workOnContent<Name extends JobName>(
  name: Name,
  { teamId, sizeBytes, handedOver = [] }: ContentOf,
  job: JobOf<Name>,
): Promise<ResultOf<Name>> {
  if (sizeBytes < HEAVY_BYTES_MIN) {
    const run = CONTENT_JOBS[name] as (job: JobOf<Name>) => ResultOf<Name> | Promise<ResultOf<Name>>
    return run(job)
  }
  const turn = { teamId, isLarge: sizeBytes >= LARGE_BYTES_MIN, transfer: ownedArrays(handedOver) }
  return withBuffers(await runAside({ name, job }, turn)) as ResultOf<Name>
}
