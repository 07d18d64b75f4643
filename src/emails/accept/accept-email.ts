import type { Clock } from '../../lib/time/clock.ts'
import type { SendTemplate, TemplateCache } from '../../templates/template-cache.ts'
import type { Track } from '../content/tracker.ts'
import type { OpenFiles } from '../files/request-files.ts'
import { draftEmail, type SendRequest } from '../request/draft-email.ts'
import type { AcceptAnswer, AcceptRequest, Submission, Submitter } from './accept-types.ts'
import { type ComposeTools, composeEmail } from './compose-email.ts'
import { fillFromTemplate } from './fill-from-template.ts'
import type { KnownMessageIds } from './message-ids.ts'
import type { UnsubscribeHeaders } from './unsubscribe-links.ts'
import { withCurrent } from './with-current.ts'

/**
 * Takes responsibility for one email. When this resolves, the email is committed and must be delivered. Throws
 * an ApiError for problems that the caller can fix, DatabaseUnavailable if nothing could be accepted. Once the message is
 * built, the request loses its texts and files.
 */
export type AcceptEmail = (
  request: SendRequest,
  submitter: Submitter,
  idempotency: AcceptRequest['idempotency'],
) => Promise<AcceptAnswer>

export interface AcceptEmailDeps {
  clock: Clock
  openFiles: OpenFiles
  templates: TemplateCache
  unsubscribeHeaders: UnsubscribeHeaders
  track: Track
  messageIds: KnownMessageIds
  commit: (acceptRequest: AcceptRequest) => Promise<AcceptAnswer>
}

export function createAcceptEmail(deps: AcceptEmailDeps): AcceptEmail {
  return async (request, submitter, idempotency) => {
    const files = deps.openFiles(submitter.teamId)
    return withCurrent(deps.templates, submitter.teamId, [request], async ([template = null], takenIds) => {
      const tools = { ...deps, submitter, takenIds, fetchFile: files.fetchFile }
      const submission = await prepareEmail(tools, request, template)
      dropContent(request, submission)
      return deps.commit({ submissions: [submission], submitter, idempotency, batch: null })
    }).finally(() => files.end())
  }
}

/**
 * Removes the texts and files of a request, so that they do not stay in memory until the commit. A request with a template or
 * a Message-ID keeps them, because its message may be built again (StaleFacts).
 */
function dropContent(request: SendRequest, { template, ownMessageId }: Submission): void {
  if (template !== null || ownMessageId !== null) return
  request.html = null
  request.text = null
  request.attachments = []
}

/**
 * Validates one request, filled from its template, and builds its message.
 * @param sendTemplate the template that the request names, if any
 */
export async function prepareEmail(
  tools: ComposeTools & { clock: Clock },
  request: SendRequest,
  sendTemplate: SendTemplate | null,
): Promise<Submission> {
  const { request: filled, template } = fillFromTemplate(request, sendTemplate)
  const draft = draftEmail(filled, tools.clock.now())
  return { ...(await composeEmail(tools, draft, tools.clock.now())), template }
}
