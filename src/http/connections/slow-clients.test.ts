import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startApi } from '../../../test/support/api.ts'
import { route } from '../route/route.ts'

const CHUNK = 'x'.repeat(64 * 1024)
/** Far more than the buffers of both sockets hold. */
const MADE_MAX = 1_000

test('disconnected: a client that reads nothing, for which only little is generated', async () => {
  let made = 0
  let isOver = false
  async function* make(): AsyncGenerator<string> {
    try {
      for (; made < MADE_MAX; made++) yield CHUNK
    } finally {
      isOver = true
    }
  }
  const endless = route('GET', '/endless', {
    area: 'operation',
    permission: 'public',
    limit: 'general',
    summary: 'Much text',
    responses: { 200: { description: 'Text.' } },
    handle: async () => ({ status: 200, chunks: make(), stallMs: 200 }),
  })
  const api = await startApi({ routes: [endless] })
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  try {
    socket.write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
    // The test reads the first bytes and no others.
    await new Promise<void>((resolve) => socket.once('data', () => resolve(void socket.pause())))
    await expect.poll(() => isOver, { timeout: 60_000 }).toBe(true)
    expect(made).toBeLessThan(MADE_MAX)
  } finally {
    socket.destroy()
    await api.stop()
  }
})
