import { batchOf } from '../db/batch.ts'
import { bumpCounters } from '../db/counters.ts'
import type { Queryable, Tx } from '../db/db-types.ts'
import { FILTERED_TOTAL_MAX, type PageRange, queryRange, type Rows } from '../db/page.ts'
import type { Sender } from '../domains/senders-queries.ts'
import { isUuid } from '../lib/ids.ts'

export type TemplateStatus = 'draft' | 'published'

/** A variable as stored. */
export interface TemplateVariable {
  key: string
  type: 'string' | 'number'
  /** Null: a value is required. */
  fallback_value: string | null
}

/** A template without its content and variables, which can be large. */
export interface TemplateSummary {
  teamId: string
  id: string
  /** Null: in no folder, or its folder was deleted. */
  folderId: string | null
  name: string
  /** An alternative to the id, chosen by the team. */
  alias: string | null
  subject: string
  /** With or without a display name. Null: the sender's reply address applies. */
  replyTo: string | null
  status: TemplateStatus
  /** Increases with each change that affects rendering. */
  version: number
  /** When it last became published. */
  publishedAt: Date | null
  /** Whether it has a draft whose changes are not published. */
  hasDraft: boolean
  createdAt: Date
  updatedAt: Date
  sender: Sender
}

export interface Template extends TemplateSummary {
  html: string | null
  text: string | null
  variables: TemplateVariable[]
}

/** The name of the counter behind the `total` of the list. */
export const TEMPLATE_COUNTER = 'templates'

type SummaryRow = Omit<TemplateSummary, 'sender'> & {
  senderId: string
  senderDomainId: string
  senderDomainName: string
  senderName: string
  senderUsername: string
  senderReplyTo: string | null
  senderCreatedAt: Date
  senderUpdatedAt: Date
}
type Row = SummaryRow & Pick<Template, 'html' | 'text' | 'variables'>

const SUMMARY_COLUMNS = `t.team_id, t.id, f.id as folder_id, t.name, t.alias, t.subject,
  t.reply_to, t.status, t.version, t.published_at, t.created_at,
  t.updated_at, w.template_id is not null as has_draft, s.id as sender_id, s.domain_id as sender_domain_id, d.name as sender_domain_name,
  s.name as sender_name, s.username as sender_username, s.reply_to as sender_reply_to,
  s.created_at as sender_created_at, s.updated_at as sender_updated_at`
const COLUMNS = `${SUMMARY_COLUMNS}, t.html_content as html, t.text_content as text, t.variables`

/**
 * A sender cannot be deleted before its templates, nor a domain before its senders, so the inner joins lose no row.
 */
const TABLES = `template t
  join sender s on s.team_id = t.team_id and s.id = t.sender_id
  join domain d on d.team_id = s.team_id and d.id = s.domain_id
  left join template_folder f on f.team_id = t.team_id and f.id = t.folder_id
  left join template_draft w on w.team_id = t.team_id and w.template_id = t.id`

function toSummary(row: SummaryRow): TemplateSummary {
  const { teamId } = row
  return {
    teamId,
    id: row.id,
    folderId: row.folderId,
    name: row.name,
    alias: row.alias,
    subject: row.subject,
    replyTo: row.replyTo,
    status: row.status,
    version: row.version,
    publishedAt: row.publishedAt,
    hasDraft: row.hasDraft,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    sender: {
      teamId,
      id: row.senderId,
      domainId: row.senderDomainId,
      domainName: row.senderDomainName,
      name: row.senderName,
      username: row.senderUsername,
      email: `${row.senderUsername}@${row.senderDomainName}`,
      replyTo: row.senderReplyTo,
      createdAt: row.senderCreatedAt,
      updatedAt: row.senderUpdatedAt,
    },
  }
}

function toTemplate(row: Row): Template {
  return { ...toSummary(row), html: row.html, text: row.text, variables: row.variables }
}

function valuesOf(template: Template): unknown[] {
  return [
    template.teamId,
    template.id,
    template.folderId,
    template.sender.id,
    template.name,
    template.alias,
    template.subject,
    template.html,
    template.text,
    template.replyTo,
    template.status,
    JSON.stringify(template.variables),
    template.version,
    template.publishedAt,
    template.createdAt,
    template.updatedAt,
  ]
}

