import { ApiError } from './errors.ts'
import { saveBlob } from './save-blob.ts'

export type QueryValue = string | number | boolean | null | undefined
export type Query = Readonly<Record<string, QueryValue>>

export interface Ask {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  query?: Query | undefined
  /** Sent as JSON; a Blob as it is, with its type. */
  body?: unknown
  /** The team that the request concerns; null for what belongs to the user or the installation. */
  teamId: string | null
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

/** A path of the API with its query; what is empty is left out. */
export function pathWith(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}

/** One request of the session; the answer as it came. Throws ApiError for every refusal and for no answer at all. */
export async function askRaw(
  path: string,
  { method = 'GET', query, body, teamId, headers = {}, signal }: Ask,
): Promise<Response> {
  const sent: Record<string, string> = { ...headers }
  if (teamId !== null) sent['x-sendwright-team'] = teamId
  if (body !== undefined && !(body instanceof Blob)) sent['content-type'] = 'application/json'
  const init: RequestInit = { method, headers: sent, credentials: 'same-origin', cache: 'no-store' }
  if (body !== undefined) init.body = body instanceof Blob ? body : JSON.stringify(body)
  if (signal !== undefined) init.signal = signal
  if (!isItself(path)) throw new ApiError(404, { name: 'not_found', message: 'There is nothing here.' })
  const response = await fetch(pathWith(path, query), init).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ApiError(0, { name: 'unreachable', message: 'The server cannot be reached. Is it running?' })
  })
  if (!response.ok) throw await readApiError(response)
  return response
}

/**
 * A path that a browser asks for as it is written. Ids stand in addresses of pages, which anybody can write: `../../session`
 * in the place of one would ask for, change or delete something else.
 */
const isItself = (path: string) => new URL(path, window.location.origin).pathname === path

/** One request of the session; the JSON of its answer. Where the API says nothing (204), null. */
export async function ask<T>(path: string, given: Ask): Promise<T> {
  const response = await askRaw(path, given)
  return (response.status === 204 ? null : await response.json()) as T
}

async function readApiError(response: Response): Promise<ApiError> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const body = (await response.json().catch(() => ({}))) as object
  return new ApiError(response.status, body, Number.isFinite(seconds) ? seconds : null)
}

/** Saves an answer of the API as a file, under the name that the server gives it or this one. */
export async function saveFile(path: string, given: Ask, name: string): Promise<void> {
  const response = await askRaw(path, given)
  saveBlob(await response.blob(), nameIn(response.headers.get('content-disposition')) ?? name)
}

/** The file name of a Content-Disposition field (RFC 6266 section 4.3). */
function nameIn(field: string | null): string | null {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(field ?? '')?.[1]
  if (extended !== undefined) return decodeURIComponent(extended)
  return /filename="((?:[^"\\]|\\.)*)"/.exec(field ?? '')?.[1]?.replace(/\\(.)/g, '$1') ?? null
}
