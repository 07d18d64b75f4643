import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../test/support/database.ts'
import { readCounter } from '../db/counters.ts'
import { newId } from '../lib/ids.ts'
import { AUDIT_COUNTER, type AuditEntry } from './audit-queries.ts'
import { audit } from './audited-transactions.ts'

test('an entry is counted once, and only if its transaction commits', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const entry: AuditEntry = {
    teamId: newId(),
    id: newId(),
    actorKind: 'operator',
    actorId: null,
    action: 'teams.pause',
    targetId: null,
    fields: [],
    ipAddress: null,
    userAgent: null,
    requestId: null,
    createdAt: new Date(),
  }
  const count = () => readCounter(db, entry.teamId, AUDIT_COUNTER)
  const failing = db.transaction(async (tx) => {
    audit(tx, entry)
    tx.writeLast('later', [0], async (last, values) => void (await last.query('select 1 / $1::int4', values)))
  })
  await expect(failing).rejects.toThrow('division by zero')
  expect(await count()).toBe(0)
  for (let no = 0; no < 2; no++) await db.transaction(async (tx) => audit(tx, entry))
  expect(await count()).toBe(1)
})
