import type { NamedJob } from '../../lib/async/answer-jobs.ts'
import { createJobThread } from '../../lib/async/job-thread.ts'
import { ownedArrays, restoreError, type SentError, withBuffers } from '../../lib/async/transfer.ts'
import { CONTENT_JOBS, type ContentJobs } from './content-jobs.ts'

type JobName = keyof ContentJobs
export type JobOf<Name extends JobName> = Parameters<ContentJobs[Name]>[0]
export type ResultOf<Name extends JobName> = Awaited<ReturnType<ContentJobs[Name]>>

/** The thread handles contents of at least this size. Any smaller content takes less than 50 ms. */
export const HEAVY_BYTES_MIN = 256 * 1024
/**
 * The thread ends after a job of at least this size, to free its heap. For smaller jobs, starting a new thread
 * would cost more.
 */
const LARGE_BYTES_MIN = 4 * 1024 * 1024
/** The largest message uses a third of the thread's heap. Buffers are outside the heap and bounded by the message. */
const LIMITS = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 48 }
const IDLE_MS = 5_000

const runOnThread = createJobThread<NamedJob, unknown>({
  entry: new URL('./content-thread.ts', import.meta.url),
  limits: LIMITS,
  idleMs: IDLE_MS,
  restoreError: (error) => restoreError(error as SentError),
})

/** The team and the size of a content. */
export interface ContentOf {
  teamId: string
  /** Approximate. */
  sizeBytes: number
  /** Buffers of the job that are transferred to the thread without a copy. The caller must not use them afterwards. */
  handedOver?: readonly Buffer[]
}

/**
 * Runs a job on the content of a message: inline for a small content, on the thread for a large one. The thread
 * runs one job at a time, so that only one large content is in memory, however many requests arrive.
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
  return withBuffers(await runOnThread({ name, job }, turn)) as ResultOf<Name>
}
