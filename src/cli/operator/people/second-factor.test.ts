import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../../../test/support/command.ts'
import { createDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { replaceRecoveryCodes } from '../../../accounts/second-factor/recovery-codes-queries.ts'
import { confirmTotp, putPendingTotp } from '../../../accounts/second-factor/totp-queries.ts'
import { countSecondFactors } from '../../../accounts/sessions/second-factors-queries.ts'
import { insertUser } from '../../../accounts/users/users-queries.ts'
import { newId } from '../../../lib/ids.ts'

const NOW = new Date()
let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await createDatabase()
  folder = mkdtempSync(join(tmpdir(), 'sendwright-cli-'))
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

function resetSecondFactor(email: string) {
  const environment = { DATABASE_URL: database.url, SENDWRIGHT_DATA_DIR: folder }
  return runCommand(['user', 'reset-second-factor', email], { environment })
}

async function givenUser(email: string): Promise<string> {
  const id = newId()
  const sealedSecret = Buffer.alloc(40)
  const times = { passwordChangedAt: null, createdAt: NOW, updatedAt: NOW }
  await database.db.transaction(async (tx) => {
    await insertUser(tx, { id, email, name: 'Ann', passwordHash: null, isOperator: false, ...times })
    await putPendingTotp(tx, id, sealedSecret, NOW)
    await confirmTotp(tx, { userId: id, sealedSecret }, 1, NOW)
    await replaceRecoveryCodes(tx, id, [Buffer.alloc(32)], NOW)
  })
  return id
}

test("0 when a user's second factors are removed, and only that user's; 1 for an unknown address", async () => {
  const [ann, bob] = [await givenUser('ann@acme.test'), await givenUser('bob@acme.test')]
  expect((await resetSecondFactor('Ann@Acme.TEST')).json()).toEqual({
    object: 'user',
    id: ann,
    email: 'ann@acme.test',
    totp_disabled: true,
    passkeys_removed: 0,
  })
  const count = (id: string) => countSecondFactors(database.db, id)
  expect(await count(ann)).toEqual({ totpEnabled: false, passkeyCount: 0, recoveryCodesLeft: 0 })
  expect(await count(bob)).toEqual({ totpEnabled: true, passkeyCount: 0, recoveryCodesLeft: 1 })
  expect((await resetSecondFactor('nobody@acme.test')).code).toBe(1)
})
