import type { FairSemaphore } from '../../lib/async/fair-semaphore.ts'

/** What is smaller is read before anybody would notice. */
const LARGE_BYTES_MIN = 1024 * 1024

/** Reads something of this size: at once, or when those who read large things before have done so. */
export async function readInTurn<T>(
  { largeReads }: { largeReads: FairSemaphore },
  teamId: string,
  sizeBytes: number,
  read: () => Promise<T>,
): Promise<T> {
  return sizeBytes < LARGE_BYTES_MIN ? read() : largeReads.run(teamId, read)
}
