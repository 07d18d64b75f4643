import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { findUnanswered, keyOf } from './vanished-peers.ts'

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
const row = (timer: string, retransmits: string, probes: number) =>
  `   4: 0100007F:B3E6 0900007F:0019 01 00000021:00000000 ${timer}:000004F1 ${retransmits}     0        ${probes} 96201 2 0 100 4 30 10 -1\n`

const LINK = { localPort: 0xb3e6, remotePort: 25, remoteAddress: '127.0.0.9' }

test.each([
  ['octets sent again seven times', row('01', '00000007', 0)],
  ['a window of zero asked about five times', row('04', '00000000', 5)],
])('vanished: %s', (_what, line) => {
  expect(findUnanswered(HEAD + line)).toEqual([keyOf(LINK)])
})

test.each([
  ['sent again three times', row('01', '00000003', 0)],
  ['waiting for nothing', row('00', '00000000', 0)],
  ['a window of zero that is answered for', row('04', '00000007', 0)],
  ['asked by keepalive, which the kernel ends itself', row('02', '00000000', 9)],
  ['cut short', '   4: 0100007F:B3E6 09'],
  ['empty', ''],
])('not vanished: %s', (_what, line) => {
  expect(findUnanswered(HEAD + line)).toEqual([])
})

test.runIf(existsSync('/proc/self/net/tcp')).each([
  ['tcp', '127.0.0.1'],
  ['tcp6', '::1'],
])('found in the table that this kernel writes: %s', async (table, host) => {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, host)
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, host)
  onTestFinished(() => {
    socket.destroy()
    server.close()
  })
  await once(socket, 'connect')
  const lines = readFileSync(`/proc/self/net/${table}`, 'latin1').split('\n')
  const keys = lines.map((line) => line.trim().split(/\s+/).slice(1, 3).join(' ').replace(/^.*?:/, ':'))
  expect(keys).toContain(keyOf(socket))
})
