import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { type Answer, AUTHENTIC_DATA, decode, encode, RECURSION_AVAILABLE } from 'dns-packet'

/** The answer of a validating resolver for one name and type (`mx.test MX`). */
export interface SecureAnswer {
  records: readonly unknown[]
  /** Whether the answer is marked as validated; true when absent. */
  secure?: boolean
}

export interface SecureDns {
  /** The address, for SENDWRIGHT_DNSSEC_RESOLVER. */
  server: string
  set(more: Record<string, SecureAnswer | 'bogus'>): void
  close(): Promise<void>
}

/** Starts a resolver that appears to validate: it sets AD. `bogus` is its answer for forged records. */
export async function startSecureDns(answers: Record<string, SecureAnswer | 'bogus'>): Promise<SecureDns> {
  const table = new Map(Object.entries(answers))
  const socket = createSocket('udp4')
  socket.on('message', (bytes, { port, address }) => {
    const query = decode(bytes)
    const question = query.questions?.[0]
    if (question === undefined) return
    const answer = table.get(`${question.name.toLowerCase()} ${question.type}`)
    const isSecure = typeof answer === 'object' ? (answer.secure ?? true) : answer === undefined
    const SERVFAIL = 2
    const records = typeof answer === 'object' ? answer.records : []
    socket.send(
      encode({
        type: 'response',
        id: query.id ?? 0,
        flags: RECURSION_AVAILABLE | (isSecure ? AUTHENTIC_DATA : 0) | (answer === 'bogus' ? SERVFAIL : 0),
        questions: [question],
        answers: records.map(
          (data) => ({ name: question.name, type: question.type, class: 'IN', ttl: 300, data }) as Answer,
        ),
      }),
      port,
      address,
    )
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    server: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    set(more) {
      for (const [name, answer] of Object.entries(more)) table.set(name, answer)
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}
