import Type from 'typebox'

const Id = Type.String({ format: 'uuid' })
const TextOrNull = Type.Union([Type.String(), Type.Null()])

/**
 * The fields of the email in the `data` of an event, read when Sendwright sends the event. Once the email is deleted,
 * only `email_id` remains. Bcc recipients are never included.
 */
export const EMAIL_DATA = {
  email_id: Id,
  message_id: Type.Optional(Type.String()),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.Array(Type.String())),
  subject: Type.Optional(Type.String()),
  created_at: Type.Optional(Type.String({ description: 'When the email was accepted.' })),
  tags: Type.Optional(Type.Record(Type.String(), Type.String())),
  template_id: Type.Optional(TextOrNull),
}

export const CONTACT_DATA = {
  id: Id,
  email: Type.String(),
  first_name: Type.Optional(TextOrNull),
  last_name: Type.Optional(TextOrNull),
  unsubscribed: Type.Optional(Type.Boolean()),
  created_at: Type.Optional(Type.String()),
  updated_at: Type.Optional(Type.String()),
  automation: Type.Optional(
    Type.Object(
      { id: Id, run_id: Id, depth: Type.Integer() },
      { description: 'The automation that caused it. `depth`: how many began one another before.' },
    ),
  ),
  import: Type.Optional(
    Type.Object({ id: Id, runs_automations: Type.Boolean() }, { description: 'The import that caused it.' }),
  ),
}

export const DOMAIN_DATA = {
  id: Id,
  name: Type.String(),
  status: Type.String(),
  reason: TextOrNull,
  created_at: Type.String(),
}

export const SUPPRESSION_DATA = {
  id: Id,
  email: Type.String(),
  reason: Type.Union([Type.String(), Type.Null()], { description: '`manual`, `bounce` or `complaint`.' }),
  source_email_id: Type.Optional(TextOrNull),
}

export const WEBHOOK_DATA = {
  id: Id,
  endpoint: Type.String(),
  reason: Type.String({ description: 'Human-readable reason.' }),
}

export const CAMPAIGN_DATA = {
  id: Id,
  name: Type.String(),
}

export const TEAM_DATA = {
  id: Id,
  name: Type.String(),
  by: Type.String({
    description: '`operator`, or `reputation`: Sendwright, because of too many bounces or complaints.',
  }),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Human-readable reason.' }),
}
