import { hash } from 'node:crypto'
import type { Socket } from 'node:net'
import type pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { arrays } from './arrays.ts'
import { openDb } from './db.ts'
import type { Db } from './db-types.ts'
import { Pieces } from './pieces.ts'
import { openPool, settingsOf } from './pool.ts'
import { sendStatement, statementOf } from './send-statement.ts'

const LARGE = Buffer.alloc(3_000_000, 'sendwright')
const SMALL = Buffer.from('small')
const sha = (octets: Buffer) => hash('sha256', octets)
const shaSql = (name: string) => `encode(sha256(${name}), 'hex')`

function open(): Db {
  const db = openDb(inject('postgresUrl'), { connectionsMax: 1, timeoutMs: 20_000, name: 'test' })
  onTestFinished(() => db.close())
  return db
}

test('a large value arrives unchanged, between values of other types', async () => {
  const at = new Date('2026-01-02T03:04:05.678Z')
  const send = (value: Buffer | Pieces) =>
    open().query(
      `select $1::int4 as number, $2::text as nothing, ${shaSql('$3::bytea')} as large, $4::text as text,
         $5::timestamptz as at, ${shaSql('$6::bytea')} as small`,
      [7, null, value, 'é', at, SMALL],
    )
  const expected = { number: 7, nothing: null, text: 'é', at, small: sha(SMALL) }
  const both = Buffer.concat([LARGE, SMALL, LARGE])
  expect(await send(LARGE)).toEqual([{ ...expected, large: sha(LARGE) }])
  expect(await send(new Pieces([LARGE, SMALL, LARGE]))).toEqual([{ ...expected, large: sha(both) }])
  expect(await send(new Pieces([]))).toEqual([{ ...expected, large: sha(Buffer.alloc(0)) }])
})

test('an array keeps the order of large and small values, and null', async () => {
  const rows = await open().query(`select ${shaSql('value')} as sha from unnest($1::bytea[]) as value`, [
    arrays.bytea([SMALL, LARGE, null, LARGE, SMALL]),
  ])
  expect(rows.map(({ sha: one }) => one)).toEqual([sha(SMALL), sha(LARGE), null, sha(LARGE), sha(SMALL)])
})

test('a failed statement reports its error, and the next one on its connection succeeds', async () => {
  const db = open()
  const failing = db.query('select 1 / octet_length($1::bytea) / 0', [LARGE])
  await expect(failing).rejects.toMatchObject({ code: '22012' })
  expect(await db.query('select octet_length($1::bytea) as bytes', [LARGE])).toEqual([
    { bytes: LARGE.length },
  ])
})

test('statements sent together run in order', async () => {
  const sent = await open().transaction((tx) =>
    Promise.all([
      tx.query('create temporary table place (no int4, content bytea) on commit drop'),
      tx.query('insert into place values (1, $1)', [LARGE]),
      tx.query('update place set no = no + 1'),
      tx.query('insert into place values (5, $1)', [new Pieces([SMALL, LARGE])]),
      tx.query('select no, octet_length(content) as bytes from place order by no'),
    ]),
  )
  expect(sent.at(-1)).toEqual([
    { no: 2, bytes: LARGE.length },
    { no: 5, bytes: SMALL.length + LARGE.length },
  ])
})

test('statements sent in one turn of the event loop reach the server in one write', async () => {
  const options = { connectionsMax: 1, timeoutMs: 20_000, name: 'test' }
  const pool = openPool(settingsOf(inject('postgresUrl'), options), options)
  onTestFinished(() => pool.end())
  const client = await pool.connect()
  onTestFinished(() => client.release())
  const sql = 'select $1::int4 as number'
  const send = (number: number) =>
    sendStatement(client, { sql, values: [number], statement: statementOf(sql) })
  await send(0)
  const writes = countWrites(client)
  const sent = [1, 2, 3].map(send)
  const results = await Promise.all(sent)
  expect(results.flatMap(({ rows }) => rows)).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }])
  expect(writes()).toBe(1)
})

/** Returns a function that counts the writes to the socket of a connection from now on. */
function countWrites(client: pg.ClientBase): () => number {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  const { _write: write, _writev: writev } = stream
  let count = 0
  stream._write = (...given) => {
    count++
    write.apply(stream, given)
  }
  stream._writev = (...given) => {
    count++
    writev?.apply(stream, given)
  }
  return () => count
}
