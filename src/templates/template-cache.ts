import { DatabaseUnavailable, type Queryable } from '../db/db-types.ts'
import { createBatcher } from '../lib/async/batcher.ts'
import { type CompiledTemplate, compileTemplate } from './render-template.ts'
import { findSendable, type SendableRow, type TemplateKey, type TemplateStatus } from './templates-queries.ts'

/** A template ready to be rendered, as it is at this moment. */
export interface SendTemplate {
  id: string
  name: string
  status: TemplateStatus
  /** Null: the sender's. */
  replyTo: string | null
  sender: { name: string; email: string; replyTo: string | null }
  compiled: CompiledTemplate
  /** Another one at the commit means that the template, or its sender, is not as it was (accept-facts.ts). */
  stamp: string
}

/** Finds a template by id or alias, as it is now; null when the team has none such. */
export type FindTemplate = (teamId: string, idOrAlias: string) => Promise<SendTemplate | null>

export interface TemplateCache {
  find: FindTemplate
  /** What was found last, without asking; null when nothing was. Whoever uses it checks its stamp in the end. */
  recall(teamId: string, idOrAlias: string): SendTemplate | null
}

interface Entry {
  version: number
  template: SendTemplate
}

const BYTES_MAX = 64 * 1024 * 1024
const COUNT_MAX = 10_000
/** Of one look-up that is likely to be told versions alone, and of one that is told content: up to a megabyte each. */
const KNOWN_KEYS_MAX = 200
const NEW_KEYS_MAX = 8
const WAITING_MAX = 5000
const RUNS_MAX = 2

/**
 * Compiled templates by team and name, the least used thrown out first. Each `find` asks the database, together with all
 * that ask at the same moment, which version there is now, and is told the content as well where the cache has another.
 * So a template that was changed, withdrawn or deleted by any process is never used as it was.
 */
export function createTemplateCache(
  db: Queryable,
  { bytesMax = BYTES_MAX, countMax = COUNT_MAX } = {},
): TemplateCache {
  const entries = createEntries(bytesMax, countMax)

  async function lookUp(names: readonly string[]): Promise<(SendTemplate | null)[]> {
    const distinct = [...new Set(names)]
    // What is thrown out while the database answers is still at hand here.
    const known = distinct.map((name) => entries.get(name))
    const keys = distinct.map((name, index) => keyOf(name, known[index] as Entry | null))
    const found = new Map<string, SendTemplate>()
    for (const row of await findSendable(db, keys)) {
      const name = distinct[row.no] as string
      const compiled =
        row.content === null ? (known[row.no] as Entry).template.compiled : compileTemplate(row.content)
      const template = toSendTemplate(row, compiled)
      entries.keep(name, { version: row.version, template })
      found.set(name, template)
    }
    for (const name of distinct) if (!found.has(name)) entries.forget(name)
    return names.map((name) => found.get(name) ?? null)
  }

  const askInBatches = (itemsMax: number) =>
    createBatcher<string, SendTemplate | null>({
      run: lookUp,
      itemsMax,
      waitingMax: WAITING_MAX,
      runsMax: RUNS_MAX,
      rejectsAll: (error) => error instanceof DatabaseUnavailable,
    })
  const forVersions = askInBatches(KNOWN_KEYS_MAX)
  const forContent = askInBatches(NEW_KEYS_MAX)
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
      entries.keep(name, entry)
      return entry.template
    },
  }
}

/** What is kept by name, in the order of use; what was used longest ago goes first. */
function createEntries(bytesMax: number, countMax: number) {
  /** The map's own order is the order of use. */
  const entries = new Map<string, Entry>()
  let heldBytes = 0

  function forget(name: string): void {
    heldBytes -= entries.get(name)?.template.compiled.sizeBytes ?? 0
    entries.delete(name)
  }

  return {
    get: (name: string) => entries.get(name) ?? null,
    forget,
    keep(name: string, entry: Entry): void {
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
