/**
 * A separate process for the peer Nodemailer: sends messages of the benchmark's kind through its pool, signed with
 * RSA-2048, and straight to the sink. It has no queue. The parent orders how many, and gets a message when all were sent.
 */
import { generateKeyPairSync } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { makeDraft, NUMBER_PLACEHOLDER } from './message.ts'
import { CLIENTS, DOMAIN, RECIPIENT_DOMAIN } from './names.ts'

const DRAFTS_COUNT = 250

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const transport = createTransport({
  pool: true,
  host: '127.0.0.1',
  port: Number(process.argv[2]),
  secure: false,
  ignoreTLS: true,
  maxConnections: CLIENTS,
  maxMessages: Number.POSITIVE_INFINITY,
  dkim: {
    domainName: DOMAIN,
    keySelector: 'bench',
    privateKey: `${privateKey.export({ type: 'pkcs8', format: 'pem' })}`,
  },
})
const drafts = Array.from({ length: DRAFTS_COUNT }, (_, seed) => makeDraft(seed))
let next = 0

async function sendOne(): Promise<void> {
  const number = next++
  const digits = String(number).padStart(NUMBER_PLACEHOLDER.length, '0')
  const { subject, text, html } = drafts[number % DRAFTS_COUNT] as (typeof drafts)[number]
  const fill = (part: string) => part.replaceAll(NUMBER_PLACEHOLDER, digits)
  await transport.sendMail({
    from: `Bench Shop <orders@${DOMAIN}>`,
    to: `customer-${digits}@${RECIPIENT_DOMAIN}`,
    subject: fill(subject),
    text: fill(text),
    html: fill(html),
  })
}

process.on('message', async (count: number) => {
  let left = count
  const lane = async () => {
    while (left-- > 0) await sendOne()
  }
  await Promise.all(Array.from({ length: CLIENTS }, lane))
  process.send?.('sent')
})
process.send?.('ready')
