import { createTransport } from 'nodemailer'
import { expect } from 'vitest'
import type { Kept } from './kept.ts'

interface Submission {
  server: Kept
  port: number
  token: string
  from: string
  destinations: readonly string[]
  /** The number of emails. */
  emails: number
  clients: number
  /** The ids of the emails that were acknowledged, by number. */
  accepted: Map<number, string>
  /** Called after each acknowledgment. */
  onAccepted?(): void
  /** Called before a client sends its next email. */
  onNext?(): Promise<void>
}

/**
 * Submits emails over SMTP with several clients, each of which behaves like a program that keeps its mail until it is
 * accepted.
 */
export async function submitAll(submission: Submission): Promise<void> {
  const { server, emails, clients, accepted, onNext } = submission
  let next = 0
  async function runClient(): Promise<void> {
    while (next < emails) {
      const number = next++
      while (!accepted.has(number)) {
        await submit(submission, number).catch(async (error: { responseCode?: number }) => {
          expect(error.responseCode ?? 451).toBeLessThan(500)
          await server.ready()
        })
      }
      await onNext?.()
    }
  }
  await Promise.all(Array.from({ length: clients }, runClient))
}

async function submit(submission: Submission, number: number): Promise<void> {
  const { port, token, from, destinations, accepted, onAccepted } = submission
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    secure: true,
    auth: { user: 'journey', pass: token },
    tls: { rejectUnauthorized: false },
  })
  const sent = await transport.sendMail({
    from,
    to: `person-${number}@${destinations[number % 3]}`,
    subject: `Order ${number}`,
    text: `Thank you. ${'It is on its way. '.repeat(50)}`,
    headers: { 'Idempotency-Key': `order-${number}` },
  })
  accepted.set(number, /accepted as (\S+)$/.exec(sent.response)?.[1] ?? '')
  onAccepted?.()
}
