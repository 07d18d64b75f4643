import { expect, onTestFinished, test, vi } from 'vitest'
import { Sendwright } from '../src/index.ts'

// In a file without a server, which runs in this process: its timers would be faked too.
test('connects again if the server accepts the request and does not respond', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const requests: AbortSignal[] = []
  const hang = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((_, reject) => {
      const signal = init?.signal as AbortSignal
      requests.push(signal)
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  const client = new Sendwright({ apiKey: 'sw_any', baseUrl: 'http://silent.test', fetch: hang })
  const end = new AbortController()
  const event = client.events.stream({ signal: end.signal })[Symbol.asyncIterator]().next()
  await vi.advanceTimersByTimeAsync(44_999)
  expect(requests.map(({ aborted }) => aborted)).toEqual([false])
  // With the delay before the next connection.
  await vi.advanceTimersByTimeAsync(1_000)
  expect(requests.map(({ aborted }) => aborted)).toEqual([true, false])
  end.abort()
  expect(await event).toEqual({ done: true, value: undefined })
})
