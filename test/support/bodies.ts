import { batchOf } from '../../src/db/batch.ts'
import type { Db, Queryable } from '../../src/db/db-types.ts'
import { findEmailDetail } from '../../src/emails/read/read-emails-queries.ts'
import { loadBody } from '../../src/emails/read/require-email.ts'
import type { ReadPackedBody } from '../../src/emails/rows/packed-queries.ts'
import { decodeMessage, encodeMessage } from '../../src/mime/encoding.ts'
import { insertOldEmails } from './old-weeks.ts'

const WORDS =
  'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore'.split(
    ' ',
  )

/** Returns a message of a shop's template, with the values of one order. */
export function shopMessage(number: number, itemCount = 3): Buffer {
  const name = `Customer ${WORDS[number % WORDS.length]}-${number.toString(36)}`
  const item = (index: number) =>
    `<tr><td style="padding:12px 0;border-bottom:1px solid #e5e7eb;font-family:Helvetica,Arial,sans-serif">Article ${(number * 7919 + index * 104_729).toString(36)}</td><td align="right" style="padding:12px 0;border-bottom:1px solid #e5e7eb">${((number * 31 + index * 17) % 9000) / 100} EUR</td></tr>\r\n`
  return Buffer.from(
    [
      'Content-Type: text/html; charset=utf-8',
      `Subject: Your order ${number}`,
      `To: customer${number}@customers.test`,
      '',
      '<!doctype html><html><head><style>body{margin:0;background:#f4f5f7}h1{font-size:22px;line-height:28px;color:#111827}</style></head>',
      '<body><table role="presentation" width="600" cellpadding="0" cellspacing="0" style="margin:0 auto;background:#ffffff">',
      `<tr><td style="padding:32px"><h1>Thank you, ${name}!</h1><p style="color:#374151">Your order ${number} is on its way.</p>`,
      `<table>${Array.from({ length: itemCount }, (_, index) => item(index)).join('')}</table>`,
      `<a href="https://shop.test/orders/${number}" style="display:inline-block;padding:12px 24px;background:#2563eb;color:#ffffff;border-radius:6px">View your order</a>`,
      '<p style="color:#6b7280;font-size:12px">You receive this email because you ordered at Shop Ltd., 1 Main Street, Springfield. Please do not reply.</p>',
      '</td></tr></table></body></html>',
      '',
    ].join('\r\n'),
  )
}

const BODIES = batchOf('id uuid, encoding text, message bytea, address text')

/** Inserts settled emails with these messages, each to a recipient of its own. Returns their ids, in order. */
export async function givenBodies(
  db: Db,
  teamId: string,
  at: Date,
  messages: readonly Buffer[],
): Promise<string[]> {
  const ids = await insertOldEmails(db, teamId, messages.length, { at })
  const rows = await Promise.all(
    messages.map(async (message, index) => {
      const { encoding, bytes } = await encodeMessage(message)
      return { id: ids[index] ?? '', encoding, message: bytes, address: `customer${index}@customers.test` }
    }),
  )
  const values = [teamId, ...BODIES.values(rows)]
  const given = `unnest(${BODIES.arraysFrom(2)}) as k (${BODIES.names})`
  await db.query(
    `update email_content c set encoding = k.encoding, message = k.message from ${given}
     where c.team_id = $1 and c.email_id = k.id`,
    values,
  )
  await db.query(
    `update delivery d set address_key = k.address from ${given}
     where d.team_id = $1 and d.email_id = k.id`,
    values,
  )
  return ids
}

/** Returns the message of an email as the API reads it, or null if it has none. */
export async function readMessage(
  db: Db,
  readBody: ReadPackedBody,
  teamId: string,
  id: string,
): Promise<Buffer | null> {
  const detail = await findEmailDetail(db, teamId, id, 1000)
  if (detail === null) return null
  const { encoding, message } = await loadBody(readBody, detail)
  return decodeMessage(encoding, message)
}

/** Moves the contents of a team to packed contents, as a packer does, without any pack. */
export async function moveContents(tx: Queryable, teamId: string): Promise<void> {
  await tx.query(
    `insert into packed_content (team_id, email_id, smtp_utf8, pack_id, start, bytes, key)
     select team_id, email_id, smtp_utf8, team_id, 0, 1, 'key' from email_content where team_id = $1`,
    [teamId],
  )
  await tx.query('delete from email_content where team_id = $1', [teamId])
}
