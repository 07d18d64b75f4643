import type { FairSemaphore } from '../../lib/async/fair-semaphore.ts'

/** Anything smaller is read without a noticeable delay. */
const LARGE_BYTES_MIN = 1024 * 1024

/** Runs a read of this size: immediately if it is small, else in turn with other large reads. */
export async function readInTurn<T>(
  { largeReads }: { largeReads: FairSemaphore },
  teamId: string,
  sizeBytes: number,
  read: () => Promise<T>,
): Promise<T> {
  return sizeBytes < LARGE_BYTES_MIN ? read() : largeReads.run(teamId, read)
}
