import { once } from 'node:events'
import { type AddressInfo, connect as connectPlain, createServer } from 'node:net'
import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { ACME_PROTOCOL, peekRecord, readChallengeHost } from './client-hello.ts'

/** Accepts one connection of a client, and returns its first record and what is left to read. */
async function peekAt(
  open: (port: number) => { destroy(): unknown; on(name: 'error', ignore: () => void): unknown },
) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = open((server.address() as AddressInfo).port)
  client.on('error', () => {})
  const [socket] = await once(server, 'connection')
  onTestFinished(() => {
    client.destroy()
    socket.destroy()
    server.close()
  })
  const record = await peekRecord(socket)
  return { record, left: (socket.read() as Buffer | null) ?? Buffer.alloc(0) }
}

const helloFor = (servername: string, ALPNProtocols: string[]) =>
  peekAt((port) => connect({ port, host: '127.0.0.1', servername, ALPNProtocols, rejectUnauthorized: false }))

test('the host of a challenge, and the record stays to be read', async () => {
  const { record, left } = await helloFor('API.example.test', [ACME_PROTOCOL])
  expect(readChallengeHost(record)).toBe('API.example.test')
  expect(left.equals(record)).toBe(true)
})

test('no host for other protocols, for more than one, and without a name', async () => {
  expect(readChallengeHost((await helloFor('api.example.test', ['http/1.1'])).record)).toBeNull()
  expect(readChallengeHost((await helloFor('api.example.test', [ACME_PROTOCOL, 'h2'])).record)).toBeNull()
  expect(readChallengeHost((await helloFor('', [ACME_PROTOCOL])).record)).toBeNull()
})

test('no host in a ClientHello that is cut off at any byte', async () => {
  const { record } = await helloFor('api.example.test', [ACME_PROTOCOL])
  const found = Array.from({ length: record.length }, (_, end) => readChallengeHost(record.subarray(0, end)))
  expect(found.filter((host) => host !== null)).toEqual([])
})

test('a record that arrives in pieces is whole, and bytes that are no record are returned at once', async () => {
  const whole = (await helloFor('api.example.test', [ACME_PROTOCOL])).record
  const pieces = await peekAt((port) => {
    const socket = connectPlain(port, '127.0.0.1')
    socket.setNoDelay(true)
    socket.write(whole.subarray(0, 3))
    setImmediate(() => socket.write(whole.subarray(3)))
    return socket
  })
  expect(pieces.record.equals(whole)).toBe(true)
  const plain = await peekAt((port) => connectPlain(port, '127.0.0.1').end('GET / HTTP/1.1\r\n'))
  expect(String(plain.record)).toBe('GET / HTTP/1.1\r\n')
})

test('nothing when the connection ends within the record', async () => {
  const { record } = await peekAt((port) => connectPlain(port, '127.0.0.1').end(Buffer.from([22, 3, 1])))
  expect(record).toHaveLength(0)
})
