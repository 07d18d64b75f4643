import type { Tx } from '../db/db-types.ts'
import { holdReferences, type ReferenceKind } from '../db/references.ts'
import type { FieldErrors } from '../lib/api-error.ts'
import { type GraphReference, graphReferences } from './graph/graph-references.ts'
import type { StoredGraph } from './graph/read-graph.ts'
import type { Automation, Reference } from './rows/automations-queries.ts'
import { findPropertyTypes, findTemplateIds } from './rows/named-records-queries.ts'

const KINDS = [
  'sender',
  'template',
  'segment',
  'list',
  'webhook',
  'campaign',
] as const satisfies readonly ReferenceKind[]

type ByKind = (kind: GraphReference['kind']) => GraphReference[]

function byKind(references: readonly GraphReference[]): ByKind {
  const groups = Map.groupBy(references, ({ kind }) => kind)
  return (kind) => groups.get(kind) ?? []
}

/**
 * Returns the errors of records that an automation names and the team does not have, and of templates that are not published, if it
 * is to be active. The records are locked against deletion until the transaction ends.
 */
export async function findReferenceErrors(
  tx: Tx,
  teamId: string,
  { graph, settings }: StoredGraph,
  isActive: boolean,
  shownPath: (path: string) => string,
): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  const refuse = (path: string, says: string) => {
    const field = shownPath(path)
    errors[field] ??= [`The ${field} field ${says}`]
  }
  const of = byKind(graphReferences(graph, settings))
  for (const kind of KINDS) {
    const ids = of(kind).map(({ id }) => id)
    const records = await holdReferences(tx, teamId, kind, ids)
    for (const { id, path } of of(kind)) {
      const record = records.get(id)
      if (record === undefined) refuse(path, `must be the id of a ${kind} of this account.`)
      else if (isActive && !record.isReady) refuse(path, 'must be the id of a published template.')
    }
  }
  const aliases = of('template_alias')
  const templates = await findTemplateIds(
    tx,
    teamId,
    aliases.map(({ id }) => id),
  )
  for (const { id, path } of aliases) {
    if (!templates.has(id)) refuse(path, 'must be the id or alias of a template of this account.')
    else if (isActive && templates.get(id)?.isPublished !== true)
      refuse(path, 'must be the alias of a published template.')
  }
  const properties = [...of('property'), ...of('date_property')]
  const types = await findPropertyTypes(
    tx,
    teamId,
    properties.map(({ id }) => id),
  )
  for (const { kind, id, path } of properties) {
    const type = types.get(id.toLowerCase())
    if (type === undefined) refuse(path, 'must name a property of this account.')
    else if (kind === 'date_property' && type !== 'date')
      refuse(path, 'must be the key of a property of type date.')
  }
  return errors
}

const USE_KINDS: ReadonlySet<string> = new Set(['segment', 'template', 'sender', 'list', 'webhook'])

/** Returns the records that an automation uses, by id, so that they are not deleted while it is active. */
export async function usesOf(tx: Tx, { teamId, graph, settings }: Automation): Promise<Reference[]> {
  const references = graphReferences(graph, settings)
  const aliases = references.filter(({ kind }) => kind === 'template_alias').map(({ id }) => id)
  const templates = await findTemplateIds(tx, teamId, aliases)
  return references.flatMap(({ kind, id }): Reference[] => {
    if (kind !== 'template_alias') return USE_KINDS.has(kind) ? [{ kind: kind as ReferenceKind, id }] : []
    const found = templates.get(id)
    return found === undefined ? [] : [{ kind: 'template', id: found.id }]
  })
}
