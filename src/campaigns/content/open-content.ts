import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queryable } from '../../db/db-types.ts'
import type { Campaign } from '../rows/campaigns-queries.ts'
import { findVersion } from '../rows/runs-queries.ts'
import { readPropertyFallbacks } from '../sending/audience-contacts-queries.ts'
import { type CurrentContent, readContent } from '../sending/read-content.ts'
import { type CompiledVersion, compileVersion } from '../sending/render-campaign.ts'

/** The content of a campaign, compiled for a preview, a test or its checks. */
export interface OpenContent extends CurrentContent {
  compiled: CompiledVersion
  /** False if it is the version that was sent. */
  isCurrent: boolean
  /** The fallbacks of properties, by key in lower case. */
  fallbacks: ReadonlyMap<string, string>
}

/** Refuses a template that is not published, because a campaign does not start with it. */
export function refuseUnpublished(
  { template }: OpenContent,
  refuse: (field: string, message: string) => void,
): void {
  if (template === null || template.status === 'published') return
  refuse('template_id', 'The template_id field must be the id of a published template.')
}

/**
 * Reads and compiles the content that a campaign sends: once it has begun, the version that was sent; before that, and while it is
 * paused, its current content. Compiling takes a turn of the event loop, because content has up to a megabyte.
 */
export async function openContent(db: Queryable, campaign: Campaign): Promise<OpenContent> {
  const { teamId, version, status } = campaign
  const current = await readContent(db, campaign)
  const sentContent = version === 0 || status === 'paused' ? null : await findVersion(db, campaign)
  await nextTurn()
  const content = sentContent ?? current.content
  const compiled = compileVersion(content)
  const fallbacks = await readPropertyFallbacks(db, teamId, compiled.propertyKeys)
  return { ...current, content, compiled, isCurrent: sentContent === null, fallbacks }
}
