import { expect } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import type { TestDatabase } from '../../support/database.ts'
import { until } from './children.ts'
import { type Installation, postJson, type Sender, START_LIMIT_MS } from './installation.ts'

/** Blocks writes of attempts, and so of results. Returns a function that releases them. */
export async function holdSettlement({ db }: TestDatabase): Promise<() => Promise<void>> {
  const client = await db.connect()
  await client.query('begin')
  await client.query('lock table attempt in share mode')
  return () => client.end()
}

/** Sends so many emails at once, to addresses that begin with `name`. */
export function sendEmails(
  { url, destinations }: Installation,
  { token, from }: Sender,
  name: string,
  count: number,
): Promise<unknown> {
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const to = `${name}${i}@${destinations[i % destinations.length]}`
      const email = { from, to, subject: 'Once', text: 'It works.' }
      const headers = { 'idempotency-key': newId() }
      // On a busy machine, PostgreSQL may take too long once.
      await until(`${to} is accepted`, START_LIMIT_MS, async () => {
        const { status } = await postJson(url, '/emails', token, email, headers)
        if (status !== 202) expect(status).toBe(503)
        return status === 202 ? true : null
      })
    }),
  )
}

/** Counts the replies of 250 that a server has read, recorded or not, from its metrics port. */
export async function countAccepted(metricsPort: number): Promise<number> {
  const text = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then((reply) => reply.text())
  return Number(/^sendwright_delivery_reports_total\{outcome="delivered".*\} (\d+)$/m.exec(text)?.[1] ?? 0)
}
