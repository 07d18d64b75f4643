import type { Queryable, Tx } from '../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../db/page.ts'
import type { Template, TemplateVariable } from './templates-queries.ts'

/** The author of a change. */
export interface Author {
  kind: 'key' | 'user'
  id: string
}

/** An author with the name of the API key or user. */
export interface NamedAuthor extends Author {
  name: string | null
}

/** A version without its content and variables, which can be large. */
export interface TemplateVersionSummary {
  id: string
  templateId: string
  version: number
  subject: string
  /** Null when the version was not recorded with its author. */
  author: NamedAuthor | null
  createdAt: Date
}

/** The content of a template at one version. */
export interface TemplateVersion extends TemplateVersionSummary {
  html: string | null
  text: string | null
  replyTo: string | null
  variables: TemplateVariable[]
  senderId: string
}

type SummaryRow = Omit<TemplateVersionSummary, 'author'> & {
  actorKind: Author['kind'] | null
  actorId: string | null
  actorName: string | null
}
type Row = SummaryRow & Omit<TemplateVersion, keyof TemplateVersionSummary>

const SUMMARY_COLUMNS = `v.id, v.template_id, v.version, v.subject, v.actor_kind,
  v.actor_id, coalesce(k.name, u.name) as actor_name, v.created_at`
const COLUMNS = `${SUMMARY_COLUMNS}, v.html_content as html, v.text_content as text, v.reply_to, v.variables,
  v.sender_id`
const TABLES = `template_version v
     left join api_key k on k.team_id = v.team_id and k.id = v.actor_id
     left join user_account u on u.id = v.actor_id and v.actor_kind = 'user'`

function toSummary(row: SummaryRow): TemplateVersionSummary {
  const { id, templateId, version, subject, actorKind, actorId, actorName, createdAt } = row
  const author =
    actorKind === null || actorId === null ? null : { kind: actorKind, id: actorId, name: actorName }
  return { id, templateId, version, subject, author, createdAt }
}

function toVersion(row: Row): TemplateVersion {
  const { html, text, replyTo, variables, senderId } = row
  return { ...toSummary(row), html, text, replyTo, variables, senderId }
}

/** Stores the current content of a template under its version number. An existing version is left unchanged. */
export async function insertTemplateVersion(
  tx: Tx,
  template: Template,
  { id, author, createdAt }: { id: string; author: Author | null; createdAt: Date },
): Promise<void> {
  await tx.query(
    `insert into template_version (team_id, template_id, version, id, sender_id, subject, html_content, text_content,
       reply_to, variables, actor_kind, actor_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (team_id, template_id, version) do nothing`,
    [
      template.teamId,
      template.id,
      template.version,
      id,
      template.sender.id,
      template.subject,
      template.html,
      template.text,
      template.replyTo,
      JSON.stringify(template.variables),
      author?.kind ?? null,
      author?.id ?? null,
      createdAt,
    ],
  )
}

/** Deletes all versions up to and including `upTo`. */
export async function deleteTemplateVersions(
  tx: Tx,
  teamId: string,
  templateId: string,
  upTo: number,
): Promise<void> {
  await tx.query('delete from template_version where team_id = $1 and template_id = $2 and version <= $3', [
    teamId,
    templateId,
    upTo,
  ])
}

export async function findTemplateVersion(
  db: Queryable,
  teamId: string,
  templateId: string,
  version: number,
): Promise<TemplateVersion | null> {
  const rows = await db.query<Row>(
    `select ${COLUMNS}
     from ${TABLES}
     where v.team_id = $1 and v.template_id = $2 and v.version = $3`,
    [teamId, templateId, version],
  )
  return rows[0] === undefined ? null : toVersion(rows[0])
}

/** Lists versions, newest first. */
export async function listTemplateVersions(
  db: Queryable,
  teamId: string,
  templateId: string,
  range: PageRange,
): Promise<Rows<TemplateVersionSummary>> {
  const select = `select ${SUMMARY_COLUMNS}
     from ${TABLES}
     where v.team_id = $1 and v.template_id = $2`
  const { rows, hasMore } = await queryRange<SummaryRow>(db, select, [teamId, templateId], range, 'v.id')
  return { rows: rows.map(toSummary), hasMore }
}

export async function countTemplateVersions(
  db: Queryable,
  teamId: string,
  templateId: string,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count
     from template_version
     where team_id = $1 and template_id = $2`,
    [teamId, templateId],
  )
  return rows[0]?.count ?? 0
}
