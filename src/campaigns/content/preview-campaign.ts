import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../db/db-types.ts'
import { inertUnsubscribeUrl } from '../../emails/accept/unsubscribe-links.ts'
import { invalidField } from '../../lib/api-error.ts'
import { findWarnings, type TemplateWarning } from '../../templates/placeholder-warnings.ts'
import { type RenderedTemplate, renderWithGaps, TEMPLATE_PARTS } from '../../templates/render-template.ts'
import type { Campaign } from '../campaigns-queries.ts'
import { readPropertyFallbacks } from '../sending/audience-contacts-queries.ts'
import { type CampaignSource, readSource } from './campaign-content.ts'
import { type CompiledContent, type ContactValues, compileContent, valuesFor } from './compile-content.ts'
import { readContactValues } from './contact-values-queries.ts'

/** Content that is ready to be rendered for anybody. */
export interface Renderable {
  source: CampaignSource
  content: CompiledContent
  /** The fallbacks of properties, by key in lower case. */
  fallbacks: ReadonlyMap<string, string>
}

/** The values of nobody, so that fallbacks show. */
export const NOBODY: ContactValues = { email: null, firstName: null, lastName: null, values: {} }

/** Reads and compiles the content of a campaign as it is now. */
export async function readRenderable(db: Db, campaign: Campaign): Promise<Renderable> {
  const source = await readSource(db, campaign)
  await nextTurn()
  const content = compileContent(source)
  return {
    source,
    content,
    fallbacks: await readPropertyFallbacks(db, campaign.teamId, content.propertyKeys),
  }
}

export type Rendered = RenderedTemplate & { missing: string[] }

/**
 * Renders for a contact, in a turn of the event loop. Unsubscribe links change nothing, placeholders without a value stay. Throws
 * `validation_error` for a value that is not the number that its variable needs.
 */
export async function renderInert(
  { content, fallbacks }: Renderable,
  contact: ContactValues,
  publicUrl: string,
): Promise<Rendered> {
  await nextTurn()
  const given = valuesFor(content, contact, fallbacks, inertUnsubscribeUrl(publicUrl))
  return renderWithGaps(content.compiled, given, TEMPLATE_PARTS, 'variables')
}

export interface CampaignPreview extends Rendered {
  source: CampaignSource
  contactId: string | null
  warnings: TemplateWarning[]
}

/**
 * Renders a campaign as a contact would get it now.
 * @param contactId null for nobody: fallbacks show, and what has none is missing
 */
export async function previewCampaign(
  { db, publicUrl }: { db: Db; publicUrl: string },
  campaign: Campaign,
  contactId: string | null,
): Promise<CampaignPreview> {
  const { teamId } = campaign
  const renderable = await readRenderable(db, campaign)
  const { source, content } = renderable
  const ids = contactId === null ? [] : [contactId]
  const [contact] = await readContactValues(db, teamId, { ids }, content.propertyKeys)
  if (contactId !== null && contact === undefined) {
    throw invalidField('contact_id', 'The contact_id field must be the id of a contact of this account.')
  }
  const rendered = await renderInert(renderable, contact ?? NOBODY, publicUrl)
  await nextTurn()
  return { ...rendered, source, contactId: contact?.id ?? null, warnings: findWarnings(source) }
}
