import type { NamedJob } from '../../lib/async/answer-jobs.ts'
import { createJobThread } from '../../lib/async/job-thread.ts'
import { ownedArrays, restoreError, type SentError, withBuffers } from '../../lib/async/transfer.ts'
import type { PackJobs } from './pack-jobs.ts'

/** Buffers are outside the heap. What is on it are the pieces of text that a dictionary is made from. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }
const IDLE_MS = 5_000

const runOnThread = createJobThread<NamedJob, unknown>({
  entry: new URL('./pack-thread.ts', import.meta.url),
  limits: LIMITS,
  idleMs: IDLE_MS,
  restoreError: (error) => restoreError(error as SentError),
})

/** Runs a job on the thread, because hundreds of bodies take longer than the event loop may be held. */
export async function workOnPack<Name extends keyof PackJobs>(
  name: Name,
  teamId: string,
  job: Parameters<PackJobs[Name]>[0],
): Promise<Awaited<ReturnType<PackJobs[Name]>>> {
  const turn = { teamId, isLarge: false, transfer: ownedArrays([job.messages.octets]) }
  return withBuffers(await runOnThread({ name, job }, turn)) as Awaited<ReturnType<PackJobs[Name]>>
}
