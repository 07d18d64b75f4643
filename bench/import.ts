import { setTimeout as pause } from 'node:timers/promises'
import { type Figure, PRODUCT, type Sample, type Scale } from './support/figure.ts'
import { startMeter } from './support/meter.ts'
import { Product } from './support/product.ts'
import type { Sender } from './support/senders.ts'

const LINES_AT_ONCE = 5_000
const POLL_MS = 250
/** The pause between two requests of another team: twenty requests a second. */
const OTHERS_PAUSE_MS = 50

/** Streams a CSV file of contacts with five columns, two of which are properties. */
function makeFile(count: number): ReadableStream<Uint8Array> {
  let linesMade = 0
  const lines = (from: number, to: number) => {
    let text = from === 0 ? 'email,first_name,last_name,plan,age\n' : ''
    for (let n = from; n < to; n++) {
      text += `person${n}@example${n % 50}.com,First${n % 1000},"Last, ${n % 5000}",plan${n % 7},${n % 90}\n`
    }
    return Buffer.from(text)
  }
  return new ReadableStream({
    pull(controller) {
      const end = Math.min(count, linesMade + LINES_AT_ONCE)
      controller.enqueue(lines(linesMade, end))
      linesMade = end
      if (linesMade === count) controller.close()
    },
  })
}

class Client {
  readonly #url: string
  readonly #headers: Record<string, string>

  constructor(product: Product, { key }: Sender) {
    this.#url = `http://127.0.0.1:${product.port}`
    this.#headers = { authorization: `Bearer ${key}` }
  }

  async request<Answer>(method: string, path: string, type?: string, body?: unknown): Promise<Answer> {
    const headers = type === undefined ? this.#headers : { ...this.#headers, 'content-type': type }
    const options = { method, headers, body, duplex: 'half' } as RequestInit
    const reply = await fetch(this.#url + path, options)
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return JSON.parse(text) as Answer
  }
}

interface Progress {
  id: string
  status: string
  rows_created: number
  reason: string | null
}

async function importContacts(client: Client, count: number): Promise<void> {
  const path = '/contacts/import'
  const { id } = await client.request<Progress>('POST', path, 'text/csv', makeFile(count))
  for (;;) {
    const one = await client.request<Progress>('GET', `/contacts/imports/${id}`)
    if (one.status === 'completed' && one.rows_created === count) return
    if (one.status !== 'queued' && one.status !== 'running') throw new Error(JSON.stringify(one))
    await pause(POLL_MS)
  }
}

/** Returns the durations of another team's requests during the import, in milliseconds, sorted. */
async function measureOtherTeam(client: Client, importing: Promise<void>): Promise<number[]> {
  const tookMs: number[] = []
  let isOver = false
  void importing.finally(() => {
    isOver = true
  })
  for (let n = 0; !isOver; n++) {
    const startMs = performance.now()
    if (n % 2 === 0) await client.request('GET', '/contacts')
    else {
      const body = JSON.stringify({ email: `other${n}@example.com`, first_name: 'Other' })
      await client.request('POST', '/contacts', 'application/json', body)
    }
    tookMs.push(performance.now() - startMs)
    await pause(OTHERS_PAUSE_MS)
  }
  return tookMs.sort((a, b) => a - b)
}

async function measureImport({ importCount }: Scale): Promise<Sample> {
  const product = await Product.create(1)
  try {
    await product.start({ roles: 'api,scheduler' })
    const [sender, other] = await product.createSenders(10_000)
    if (sender === undefined || other === undefined) throw new Error('no team was made')
    const client = new Client(product, sender)
    for (const [key, type] of [
      ['plan', 'string'],
      ['age', 'number'],
    ]) {
      await client.request('POST', '/properties', 'application/json', JSON.stringify({ key, type }))
    }
    const meter = startMeter(product.pids)
    const startedMs = performance.now()
    const importing = importContacts(client, importCount)
    const tookMs = await measureOtherTeam(new Client(product, other), importing)
    await importing
    const time = (performance.now() - startedMs) / 1000
    const p99 = tookMs[Math.floor(tookMs.length * 0.99)] ?? Number.NaN
    const values = { time, rows: importCount / time, p99 }
    return { values, count: importCount, cost: meter.stop(), nodePeakMb: product.readPeakMb() }
  } finally {
    await product.remove()
  }
}

export const csvImport: Figure = {
  name: 'import',
  title: 'CSV import of contacts: from the first byte of the request to the last row',
  measures: { time: 's', rows: 'rows/s', p99: 'ms' },
  subjects: [{ name: PRODUCT, measure: measureImport }],
  targets: [
    { what: '1,000,000 rows of five columns within 60 s', measure: 'time', peer: null, bound: { most: 60 } },
    {
      what: "p99 of another team's requests meanwhile ≤ 50 ms",
      measure: 'p99',
      peer: null,
      bound: { most: 50 },
    },
  ],
  note: 'A new address, two names and two properties in each row; the client that generates the file runs on the same machine. p99: requests of another team during the import, twenty a second, which list and write contacts in turn.',
}
