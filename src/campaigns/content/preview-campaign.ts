import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queryable } from '../../db/db-types.ts'
import { invalidField } from '../../lib/api-error.ts'
import { findWarnings, type TemplateWarning } from '../../templates/placeholder-warnings.ts'
import { type RenderedTemplate, renderWithGaps, TEMPLATE_PARTS } from '../../templates/render-template.ts'
import type { Campaign } from '../rows/campaigns-queries.ts'
import type { VersionContent } from '../rows/runs-queries.ts'
import { type LiveContact, readContact } from '../sending/audience-contacts-queries.ts'
import { valuesOf } from '../sending/render-campaign.ts'
import { type OpenContent, openContent } from './open-content.ts'

export interface CampaignPreview extends RenderedTemplate {
  /** From and Reply-To. */
  content: VersionContent
  missing: string[]
  warnings: TemplateWarning[]
}

/**
 * Renders a campaign as a contact would get it, or with fallbacks only. Throws `validation_error` if the team has no such contact.
 * @param testUrl takes the place of the unsubscribe link, so that the result has no token of anybody
 */
export async function previewCampaign(
  db: Queryable,
  campaign: Campaign,
  contactId: string | null,
  testUrl: string,
): Promise<CampaignPreview> {
  const open = await openContent(db, campaign)
  const keys = open.compiled.propertyKeys
  const contact = contactId === null ? null : await readContact(db, campaign.teamId, contactId, keys)
  if (contactId !== null && contact === null) {
    throw invalidField('contact_id', 'The contact_id field must be the id of a contact of this account.')
  }
  await nextTurn()
  const parts = renderOpen(open, contact, testUrl)
  await nextTurn()
  return { ...parts, content: open.content, warnings: findWarnings(open.content) }
}

/** Renders for a contact, or with fallbacks only. Leaves placeholders without a value in place. */
export function renderOpen(
  { compiled: { compiled }, fallbacks }: OpenContent,
  contact: LiveContact | null,
  testUrl: string,
): RenderedTemplate & { missing: string[] } {
  const values = valuesOf(compiled, { contact, fallbacks, unsubscribeUrl: testUrl })
  return renderWithGaps(compiled, values, TEMPLATE_PARTS, 'variables')
}
