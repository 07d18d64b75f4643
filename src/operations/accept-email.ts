import type { Clock } from '../base/clock.ts'
import type { Acceptance, Parcel } from './accept-batch.ts'
import { composeEmail } from './compose-email.ts'
import { draftEmail, type SendRequest } from './draft-email.ts'
import type { FetchFile } from './fetch-file.ts'

/** Who submits an email, as far as acceptance cares. */
export interface Submitter {
  teamId: string
  /** Set: may send from this domain only. */
  domainId: string | null
}

/**
 * Takes responsibility for one email: when this resolves, it is committed and ours to deliver.
 * Throws a Refusal for anything that the caller can mend, DatabaseUnavailable when nothing could be accepted.
 */
export type AcceptEmail = (
  request: SendRequest,
  submitter: Submitter,
  idempotency: Parcel['idempotency'],
) => Promise<Acceptance>

export interface AcceptEmailDeps {
  clock: Clock
  fetchFile: FetchFile
  commit: (parcel: Parcel) => Promise<Acceptance>
}

export function createAcceptEmail({ clock, fetchFile, commit }: AcceptEmailDeps): AcceptEmail {
  return async (request, submitter, idempotency) => {
    const draft = draftEmail(request, clock.now())
    const submission = await composeEmail(draft, fetchFile, clock.now())
    return commit({ submissions: [submission], submitter, idempotency, batch: null })
  }
}
