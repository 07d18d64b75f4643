import type { Tx } from '../db/db-types.ts'
import { newId } from '../lib/ids.ts'
import { type Author, deleteTemplateVersions, insertTemplateVersion } from './template-versions-queries.ts'
import type { Template } from './templates-queries.ts'

/** Of a template; older ones go as newer ones come. */
export const VERSIONS_KEPT_MAX = 100

/** Who makes a change, and when. */
export interface Authorship {
  author: Author
  now: Date
}

/** Keeps a template that was just made as its first version. */
export async function storeFirstVersion(
  tx: Tx,
  template: Template,
  { author, now }: Authorship,
): Promise<void> {
  await insertTemplateVersion(tx, template, { id: newId(now.getTime()), author, createdAt: now })
}

/** Keeps what a change has made of a template that is held, if it is rendered otherwise than before. */
export async function storeNextVersion(
  tx: Tx,
  before: Template,
  after: Template,
  authorship: Authorship,
): Promise<void> {
  if (before.version === after.version) return
  // A process that knows nothing of versions may have made or changed it meanwhile.
  await insertTemplateVersion(tx, before, {
    id: newId(before.updatedAt.getTime()),
    author: null,
    createdAt: before.updatedAt,
  })
  await storeFirstVersion(tx, after, authorship)
  await deleteTemplateVersions(tx, after.teamId, after.id, after.version - VERSIONS_KEPT_MAX)
}
