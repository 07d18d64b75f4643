import { isOfProxy, serverAway } from './connection.ts'
import { ApiError } from './errors.ts'
import { isSet } from './parameters.ts'
import { saveBlob } from './save-blob.ts'

export type QueryValue = string | number | boolean | null | undefined
export type Query = Readonly<Record<string, QueryValue>>

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  query?: Query | undefined
  /** Sent as JSON. A Blob is sent unchanged, with its own type. */
  body?: unknown
  /** The team of the request; null for resources of the user or of the installation. */
  teamId: string | null
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

/** Returns the path with its query string. Parameters that are not set are omitted. */
export function pathWith(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (isSet(name, value)) parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}

/**
 * Sends a request with the session's cookie and returns the raw response. Throws ApiError for error responses, and when
 * there is no response.
 */
export async function sendRequest(
  path: string,
  { method = 'GET', query, body, teamId, headers = {}, signal }: RequestOptions,
): Promise<Response> {
  const requestHeaders: Record<string, string> = { ...headers }
  if (teamId !== null) requestHeaders['x-sendwright-team'] = teamId
  if (body !== undefined && !(body instanceof Blob)) requestHeaders['content-type'] = 'application/json'
  const init: RequestInit = { method, headers: requestHeaders, credentials: 'same-origin', cache: 'no-store' }
  if (body !== undefined) init.body = body instanceof Blob ? body : JSON.stringify(body)
  if (signal !== undefined) init.signal = signal
  if (!isItself(path)) throw new ApiError(404, { name: 'not_found', message: 'This page does not exist.' })
  const response = await fetch(pathWith(path, query), init).catch(async (error: unknown) => {
    if (signal?.aborted) throw error
    if (body instanceof Blob && !(await isReadable(body))) throw new ApiError(0, UNREADABLE_FILE)
    serverAway.set(true)
    throw new ApiError(0, { name: 'unreachable', message: 'The server cannot be reached. Is it running?' })
  })
  serverAway.set(isOfProxy(response))
  if (!response.ok) throw await readApiError(response)
  return response
}

const UNREADABLE_FILE = {
  name: 'unreadable_file',
  message: 'The file was changed, moved or deleted after you chose it. Choose it again.',
}

/** Browsers report a file that changed since it was chosen as a failure of the network. */
const isReadable = (file: Blob) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )

/**
 * Returns whether the browser requests the path exactly as it is written. Ids come from page addresses, which anyone
 * can craft: `../../session` in place of an id would read, change or delete something else.
 */
const isItself = (path: string) => new URL(path, window.location.origin).pathname === path

/** Sends a request with the session's cookie and returns the JSON of the response; null for 204. */
export async function requestJson<T>(path: string, options: RequestOptions): Promise<T> {
  const response = await sendRequest(path, options)
  return (response.status === 204 ? null : await response.json()) as T
}

async function readApiError(response: Response): Promise<ApiError> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const body = (await response.json().catch(() => ({}))) as object
  return new ApiError(response.status, body, Number.isFinite(seconds) ? seconds : null)
}

/** Saves a response as a file. The server's file name wins over `name`. */
export async function saveFile(path: string, options: RequestOptions, name: string): Promise<void> {
  const response = await sendRequest(path, options)
  saveBlob(await response.blob(), nameIn(response.headers.get('content-disposition')) ?? name)
}

/** Returns the file name of a Content-Disposition field (RFC 6266 section 4.3). */
function nameIn(field: string | null): string | null {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(field ?? '')?.[1]
  if (extended !== undefined) return decodeURIComponent(extended)
  return /filename="((?:[^"\\]|\\.)*)"/.exec(field ?? '')?.[1]?.replace(/\\(.)/g, '$1') ?? null
}
