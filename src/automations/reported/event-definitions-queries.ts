import type { Queryable, Tx } from '../../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../../db/page.ts'

export type FieldType = 'string' | 'number' | 'boolean' | 'date'

/** An event that applications report, with the fields that its payload must have. */
export interface EventDefinition {
  teamId: string
  id: string
  name: string
  /** Null: its payload is not checked. */
  schema: Readonly<Record<string, FieldType>> | null
  createdAt: Date
  updatedAt: Date
}

/** The name of the counter for the `total` of the list. */
export const EVENT_DEFINITION_COUNTER = 'event_definitions'

const COLUMNS = 'team_id, id, name, schema, created_at, updated_at'

const schemaText = ({ schema }: Pick<EventDefinition, 'schema'>) =>
  schema === null ? null : JSON.stringify(schema)

/** Returns false if the team has an event of this name. */
export async function insertEventDefinition(tx: Tx, definition: EventDefinition): Promise<boolean> {
  const { teamId, id, name, createdAt } = definition
  const rows = await tx.query(
    `insert into event_definition (team_id, id, name, schema, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (team_id, name) do nothing
     returning 1`,
    [teamId, id, name, schemaText(definition), createdAt],
  )
  return rows.length > 0
}

/** @param idOrName an id in lower case, or a name */
export async function findEventDefinition(
  db: Queryable,
  teamId: string,
  idOrName: string,
): Promise<EventDefinition | null> {
  const rows = await db.query<EventDefinition>(
    `select ${COLUMNS} from event_definition where team_id = $1 and (id::text = lower($2) or name = $2)`,
    [teamId, idOrName],
  )
  return rows[0] ?? null
}

/** Returns null if the team has no such definition. */
export async function updateEventDefinition(
  tx: Tx,
  teamId: string,
  idOrName: string,
  schema: EventDefinition['schema'],
  now: Date,
): Promise<EventDefinition | null> {
  const rows = await tx.query<EventDefinition>(
    `update event_definition
     set schema = $3, updated_at = $4
     where team_id = $1 and (id::text = lower($2) or name = $2)
     returning ${COLUMNS}`,
    [teamId, idOrName, schemaText({ schema }), now],
  )
  return rows[0] ?? null
}

export async function listEventDefinitions(
  db: Queryable,
  teamId: string,
  range: PageRange,
): Promise<Rows<EventDefinition>> {
  return queryRange<EventDefinition>(
    db,
    `select ${COLUMNS} from event_definition where team_id = $1`,
    [teamId],
    range,
  )
}

/** Returns the id of the deleted definition, or null if there was none. */
export async function deleteEventDefinition(
  tx: Tx,
  teamId: string,
  idOrName: string,
): Promise<string | null> {
  const rows = await tx.query<{ id: string }>(
    'delete from event_definition where team_id = $1 and (id::text = lower($2) or name = $2) returning id',
    [teamId, idOrName],
  )
  return rows[0]?.id ?? null
}
