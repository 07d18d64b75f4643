import { ApiError, type FieldErrors, invalidField, WHOLE_BODY } from '../../lib/api-error.ts'
import { createFairBudget, type FairBudget } from '../../lib/async/fair-budget.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { SendTemplate } from '../../templates/template-cache.ts'
import type { SendRequest } from '../request/draft-email.ts'
import { type AcceptEmailDeps, prepareEmail } from './accept-email.ts'
import type { AcceptAnswer, AcceptRequest, Origin, Submission, Submitter } from './accept-types.ts'
import type { ComposeTools } from './compose-email.ts'
import { Refusal } from './refusal.ts'
import { refuseItem } from './refuse-item.ts'
import { withCurrent } from './with-current.ts'

/** One email of a batch: a request that passed its schema, or the errors of its schema. */
export type BatchItem = { request: SendRequest; emailId?: string } | { errors: FieldErrors }

/**
 * Takes responsibility for a batch: all of it or none of it (`isWhole`), or every email that passes validation.
 * Throws an ApiError with fields under `<index>.` if a whole batch contains an invalid email.
 */
export type AcceptEmails = (
  items: readonly BatchItem[],
  isWhole: boolean,
  submitter: Submitter,
  idempotency: AcceptRequest['idempotency'],
  origin?: Origin,
) => Promise<AcceptAnswer>

/** The limit on the messages of one batch together. A batch waits in memory for its commit. */
const BATCH_BYTES_MAX = 100 * 1024 * 1024

/**
 * The limit on all batches in progress in a process. A few bytes of JSON may name a one-megabyte template a
 * hundred times.
 */
const ALL_BATCHES_BYTES_MAX = 256 * 1024 * 1024
const RETRY_AFTER_SECONDS = 5

export function createAcceptEmails(
  deps: AcceptEmailDeps,
  bytesMax: number = ALL_BATCHES_BYTES_MAX,
): AcceptEmails {
  const budget = createFairBudget(bytesMax)
  return async (items, isWhole, submitter, idempotency, origin) => {
    const requests = items.map((item) => ('errors' in item ? {} : item.request))
    const files = deps.openFiles(submitter.teamId)
    const room = openRoom(budget, submitter.teamId)
    return withCurrent(deps.templates, submitter.teamId, requests, async (templates, takenIds) => {
      // Release the memory of an earlier attempt, whose facts changed in the meantime.
      room.end()
      const tools = { ...deps, submitter, takenIds, fetchFile: files.fetchFile, hold: room.hold }
      // A campaign or an automation continues with the emails that did not fit.
      const isContinued = origin !== undefined
      const { submissions, indexes, refused } = await prepareAll(tools, items, templates, isContinued)
      if (isWhole && refused.length > 0) throw refuseBatch(refused)
      const early = refused.map(refusedToJson)
      if (submissions.length === 0) return { emailIds: [], refused: early }
      const batch = { isWhole, indexes, refused: early }
      return deps.commit({
        submissions,
        submitter,
        idempotency,
        batch,
        ...(origin !== undefined && { origin }),
      })
    }).finally(() => {
      files.end()
      room.end()
    })
  }
}

/** Tracks the memory that the messages of one batch hold until the batch is answered. */
function openRoom(budget: FairBudget, teamId: string) {
  let heldBytes = 0
  return {
    /** Throws ApiError (503) if no memory is left. */
    hold(bytes: number): void {
      if (!budget.take(teamId, bytes)) {
        throw new ApiError('service_unavailable', 'Too many large batches are being accepted at once.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      }
      heldBytes += bytes
    },
    end(): void {
      budget.giveBack(teamId, heldBytes)
      heldBytes = 0
    },
  }
}

interface Tools extends ComposeTools {
  clock: Clock
  hold(bytes: number): void
}

interface Prepared {
  submissions: Submission[]
  /** The position of each submission in the request. */
  indexes: number[]
  refused: Refused[]
}

async function prepareAll(
  tools: Tools,
  items: readonly BatchItem[],
  templates: readonly (SendTemplate | null)[],
  isContinued: boolean,
): Promise<Prepared> {
  const prepared: Prepared = { submissions: [], indexes: [], refused: [] }
  let bytes = 0
  // One at a time: fetching all attachments at once would use unbounded memory.
  for (const [index, item] of items.entries()) {
    try {
      // Stop building once the batch is too large.
      if (bytes > BATCH_BYTES_MAX) throw tooLarge(isContinued)
      const submission = await prepare(tools, item, templates[index] ?? null)
      bytes += submission.message.bytes.length
      if (bytes > BATCH_BYTES_MAX) throw tooLarge(isContinued)
      tools.hold(submission.message.bytes.length)
      prepared.submissions.push(submission)
      prepared.indexes.push(index)
    } catch (error) {
      // A lack of memory is not the fault of any one email.
      if (!(error instanceof ApiError) || error.code === 'service_unavailable') throw error
      prepared.refused.push({ index, apiError: error })
    }
  }
  return prepared
}

interface Refused {
  index: number
  apiError: ApiError
}

function tooLarge(isContinued: boolean): ApiError {
  const message = `The messages of a batch must not be greater than ${BATCH_BYTES_MAX} bytes together.`
  return isContinued
    ? new Refusal('not_permitted', 'conflict', message)
    : invalidField('attachments', message)
}

async function prepare(tools: Tools, item: BatchItem, template: SendTemplate | null): Promise<Submission> {
  if ('errors' in item) throw apiErrorOf(item.errors)
  const { request, emailId } = item
  return prepareEmail(emailId === undefined ? tools : { ...tools, emailId }, request, template)
}

function apiErrorOf(errors: FieldErrors): ApiError {
  const message = Object.values(errors)[0]?.[0] ?? 'The request is invalid.'
  return new ApiError('validation_error', message, { errors })
}

function refusedToJson({ index, apiError }: Refused): AcceptAnswer['refused'][number] {
  const message = apiError.message.replace(WHOLE_BODY, 'The email')
  return { index, message, ...(apiError instanceof Refusal && { code: apiError.refusal }) }
}

/** Returns one error for a whole batch, with every invalid field of its emails. */
function refuseBatch(refused: readonly Refused[]): ApiError {
  const errors: FieldErrors = {}
  for (const { index, apiError } of refused) Object.assign(errors, refuseItem(index, apiError).errors)
  const { index, apiError } = refused[0] as Refused
  const { code, message, hint } = refuseItem(index, apiError)
  return new ApiError(code, message, hint === undefined ? { errors } : { errors, hint })
}
