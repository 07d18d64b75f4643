import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../test/support/database.ts'
import { due } from '../../../test/support/delivery.ts'
import { createHashAddress } from '../../lib/crypto/erased-address.ts'
import { newId } from '../../lib/ids.ts'
import { prepareDeliveries } from './prepare-deliveries.ts'

test('loads messages that are not large, and finds suppressed deliveries', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const teamId = newId()
  const inDatabase = Buffer.from('From the database\r\n')
  const claim = (address: string) => ({ ...due(address), teamId, message: null })
  const [read, suppressed] = [claim('read@to.test'), claim('suppressed@to.test')]
  const large = { ...claim('large@to.test'), sizeBytes: 256 * 1024 + 1 }
  for (const { emailId } of [read, large])
    await db.query(
      `insert into email_content (team_id, email_id, encoding, message, smtp_utf8) values ($1, $2, 'identity', $3, false)`,
      [teamId, emailId, inDatabase],
    )
  await db.query(
    `insert into suppression (team_id, id, email, reason, created_at, updated_at) values ($1, $2, $3, 'manual', now(), now())`,
    [teamId, newId(), suppressed.addressKey],
  )
  const hashAddress = createHashAddress(Buffer.alloc(32))
  const { withdrawn } = await prepareDeliveries(db, hashAddress, [read, large, suppressed], false)
  expect(large.message).toBeNull()
  expect(read.message).toEqual({ bytes: inDatabase, smtpUtf8: false })
  expect([...withdrawn]).toEqual([[suppressed, 'suppressed']])
})
