import { type Figure, PRODUCT, type Sample, type Scale, type Subject } from './support/figure.ts'
import { startMeter } from './support/meter.ts'
import { RECIPIENT_DOMAIN } from './support/names.ts'
import { Product } from './support/product.ts'
import type { Sender } from './support/senders.ts'

const MESSAGE_BYTES = 25_000_000
const LINE = `${'QUJD'.repeat(19)}\r\n`

/** Returns Base64 text as mail programs write it: in lines of 76 characters. */
function makeBase64(bytes: number): string {
  return LINE.repeat(Math.floor(bytes / LINE.length))
}

function makeRawMessage(from: string, to: string): string {
  return [
    `From: ${from}`,
    `To: ${to}`,
    'Subject: A large one',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'See the attachment.',
    '--b',
    'Content-Type: application/pdf; name="a.pdf"',
    'Content-Disposition: attachment; filename="a.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    `${makeBase64(MESSAGE_BYTES)}--b--`,
    '',
  ].join('\r\n')
}

type MakeRequest = (from: string, to: string) => { path: string; body: unknown }

const rawRequest: MakeRequest = (from, to) => ({
  path: '/emails/mime',
  body: { envelope_from: from, envelope_to: to, raw_message: makeRawMessage(from, to) },
})

const fieldsRequest: MakeRequest = (from, to) => ({
  path: '/emails',
  body: {
    from,
    to,
    subject: 'A large one',
    text: 'See the attachment.',
    attachments: [{ filename: 'a.pdf', content: makeBase64(MESSAGE_BYTES) }],
  },
})

async function post(port: number, { key }: Sender, path: string, body: string): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  })
  if (reply.status !== 202) throw new Error(`${reply.status} ${await reply.text()}`)
}

function largeSubject(name: string, makeRequest: MakeRequest): Subject {
  return {
    name,
    async measure({ largeCount }: Scale): Promise<Sample> {
      const product = await Product.create(1)
      try {
        await product.start({ roles: 'api' })
        const [sender] = await product.createSenders(1)
        if (sender === undefined) throw new Error('no sender was made')
        const { path, body } = makeRequest(sender.from, `customer@${RECIPIENT_DOMAIN}`)
        const text = JSON.stringify(body)
        await post(product.port, sender, path, text)
        const meter = startMeter(product.pids)
        const startedMs = performance.now()
        for (let number = 0; number < largeCount; number++) await post(product.port, sender, path, text)
        const seconds = (performance.now() - startedMs) / 1000 / largeCount
        const cost = meter.stop()
        return { values: { time: seconds }, count: largeCount, cost, nodePeakMb: product.readPeakMb() }
      } finally {
        await product.remove()
      }
    },
  }
}

export const largeMime: Figure = {
  name: 'large-mime',
  title: 'Accept raw messages of 25 MB, one after another',
  measures: { time: 's' },
  subjects: [largeSubject('its fields', fieldsRequest), largeSubject(PRODUCT, rawRequest)],
  targets: [],
  note: 'Both rows are Sendwright: the peer is POST /emails with the same attachment.',
}
