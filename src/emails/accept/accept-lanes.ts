import { isAway } from '../../db/db-types.ts'
import { type Batcher, createBatcher, OverloadedError } from '../../lib/async/batcher.ts'
import { createFairBudget } from '../../lib/async/fair-budget.ts'
import { type AcceptAnswer, type AcceptRequest, isBulkOnly } from './accept-types.ts'

const BATCH_COUNT_MAX = 200
/** The weight of messages and rows together. A recipient weighs as much as writing its row costs. */
const BATCH_BYTES_MAX = 32 * 1024 * 1024
const EMAIL_BYTES = 16 * 1024
const RECIPIENT_BYTES = 8 * 1024
const WAITING_COUNT_MAX = 5000
const WAITING_BYTES_MAX = 128 * 1024 * 1024
/** Two runs overlap: one is prepared and sent while the other waits for the disk. */
const RUNS_MAX = 2
/**
 * The number of waiting requests that makes a second run worth its statements: a transaction costs nearly a millisecond
 * of processor time, however few emails it holds.
 */
const OVERLAP_AT = 64

/**
 * A full batch with one recipient per email is lighter. A batch with fifty per email, or a message of tens of
 * megabytes, is heavier.
 */
const HEAVY_BYTES_MIN = 8 * 1024 * 1024
/**
 * The limit on heavy requests, running and waiting, shared among teams (lib/async/fair-budget.ts): about five
 * seconds of database time. Their memory is bounded where bodies arrive (http/json/body-budget.ts) and where
 * batches are prepared (accept-emails.ts).
 */
const HEAVY_BYTES_MAX = 512 * 1024 * 1024

/**
 * Commits requests in groups (docs/adr/0003-group-commit.md). Requests that take seconds of database time run
 * one at a time in a separate lane with a separate queue. A single email therefore neither waits for a batch to
 * thousands of recipients nor is rejected because such batches fill the queue. Bulk mail also has its own lane, so that
 * transactional mail never shares a commit with it.
 */
export function createAcceptLanes(
  run: (items: AcceptRequest[]) => Promise<(AcceptAnswer | Error)[]>,
): Batcher<AcceptRequest, AcceptAnswer> {
  const lightLane = (runsMax: number) =>
    createBatcher<AcceptRequest, AcceptAnswer>({
      run,
      itemsMax: BATCH_COUNT_MAX,
      weightMax: BATCH_BYTES_MAX,
      weigh: weighRequest,
      waitingMax: WAITING_COUNT_MAX,
      waitingWeightMax: WAITING_BYTES_MAX,
      runsMax,
      overlapAt: OVERLAP_AT,
      rejectsAll: isAway,
    })
  const light = lightLane(RUNS_MAX)
  const bulk = lightLane(1)
  const heavy = admitFairly(
    createBatcher<AcceptRequest, AcceptAnswer>({ run, itemsMax: 1, rejectsAll: isAway }),
  )
  return {
    add(acceptRequest) {
      if (weighRequest(acceptRequest) >= HEAVY_BYTES_MIN) return heavy.add(acceptRequest)
      return (isBulkOnly(acceptRequest) ? bulk : light).add(acceptRequest)
    },
  }
}

/** Limits each team to its share of the lane, however much it sends. */
function admitFairly(lane: Batcher<AcceptRequest, AcceptAnswer>): Batcher<AcceptRequest, AcceptAnswer> {
  const budget = createFairBudget(HEAVY_BYTES_MAX)
  return {
    async add(acceptRequest) {
      const { teamId } = acceptRequest.submitter
      const weight = weighRequest(acceptRequest)
      if (!budget.take(teamId, weight)) throw new OverloadedError()
      return lane.add(acceptRequest).finally(() => budget.giveBack(teamId, weight))
    },
  }
}

function weighRequest({ submissions }: AcceptRequest): number {
  let bytes = 0
  for (const { message, recipients } of submissions) {
    bytes += message.bytes.length + EMAIL_BYTES + recipients.length * RECIPIENT_BYTES
  }
  return bytes
}
