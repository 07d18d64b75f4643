import type { Requester } from './client.ts'

/** One event of a stream (WHATWG HTML, section 9.2.6). */
export interface SentEvent {
  id: string
  event: string
  data: string
}

export interface EventStream {
  status: number
  headers: Headers
  /** Resolves to the next event, or to null when the server has ended the stream. */
  next(): Promise<SentEvent | null>
  /** Returns the id of the last event or comment that had one. */
  lastId(): string
  close(): Promise<void>
}

/** Opens `path` as a stream, with an independent parser of the format. */
export async function openEventStream(
  url: string,
  { token }: Pick<Requester, 'token'>,
  path: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const abort = new AbortController()
  const response = await fetch(url + path, {
    signal: abort.signal,
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
  })
  const text = response.body?.pipeThrough(new TextDecoderStream())
  const reader = text?.getReader()
  const blocks: string[] = []
  let rest = ''
  let lastId = headers['last-event-id'] ?? ''

  async function nextBlock(): Promise<string | null> {
    while (blocks.length === 0) {
      const { done, value = '' } = (await reader?.read()) ?? { done: true }
      if (done) return null
      const parts = (rest + value).split('\n\n')
      rest = parts.pop() ?? ''
      blocks.push(...parts)
    }
    return blocks.shift() as string
  }

  return {
    status: response.status,
    headers: response.headers,
    lastId: () => lastId,
    async next() {
      for (;;) {
        const block = await nextBlock()
        if (block === null) return null
        const fields = new Map(
          block
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]),
        )
        lastId = fields.get('id') ?? lastId
        const data = fields.get('data')
        if (data !== undefined) return { id: lastId, event: fields.get('event') ?? 'message', data }
      }
    },
    async close() {
      await reader?.cancel().catch(() => {})
      abort.abort()
    },
  }
}
