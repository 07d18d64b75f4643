import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { encode } from 'dns-packet'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../time/clock.ts'
import { DnsClient } from './dns.ts'

/** Answers every query except those below `silent.test`. */
async function startServer(): Promise<string> {
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  socket.on('message', (question, from) => {
    if (question.includes('silent')) return
    const answers = [
      { type: 'MX', name: 'fresh.test', ttl: 60, data: { preference: 10, exchange: 'mx.test' } },
    ]
    const flags = 0x8180 & 0x7fff
    const questions = [{ type: 'MX', name: 'fresh.test' }]
    const answer = encode({
      type: 'response',
      id: question.readUInt16BE(0),
      flags,
      questions,
      answers,
    } as never)
    socket.send(answer, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`
}

test('answered immediately for a team while another waits for a thousand unanswered names', async () => {
  const dns = new DnsClient({ servers: [await startServer()], timeoutMs: 10_000, clock: systemClock })
  let endedCount = 0
  for (let n = 0; n < 1000; n++) {
    void dns.mx(`d${n}.silent.test`, 'eve').then(() => endedCount++)
  }
  const answer = await dns.mx('fresh.test', 'bob')
  expect(answer).toEqual({ kind: 'records', records: [{ name: 'mx.test', preference: 10 }] })
  expect(endedCount).toBe(0)
  // Queries without a place are abandoned sooner than the rest, because their mail's memory is needed.
  await expect.poll(() => endedCount, { timeout: 60_000 }).toBeGreaterThan(800)
})
