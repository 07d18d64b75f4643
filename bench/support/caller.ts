export interface BenchRequest {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: unknown
}

export type Call = <Answer>(request: BenchRequest) => Promise<Answer>

/**
 * Returns a function that sends one request over a persistent connection and reads the whole response. It
 * throws for any response but success.
 */
export function createCaller(port: number, key: string): Call {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return async <Answer>({ method, path, body }: BenchRequest) => {
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, init)
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return JSON.parse(text) as Answer
  }
}
