import { Agent, type Dispatcher, request } from 'undici'

export interface ApiReply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses freely; a wrong access fails the test
  json: any
  text: string
  headers: Headers
}

export interface Requester {
  /** The bearer token of the requests. */
  token: string
  get(path: string, headers?: Record<string, string>): Promise<ApiReply>
  post(path: string, json?: unknown, headers?: Record<string, string>): Promise<ApiReply>
  put(path: string, json?: unknown): Promise<ApiReply>
  patch(path: string, json?: unknown): Promise<ApiReply>
  delete(path: string): Promise<ApiReply>
}

/** Returns a client of the API at `url` with one token, or none. */
export function requester(url: string, token: string | null): Requester {
  const send = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) => {
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    return exchange(url + path, {
      method,
      ...body,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    })
  }
  return {
    token: token ?? '',
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, json, headers) => send('POST', path, json, headers),
    put: (path, json) => send('PUT', path, json),
    patch: (path, json) => send('PATCH', path, json),
    delete: (path) => send('DELETE', path),
  }
}

/** Creates something with a POST, and returns its id. */
export async function made(team: Pick<Requester, 'post'>, path: string, body: unknown): Promise<string> {
  const reply = await team.post(path, body)
  if (reply.status !== 201) throw new Error(`POST ${path} answered ${reply.status} ${reply.text}`)
  return reply.json.id
}

interface ApiRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** Closes idle connections long before the server does: a request on one that the server is closing would fail. */
const agent = new Agent({ keepAliveMaxTimeout: 10_000 })

/**
 * Sends a request and reads the response. `json` is null unless the response has a body of the media type of JSON. Costs a
 * quarter of `fetch`, which takes more of the processor than the server does. Unlike `fetch`, it follows no redirect.
 */
export async function exchange(
  url: string,
  { method = 'GET', ...given }: ApiRequest = {},
): Promise<ApiReply> {
  const reply = await request(url, { method: method as Dispatcher.HttpMethod, dispatcher: agent, ...given })
  const text = await reply.body.text()
  const headers = new Headers()
  for (const [name, value] of Object.entries(reply.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one)
  const isJson = text !== '' && headers.get('content-type')?.startsWith('application/json') === true
  return { status: reply.statusCode, json: isJson ? JSON.parse(text) : null, text, headers }
}
