/** The part of a JSON-RPC message that the bridge reads. */
interface Message {
  id?: string | number | null
  method?: unknown
  result?: { protocolVersion?: unknown }
  error?: unknown
}

export interface BridgeOptions {
  /** The server, without `/mcp`. */
  url: string
  apiKey: string
  /** Writes one line to the agent. */
  write(line: string): void
  fetch?: typeof globalThis.fetch
}

/** JSON-RPC's code for failures of the transport, which clients show to people. */
const SERVER_ERROR = -32_000
const PARSE_ERROR = -32_700
const TIMEOUT_MS = 120_000

/** Returns a function that sends one line of the agent to the server and writes the response, if there is one. */
export function createBridge({ url, apiKey, write, fetch = globalThis.fetch }: BridgeOptions) {
  const endpoint = `${url.replace(/\/+$/, '')}/mcp`
  /** The version that `initialize` agreed on. Every later request names it. */
  let version: string | null = null

  async function post(line: string): Promise<string> {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(version !== null && { 'mcp-protocol-version': version }),
      },
      body: line,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (isRpc(text)) return text
    throw new Error(
      `The server answered with status ${response.status}: ${text.slice(0, 500) || 'no content'}`,
    )
  }

  return async function forward(line: string): Promise<void> {
    const request = parse(line)
    if (request === null) {
      write(errorLine(null, PARSE_ERROR, 'The line is not JSON.'))
      return
    }
    // Notifications and responses of the agent get no response, not even an error.
    const id = isResponse(request) ? undefined : request.id
    try {
      const response = parse(await post(line))
      const agreed = response?.result?.protocolVersion
      if (typeof agreed === 'string') version = agreed
      // The server's error about a request as a whole has a null id. The agent waits for the id of its request.
      if (id !== undefined) write(JSON.stringify({ ...response, id }))
    } catch (error) {
      if (id !== undefined) write(errorLine(id, SERVER_ERROR, messageOf(error)))
    }
  }
}

function parse(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}

const isResponse = ({ method, result, error }: Message) =>
  method === undefined && (result !== undefined || error !== undefined)

const isRpc = (text: string) => (parse(text) as { jsonrpc?: unknown } | null)?.jsonrpc === '2.0'

function errorLine(id: Message['id'], code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } })
}

function messageOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
