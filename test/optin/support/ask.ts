import { type Dispatcher, request } from 'undici'

export interface Asked {
  status: number
  /** In lower case, without those of the connection (RFC 9110 section 7.6.1). */
  headers: Record<string, string>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses freely; a wrong access fails the test
  json: any
}

export interface Question {
  method?: Dispatcher.HttpMethod
  /** Names and values in turn: a name may occur twice. */
  headers?: readonly string[]
  body?: string | Buffer
}

const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/** Sends a request by this client, and reads its response. */
export async function ask(
  dispatcher: Dispatcher,
  url: string,
  { headers = [], body, ...rest }: Question = {},
): Promise<Asked> {
  const sent = body === undefined ? {} : { body }
  const reply = await request(url, { dispatcher, headers: [...headers], ...rest, ...sent })
  const text = await reply.body.text()
  const entries = Object.entries(reply.headers).filter(([name]) => !OF_CONNECTION.has(name))
  const isJson = String(reply.headers['content-type']).startsWith('application/json')
  return {
    status: reply.statusCode,
    headers: Object.fromEntries(entries.map(([name, value]) => [name, String(value)])),
    text,
    json: isJson ? JSON.parse(text) : null,
  }
}

/** Returns the headers of a request with this key. */
export const withKey = (key: string) => ['authorization', `Bearer ${key}`]
export const JSON_TYPE = ['content-type', 'application/json']
