import { DatabaseUnavailable, type Queryable } from '../db/db-types.ts'
import { createBatcher } from '../lib/async/batcher.ts'
import { type CompiledTemplate, compileTemplate } from './render-template.ts'
import { findSendable, type SendableRow, type TemplateKey, type TemplateStatus } from './templates-queries.ts'

/** A compiled template, current at the time of the look-up. */
export interface SendTemplate {
  id: string
  name: string
  status: TemplateStatus
  /** Null: the sender's reply address applies. */
  replyTo: string | null
  sender: { name: string; email: string; replyTo: string | null }
  compiled: CompiledTemplate
  /** A different stamp at commit means that the template or its sender has changed (accept-facts.ts). */
  stamp: string
}

/** Finds the current template by id or alias; null when the team has no such template. */
export type FindTemplate = (teamId: string, idOrAlias: string) => Promise<SendTemplate | null>

export interface TemplateCache {
  find: FindTemplate
  /**
   * Returns the cached template without a query, or null when none is cached. The caller must check its stamp before
   * committing.
   */
  recall(teamId: string, idOrAlias: string): SendTemplate | null
}

interface Entry {
  version: number
  template: SendTemplate
}

const BYTES_MAX = 64 * 1024 * 1024
const COUNT_MAX = 10_000
/** Batch sizes: known templates usually return only a version; new ones return content of up to a megabyte each. */
const KNOWN_KEYS_MAX = 200
const NEW_KEYS_MAX = 8
const WAITING_MAX = 5000
const RUNS_MAX = 2

/**
 * Creates a cache of compiled templates by team and name, which evicts the least recently used. Each `find` queries
 * the current version, batched with other concurrent calls; the content is included only when the cached version
 * differs. So a template that any process changed, unpublished or deleted is never used in its old state.
 */
export function createTemplateCache(
  db: Queryable,
  { bytesMax = BYTES_MAX, countMax = COUNT_MAX } = {},
): TemplateCache {
  const entries = createEntries(bytesMax, countMax)

  async function lookUp(names: readonly string[]): Promise<(SendTemplate | null)[]> {
    const distinct = [...new Set(names)]
    // Entries that are evicted during the query remain available here.
    const known = distinct.map((name) => entries.get(name))
    const keys = distinct.map((name, index) => keyOf(name, known[index] as Entry | null))
    const templates = new Map<string, SendTemplate>()
    for (const row of await findSendable(db, keys)) {
      const name = distinct[row.no] as string
      const compiled =
        row.content === null ? (known[row.no] as Entry).template.compiled : compileTemplate(row.content)
      const template = toSendTemplate(row, compiled)
      entries.put(name, { version: row.version, template })
      templates.set(name, template)
    }
    for (const name of distinct) if (!templates.has(name)) entries.forget(name)
    return names.map((name) => templates.get(name) ?? null)
  }

  const createLookUpBatcher = (itemsMax: number) =>
    createBatcher<string, SendTemplate | null>({
      run: lookUp,
      itemsMax,
      waitingMax: WAITING_MAX,
      runsMax: RUNS_MAX,
      rejectsAll: (error) => error instanceof DatabaseUnavailable,
    })
  const forVersions = createLookUpBatcher(KNOWN_KEYS_MAX)
  const forContent = createLookUpBatcher(NEW_KEYS_MAX)
  const nameOf = (teamId: string, idOrAlias: string) => `${teamId}/${idOrAlias.toLowerCase()}`
  return {
    find(teamId, idOrAlias) {
      const name = nameOf(teamId, idOrAlias)
      return (entries.get(name) !== null ? forVersions : forContent).add(name)
    },
    recall(teamId, idOrAlias) {
      const name = nameOf(teamId, idOrAlias)
      const entry = entries.get(name)
      if (entry === null) return null
      entries.put(name, entry)
      return entry.template
    },
  }
}

/** Creates a store of entries by name, which evicts the least recently used first. */
function createEntries(bytesMax: number, countMax: number) {
  /** The map's insertion order is the order of use. */
  const entries = new Map<string, Entry>()
  let heldBytes = 0

  function forget(name: string): void {
    heldBytes -= entries.get(name)?.template.compiled.sizeBytes ?? 0
    entries.delete(name)
  }

  return {
    get: (name: string) => entries.get(name) ?? null,
    forget,
    put(name: string, entry: Entry): void {
      forget(name)
      entries.set(name, entry)
      heldBytes += entry.template.compiled.sizeBytes
      for (const oldest of entries.keys()) {
        if (heldBytes <= bytesMax && entries.size <= countMax) break
        forget(oldest)
      }
    },
  }
}

function keyOf(name: string, known: Entry | null): TemplateKey {
  const [teamId = '', ...rest] = name.split('/')
  return {
    teamId,
    idOrAlias: rest.join('/'),
    known: known === null ? null : { id: known.template.id, version: known.version },
  }
}

function toSendTemplate(row: SendableRow, compiled: CompiledTemplate): SendTemplate {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    replyTo: row.replyTo,
    sender: { name: row.senderName, email: row.senderEmail, replyTo: row.senderReplyTo },
    compiled,
    stamp: row.stamp,
  }
}
