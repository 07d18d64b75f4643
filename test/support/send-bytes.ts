import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

interface Sent {
  method?: 'GET' | 'POST'
  token: string
  type?: string
  body?: Buffer
}

/** Sends a request of megabytes. `fetch` copies them several times, which takes longer than the server needs for them. */
export async function sendBytes(
  url: string,
  { method = 'POST', token, type = 'application/json', body }: Sent,
): Promise<IncomingMessage> {
  const asked = request(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': type, 'content-length': body?.length ?? 0 },
  })
  asked.end(body)
  const [reply] = await once(asked, 'response')
  return reply
}

/** Sends JSON of which one text, in the place of `TEXT`, has megabytes of one letter. */
export async function sendLongText(
  url: string,
  token: string,
  json: unknown,
  length: number,
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses freely; a wrong access fails the test
): Promise<{ status: number | undefined; json: any }> {
  const [before = '', after = ''] = JSON.stringify(json).split('TEXT')
  const body = Buffer.concat([Buffer.from(before), Buffer.alloc(length, 'A'), Buffer.from(after)])
  const reply = await sendBytes(url, { token, body })
  return { status: reply.statusCode, json: JSON.parse(Buffer.concat(await reply.toArray()).toString()) }
}