/** Inserts a template. Violates `template_alias_unique` when the team already has a template with this alias. */
export async function insertTemplate(tx: Tx, template: Template): Promise<void> {
  await tx.query(
    `insert into template (team_id, id, folder_id, sender_id, name, alias, subject, html_content, text_content,
       reply_to, status, variables, version, published_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    valuesOf(template),
  )
  await bumpCounters(tx, [{ teamId: template.teamId, name: TEMPLATE_COUNTER, by: 1 }])
}

/** Writes every column of a template. Violates `template_alias_unique` as insertTemplate does. */
export async function updateTemplate(tx: Tx, template: Template): Promise<void> {
  await tx.query(
    `update template
     set folder_id = $3, sender_id = $4, name = $5, alias = $6, subject = $7, html_content = $8, text_content = $9,
       reply_to = $10, status = $11, variables = $12, version = $13, published_at = $14, created_at = $15,
       updated_at = $16
     where team_id = $1 and id = $2`,
    valuesOf(template),
  )
}

/** Returns the condition that matches one template by id or alias, both case-insensitive. */
function conditionOf(idOrAlias: string): string {
  return isUuid(idOrAlias)
    ? 't.team_id = $1 and t.id = $2'
    : `t.team_id = $1 and lower(t.alias collate "C") = lower($2::text collate "C")`
}

export async function findTemplate(
  db: Queryable,
  teamId: string,
  idOrAlias: string,
): Promise<Template | null> {
  const rows = await db.query<Row>(
    `select ${COLUMNS}
     from ${TABLES}
     where ${conditionOf(idOrAlias)}`,
    [teamId, idOrAlias],
  )
  return rows[0] === undefined ? null : toTemplate(rows[0])
}

/**
 * Locks a template for a change or deletion until the transaction ends. No other transaction can change it or start
 * to use it.
 */
export async function holdTemplate(tx: Tx, teamId: string, idOrAlias: string): Promise<Template | null> {
  // Lock first, then read, so that the read sees what the previous holder committed.
  const held = await tx.query<{ id: string }>(
    `select t.id
     from template t
     where ${conditionOf(idOrAlias)}
     for update of t`,
    [teamId, idOrAlias],
  )
  return held[0] === undefined ? null : findTemplate(tx, teamId, held[0].id)
}

export interface TemplateFilter {
  folderId?: string
  status?: TemplateStatus
  /** The start of the name, case-insensitive. */
  namePrefix?: string
}

/** Sorts after every text with the same prefix, in the order of "C". */
const LAST_CHARACTER = '\u{10ffff}'

function conditionsOf(teamId: string, filter: TemplateFilter): { where: string; values: unknown[] } {
  const values: unknown[] = [teamId]
  const parts = ['t.team_id = $1']
  const add = (value: unknown, part: (place: string) => string) => {
    values.push(value)
    parts.push(part(`$${values.length}`))
  }
  if (filter.folderId !== undefined) {
    add(
      filter.folderId,
      (place) =>
        `t.folder_id = ${place} and exists (select from template_folder where team_id = $1 and id = ${place})`,
    )
  }
  if (filter.status !== undefined) add(filter.status, (place) => `t.status = ${place}`)
  if (filter.namePrefix !== undefined) {
    add(
      filter.namePrefix,
      (place) => `lower(t.name) collate "C" >= lower(${place}) collate "C"
        and lower(t.name) collate "C" < lower(${place}) || '${LAST_CHARACTER}' collate "C"`,
    )
  }
  return { where: parts.join('\n and '), values }
}

/** Lists templates, newest first. */
export async function listTemplates(
  db: Queryable,
  teamId: string,
  filter: TemplateFilter,
  range: PageRange,
): Promise<Rows<TemplateSummary>> {
  const { where, values } = conditionsOf(teamId, filter)
  const select = `select ${SUMMARY_COLUMNS}\nfrom ${TABLES}\nwhere ${where}`
  const { rows, hasMore } = await queryRange<SummaryRow>(db, select, values, range, 't.id')
  return { rows: rows.map(toSummary), hasMore }
}

/** Counts the templates that match a filter, up to FILTERED_TOTAL_MAX. */
export async function countTemplates(db: Queryable, teamId: string, filter: TemplateFilter): Promise<number> {
  const { where, values } = conditionsOf(teamId, filter)
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count
     from (select 1 from template t where ${where} limit ${FILTERED_TOTAL_MAX}) as matching`,
    values,
  )
  return rows[0]?.count ?? 0
}

/**
 * Returns whether active campaigns or automations use the template. Call it while the template is locked: uses by
 * other transactions are then either visible or waiting.
 */
