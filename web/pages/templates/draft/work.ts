import { type QueryKey, useQuery } from '@tanstack/react-query'
import { keyOf } from '../../../api/query-keys.ts'
import type { Template, TemplateDraft } from '../../../api/records.ts'
import { requestJson } from '../../../api/request.ts'
import { useTeam } from '../../../api/team.ts'
import { type Draft, draftOf, draftToJson, isSameContent } from './draft.ts'

/** What the editor opens: a template with its unpublished changes in place of its content. */
export interface Work extends Template {
  /** The template without its unpublished changes, as emails use it. */
  live: Template
  /** Null: there are no unpublished changes. */
  unpublished: TemplateDraft | null
}

function workOf(live: Template, unpublished: TemplateDraft | null): Work {
  if (unpublished === null) return { ...live, live, unpublished }
  const { subject, html_content, text_content, reply_to, variables, warnings, sender, updated_at } =
    unpublished
  const content = { subject, html_content, text_content, reply_to, variables, warnings, sender, updated_at }
  return { ...live, ...content, live, unpublished }
}

const pathOf = (templateId: string) => `/templates/${encodeURIComponent(templateId)}`

export const workKeyOf = (teamId: string, templateId: string): QueryKey => [
  ...keyOf(teamId, pathOf(templateId)),
  'work',
]

export async function readWork(teamId: string, templateId: string, signal?: AbortSignal): Promise<Work> {
  const options = { teamId, ...(signal === undefined ? {} : { signal }) }
  const live = await requestJson<Template>(pathOf(templateId), options)
  if (!live.has_unpublished_versions) return workOf(live, null)
  return workOf(live, await requestJson<TemplateDraft>(`${pathOf(templateId)}/draft`, options))
}

export function useWork(templateId: string) {
  const { id: teamId } = useTeam()
  return useQuery({
    queryKey: workKeyOf(teamId, templateId),
    queryFn: ({ signal }) => readWork(teamId, templateId, signal),
  })
}

/** Returns whether saving stores a draft, which no email uses: always, once emails may use the template. */
export const savesDraft = ({ live, unpublished }: Work): boolean =>
  live.status === 'published' || unpublished !== null

/**
 * Stores the content of the editor. Name and alias are no part of a draft, and change at once.
 * @param now what the server has; a draft that someone else saves meanwhile is not overwritten (409)
 */
export async function storeWork(teamId: string, now: Work, draft: Draft): Promise<Work> {
  const path = pathOf(now.id)
  const { name, alias, ...content } = draftToJson(draft)
  if (!savesDraft(now)) {
    const body = { name, alias, ...content }
    return workOf(await requestJson<Template>(path, { method: 'PUT', teamId, body }), null)
  }
  const { live, unpublished } = now
  if (name !== live.name || alias !== live.alias) {
    await requestJson(path, { method: 'PUT', teamId, body: { name, alias } })
  }
  const revision = unpublished?.revision ?? 0
  if (!isSameContent(draft, draftOf(live))) {
    // A draft keeps the version that it was started from, so that publishing tells of later ones.
    const base = unpublished === null ? { base_version: live.version } : {}
    const body = { ...content, revision, ...base }
    await requestJson(`${path}/draft`, { method: 'PUT', teamId, body })
  } else if (unpublished !== null) await discardWork(teamId, now)
  return readWork(teamId, now.id)
}

/** Publishes the template with the given draft, and with no other. */
export async function publishWork(teamId: string, { id, live, unpublished }: Work): Promise<Work> {
  const path = pathOf(id)
  let revision = unpublished?.revision
  if (unpublished?.is_outdated) {
    const body = { revision, base_version: live.version }
    const draft = await requestJson<TemplateDraft>(`${path}/draft`, { method: 'PUT', teamId, body })
    revision = draft.revision
  }
  const query = revision === undefined ? {} : { revision }
  return workOf(await requestJson<Template>(`${path}/publish`, { method: 'POST', teamId, query }), null)
}

export async function discardWork(teamId: string, { id, unpublished }: Work): Promise<void> {
  const query = unpublished === null ? {} : { revision: unpublished.revision }
  await requestJson(`${pathOf(id)}/draft`, { method: 'DELETE', teamId, query })
}

/** Returns a name of the template's state, another one after each save. */
export const nameOfState = ({ live, unpublished }: Work): string =>
  [live.version, live.updated_at, unpublished?.created_at, unpublished?.revision].join(' ')

/** Returns a name of what saving would replace: another one after each save of the content, and after publishing. */
export const nameOfContent = ({ live, unpublished }: Work): string =>
  [live.status, live.version, unpublished?.created_at, unpublished?.revision].join(' ')

/** Returns whether `one` is newer and differs. A response that was sent before the last save is not newer. */
export function isNewer(one: Work, base: Work): boolean {
  if (one.live.version < base.live.version) return false
  const isOlderDraft = (one.unpublished?.revision ?? 0) < (base.unpublished?.revision ?? 0)
  if (one.unpublished !== null && one.unpublished.created_at === base.unpublished?.created_at && isOlderDraft)
    return false
  if (one.unpublished === null && base.unpublished === null && one.updated_at < base.updated_at) return false
  const isSame = isSameContent(draftOf(one), draftOf(base))
  return !isSame || one.name !== base.name || one.alias !== base.alias
}
