import type { SendRequest } from '../../emails/request/draft-email.ts'
import type { UnsubscribeScope } from '../../emails/request/unsubscribe-scope.ts'
import { renderTemplate, TEMPLATE_PARTS } from '../../templates/render-template.ts'
import { type CompiledContent, compileContent, valuesFor } from '../content/compile-content.ts'
import type { LiveContact } from './audience-contacts-queries.ts'
import type { CampaignVersion } from './runs-queries.ts'

/** A version that is ready to be rendered for many contacts. */
export interface CompiledVersion extends CompiledContent {
  version: CampaignVersion
}

export function compileVersion(version: CampaignVersion): CompiledVersion {
  return { version, ...compileContent(version) }
}

export interface Values {
  contact: LiveContact
  /** The fallbacks of properties, by key in lower case. */
  fallbacks: ReadonlyMap<string, string>
  unsubscribeUrl: string
}

/** Returns the request for a contact's email. Throws a validation ApiError that names the variables without a value. */
export function renderFor(
  content: CompiledVersion,
  { contact, fallbacks, unsubscribeUrl }: Values,
  scope: UnsubscribeScope,
): SendRequest {
  const { version, compiled } = content
  const given = valuesFor(content, contact, fallbacks, unsubscribeUrl)
  const { subject, html, text } = renderTemplate(compiled, given, TEMPLATE_PARTS, 'variables')
  return {
    from: version.sender,
    to: contact.email,
    ...(version.replyTo !== null && { reply_to: version.replyTo }),
    subject: subject ?? '',
    html,
    ...(text !== null && { text }),
    unsubscribe: scope.kind === 'list' ? { list_id: scope.listId } : { topic: scope.topic },
    class: 'bulk',
  }
}