export async function findTemplateUses(
  tx: Tx,
  teamId: string,
  id: string,
): Promise<{ byActiveCampaigns: boolean; byActiveAutomations: boolean }> {
  const rows = await tx.query<{ byActiveCampaigns: boolean; byActiveAutomations: boolean }>(
    `select exists (
         select from campaign
         where team_id = $1 and template_id = $2 and status in ('scheduled', 'sending')
       ) as by_active_campaigns,
       exists (
         select from automation_use u
         join automation a on a.team_id = u.team_id and a.id = u.automation_id
         where u.team_id = $1 and u.kind = 'template' and u.used_id = $2 and a.status = 'active'
       ) as by_active_automations`,
    [teamId, id],
  )
  return rows[0] as { byActiveCampaigns: boolean; byActiveAutomations: boolean }
}

/**
 * Maximum number of campaigns that a deletion updates. For the others, reading the template finds that it is deleted.
 */
const CAMPAIGN_COUNT_MAX = 1000

/**
 * Deletes a template and clears it from inactive campaigns. Campaigns locked by another transaction are skipped: it
 * may be waiting for this template, and will find it deleted.
 */
export async function deleteTemplate(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx.query('delete from template where team_id = $1 and id = $2', [teamId, id])
  await tx.query(
    `update campaign
     set template_id = null
     where team_id = $1
       and id = any (array(
         select id
         from campaign
         where team_id = $1 and template_id = $2
         limit ${CAMPAIGN_COUNT_MAX}
         for update skip locked
       ))`,
    [teamId, id],
  )
  await bumpCounters(tx, [{ teamId, name: TEMPLATE_COUNTER, by: -1 }])
}

/** The key of a template for sending, and the version that the caller already has. */
export interface TemplateKey {
  teamId: string
  idOrAlias: string
  known: { id: string; version: number } | null
}

/** A template for sending, read at one moment. */
export interface SendableRow {
  /** Index of its key. */
  no: number
  id: string
  name: string
  status: TemplateStatus
  version: number
  replyTo: string | null
  senderName: string
  senderEmail: string
  senderReplyTo: string | null
  /** Changes with every change of the template or its sender (`templateStamps`). */
  stamp: string
  /** Null: the caller has this version. */
  content: { subject: string; html: string | null; text: string | null; variables: TemplateVariable[] } | null
}

const KEYS = batchOf('team_id uuid, id uuid, alias text, known_id uuid, known_version int4', {
  id: ({ idOrAlias }: TemplateKey) => (isUuid(idOrAlias) ? idOrAlias : null),
  alias: ({ idOrAlias }: TemplateKey) => (isUuid(idOrAlias) ? null : idOrAlias),
  known_id: (key: TemplateKey) => key.known?.id ?? null,
  known_version: (key: TemplateKey) => key.known?.version ?? null,
})

const FIND_SENDABLE = `select k.no - 1 as no, t.id, t.name, t.status, t.version, t.reply_to, s.name as sender_name,
    s.username || '@' || d.name as sender_email, s.reply_to as sender_reply_to, t.is_known,
    t.written_by || '/' || s.xmin::text as stamp,
    case when not t.is_known then t.subject end as subject,
    case when not t.is_known then t.html_content end as html,
    case when not t.is_known then t.text_content end as text,
    case when not t.is_known then t.variables end as variables
  from unnest(${KEYS.arrays}) with ordinality as k (${KEYS.names}, no)
  cross join lateral (
    select t.*, (t.id, t.version) is not distinct from (k.known_id, k.known_version) as is_known,
      t.xmin::text as written_by
    from template t
    where t.team_id = k.team_id and t.id = k.id
    union all
    select t.*, (t.id, t.version) is not distinct from (k.known_id, k.known_version), t.xmin::text
    from template t
    where t.team_id = k.team_id and lower(t.alias collate "C") = lower(k.alias collate "C")
  ) as t
  join sender s on s.team_id = t.team_id and s.id = t.sender_id
  join domain d on d.team_id = s.team_id and d.id = s.domain_id`

/**
 * Finds the templates for these keys; unknown ones are left out. Reads content only for versions that the caller does
 * not have.
 */
export async function findSendable(db: Queryable, keys: readonly TemplateKey[]): Promise<SendableRow[]> {
  type Flat = Omit<SendableRow, 'content'> & {
    isKnown: boolean
    subject: string | null
    html: string | null
    text: string | null
    variables: TemplateVariable[] | null
  }
  const rows = await db.query<Flat>(FIND_SENDABLE, KEYS.values(keys))
  return rows.map(({ isKnown, subject, html, text, variables, ...row }) => ({
    ...row,
    content: isKnown ? null : { subject: subject as string, html, text, variables: variables ?? [] },
  }))
}
