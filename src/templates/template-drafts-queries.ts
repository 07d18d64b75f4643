import type { Queryable, Tx } from '../db/db-types.ts'
import type { Author, NamedAuthor } from './template-versions-queries.ts'
import type { TemplateVariable } from './templates-queries.ts'

/** Unpublished content of a template. */
export interface TemplateDraft {
  teamId: string
  templateId: string
  /** Increases with each save. */
  revision: number
  /** The version of the template that the draft changes. */
  baseVersion: number
  /** May name a sender that was deleted since. */
  senderId: string
  subject: string
  html: string | null
  text: string | null
  replyTo: string | null
  variables: TemplateVariable[]
  /** Who saved it last. */
  author: NamedAuthor
  createdAt: Date
  updatedAt: Date
}

type Row = Omit<TemplateDraft, 'author'> & {
  actorKind: Author['kind']
  actorId: string
  actorName: string | null
}

function toDraft({ actorKind, actorId, actorName, ...draft }: Row): TemplateDraft {
  return { ...draft, author: { kind: actorKind, id: actorId, name: actorName } }
}

export async function findTemplateDraft(
  db: Queryable,
  teamId: string,
  templateId: string,
): Promise<TemplateDraft | null> {
  const rows = await db.query<Row>(
    `select w.team_id, w.template_id, w.revision, w.base_version, w.sender_id, w.subject, w.html_content as html,
       w.text_content as text, w.reply_to, w.variables, w.actor_kind, w.actor_id,
       coalesce(k.name, u.name) as actor_name, w.created_at, w.updated_at
     from template_draft w
     left join api_key k on k.team_id = w.team_id and k.id = w.actor_id
     left join user_account u on u.id = w.actor_id and w.actor_kind = 'user'
     where w.team_id = $1 and w.template_id = $2`,
    [teamId, templateId],
  )
  return rows[0] === undefined ? null : toDraft(rows[0])
}

/** Stores the draft of a locked template, in place of an earlier one. */
export async function storeTemplateDraft(
  tx: Tx,
  draft: Omit<TemplateDraft, 'author'>,
  author: Author,
): Promise<void> {
  await tx.query(
    `insert into template_draft (team_id, template_id, revision, base_version, sender_id, subject, html_content,
       text_content, reply_to, variables, actor_kind, actor_id, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     on conflict (team_id, template_id) do update
     set revision = excluded.revision, base_version = excluded.base_version, sender_id = excluded.sender_id,
       subject = excluded.subject, html_content = excluded.html_content, text_content = excluded.text_content,
       reply_to = excluded.reply_to, variables = excluded.variables, actor_kind = excluded.actor_kind,
       actor_id = excluded.actor_id, updated_at = excluded.updated_at`,
    [
      draft.teamId,
      draft.templateId,
      draft.revision,
      draft.baseVersion,
      draft.senderId,
      draft.subject,
      draft.html,
      draft.text,
      draft.replyTo,
      JSON.stringify(draft.variables),
      author.kind,
      author.id,
      draft.createdAt,
      draft.updatedAt,
    ],
  )
}

/** Returns whether there was a draft. */
export async function deleteTemplateDraft(tx: Tx, teamId: string, templateId: string): Promise<boolean> {
  const rows = await tx.query(
    'delete from template_draft where team_id = $1 and template_id = $2 returning template_id',
    [teamId, templateId],
  )
  return rows.length > 0
}
