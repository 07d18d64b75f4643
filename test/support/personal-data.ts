import { zstdDecompressSync } from 'node:zlib'
import { simpleParser } from 'mailparser'
import { expect } from 'vitest'
import type { Db } from '../../src/db/db-types.ts'
import type { GivenTeam } from './teams.ts'

/** The place of a match: `table.column`. */
export type Finding = string

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/**
 * Finds the texts in every text, JSON, array and bytea column of every table that the database lists, including
 * future ones. Also searches compressed messages, and their decoded parts.
 */
export async function findTexts(db: Db, texts: readonly string[]): Promise<Finding[]> {
  const columns = await db.query<{ table: string; column: string; type: string }>(
    `select c.table_name as "table", c.column_name as "column", c.udt_name as type
     from information_schema.columns c
     join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
     join pg_class k on k.relname = c.table_name and not k.relispartition
     where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
       and c.udt_name in ('text', 'varchar', 'bpchar', 'jsonb', 'json', '_text', '_jsonb', 'bytea')`,
  )
  const found: Finding[] = []
  for (const { table, column, type } of columns) {
    const holds =
      type === 'bytea'
        ? await holdsOctets(db, table, column, texts)
        : await holdsText(db, table, column, texts)
    if (holds) found.push(`${table}.${column}`)
  }
  return found.sort()
}

async function holdsText(db: Db, table: string, column: string, texts: readonly string[]): Promise<boolean> {
  const likes = texts.map((text) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`)
  const rows = await db.query(
    `select 1 from "${table}" where lower("${column}"::text) like any ($1::text[]) limit 1`,
    [likes],
  )
  return rows.length > 0
}

async function holdsOctets(
  db: Db,
  table: string,
  column: string,
  texts: readonly string[],
): Promise<boolean> {
  const rows = await db.query<{ bytes: Buffer | null }>(`select "${column}" as bytes from "${table}"`)
  for (const { bytes } of rows) {
    if (bytes === null) continue
    const plain = bytes.subarray(0, 4).equals(ZSTD) ? zstdDecompressSync(bytes) : bytes
    const writings = [plain.toString('latin1'), plain.toString('utf8')]
    if (plain.includes('MIME-Version') || plain.includes('Message-ID')) {
      const { text, html, subject, headerLines } = await simpleParser(plain)
      writings.push(String(text), String(html), String(subject), JSON.stringify(headerLines))
    }
    const all = writings.join('\n').toLowerCase()
    const forms = texts.flatMap((one) => [
      one,
      Buffer.from(one).toString('base64').replace(/=+$/, ''),
      encodeURIComponent(one),
    ])
    if (forms.some((form) => all.includes(form.toLowerCase()))) return true
  }
  return false
}

/** Requests the erasure of a person, and returns its id. */
export async function erase(team: GivenTeam, who: string, body: object = {}): Promise<string> {
  const reply = await team.post(`/contacts/${encodeURIComponent(who)}/erase`, body)
  expect(reply.status, reply.text).toBe(202)
  expect(reply.json).toMatchObject({ object: 'erasure', status: 'running', finished_at: null })
  return reply.json.id
}

export async function erasureStatus(team: GivenTeam, id: string): Promise<string> {
  return (await team.get(`/erasures/${id}`)).json.status
}

/** Erases a person, and waits until the erasure is complete. */
export async function erased(team: GivenTeam, who: string): Promise<void> {
  const id = await erase(team, who)
  await comeTo(() => erasureStatus(team, id)).toBe('completed')
}

export const comeTo = <T>(what: () => T) => expect.poll(what, { timeout: 60_000, interval: 50 })

/** The user agent of a browser. */
export const BROWSER =
  'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15'

/** Returns the URLs of tracked links and pixels in an email, at a host that the test can reach. */
export const trackedIn = (html: unknown, url: string): string[] =>
  [...String(html).matchAll(/(?:href|src)="https:\/\/api\.test(\/[^"]+)"/g)].map(([, path]) => url + path)
