import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Type from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { startApi } from '../../../test/support/api.ts'
import { route } from '../route/route.ts'

const BODY = JSON.stringify({ name: 'a' })

test('open for connections that wait for a response; beyond a share, closed without a request or after the response', async () => {
  let [waitingCount, release] = [0, () => {}]
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const wait = route('POST', '/wait', {
    summary: 'x',
    area: 'operation',
    permission: 'public',
    limit: 'general',
    responses: {},
    body: Type.Object({ name: Type.String() }),
    handle: async () => {
      waitingCount++
      await released
      return { status: 200, json: {} }
    },
  })
  const api = await startApi({
    routes: [wait],
    server: { connections: { perAddressMax: 2, firstRequestMs: 1000 } },
  })
  onTestFinished(() => api.stop())
  const port = Number(new URL(api.url).port)
  const heads = { whole: BODY, half: BODY.slice(1), none: '' }
  const open = async (sent: keyof typeof heads, path = '/wait'): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`
    if (sent !== 'none') socket.write(head + heads[sent])
    return socket
  }
  const answerTo = async (socket: Socket) => String((await once(socket, 'data'))[0])
  const waiting: Socket[] = []
  for (let count = 1; count <= 5; count++) {
    waiting.push(await open('whole'))
    await expect.poll(() => waitingCount).toBe(count)
  }
  const refused = await open('whole', '/nowhere')
  expect(await answerTo(refused)).toMatch(/^HTTP\/1.1 401(?!.*connection: close)/s)
  await open('half')
  await once(await open('none'), 'close')
  expect(await answerTo(await open('whole', '/nowhere'))).toMatch(/^HTTP\/1.1 401.*connection: close/s)
  release()
  for (const socket of waiting) expect(await answerTo(socket)).toMatch(/^HTTP\/1.1 200/)
  expect(refused.destroyed).toBe(false)
})
