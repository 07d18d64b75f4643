import type { Tx } from '../db/db-types.ts'
import { newId } from '../lib/ids.ts'
import { type Author, deleteTemplateVersions, insertTemplateVersion } from './template-versions-queries.ts'
import type { Template } from './templates-queries.ts'

/** Maximum number of versions kept per template; older ones are deleted. */
export const VERSIONS_KEPT_MAX = 100

/** The author and time of a change. */
export interface Authorship {
  author: Author
  now: Date
}

/** Stores the version of a template that was just created. */
export async function storeFirstVersion(
  tx: Tx,
  template: Template,
  { author, now }: Authorship,
): Promise<void> {
  await insertTemplateVersion(tx, template, { id: newId(now.getTime()), author, createdAt: now })
}

/** Stores the new version of a locked template if the change affects rendering. */
export async function storeNextVersion(
  tx: Tx,
  before: Template,
  after: Template,
  authorship: Authorship,
): Promise<void> {
  if (before.version === after.version) return
  // A process of an older release, which stores no versions, may have created or changed the template.
  await insertTemplateVersion(tx, before, {
    id: newId(before.updatedAt.getTime()),
    author: null,
    createdAt: before.updatedAt,
  })
  await storeFirstVersion(tx, after, authorship)
  await deleteTemplateVersions(tx, after.teamId, after.id, after.version - VERSIONS_KEPT_MAX)
}
