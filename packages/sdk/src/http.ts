import type { paths } from './api.ts'
import { mergeHeaders } from './headers.ts'
import { ListCall, type Page } from './page.ts'
import { type Call, SendwrightError, startCall } from './result.ts'
import type { ApiRequest, CallOptions, Transport } from './transport.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, unknown> ? P : never
}[keyof paths]
type OperationOf<M extends Method, P extends keyof paths> = paths[P] extends Record<M, infer O> ? O : never
type BodyOf<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? B : undefined
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? Q : undefined
type Answers<O> = O extends { responses: infer R } ? R[keyof R & (200 | 201 | 202)] : never
type AnswerOf<O> = Answers<O> extends { content: { 'application/json': infer A } } ? A : never

/** The parameters of a list that the API does not require. */
export type Filters<P extends PathOf<'get'>> = NonNullable<QueryOf<OperationOf<'get', P>>>

/** The content of a CSV file. */
export type Csv = string | Blob | Uint8Array
/** The parameters of an import. */
export type UploadOptions<P extends PathOf<'post'>> = NonNullable<QueryOf<OperationOf<'post', P>>>

interface Input {
  /** The values of the parameters in the path, in order. */
  ids?: readonly string[]
  options?: (CallOptions & { idempotencyKey?: string }) | undefined
  /** True for a POST or DELETE that has the same effect and response if it runs twice. */
  isSafe?: boolean
  /** True for a POST that takes an `Idempotency-Key`. */
  isKeyed?: boolean
  /** The CSV of an upload. */
  csv?: Csv | undefined
  headers?: Readonly<Record<string, string>>
}

type Given<O> = Input & { body?: BodyOf<O> | undefined; query?: QueryOf<O> | undefined }

type AnyInput = Input & { body?: unknown; query?: unknown }

/** The base of all resources. The API's document gives paths, parameters and responses their types. */
export class Resource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  protected call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    input: Given<OperationOf<M, P>> = {},
  ): Call<AnswerOf<OperationOf<M, P>>> {
    return startCall(async () =>
      this.transport.request(
        toRequest(method, path, input),
        async (response) => (await response.json()) as AnswerOf<OperationOf<M, P>>,
      ),
    )
  }

  protected page<P extends PathOf<'get'>>(
    path: P,
    query: QueryOf<OperationOf<'get', P>> | undefined,
    options: CallOptions | undefined,
    ids: readonly string[] = [],
  ): ListCall<AnswerOf<OperationOf<'get', P>> & Page<unknown>> {
    return new ListCall(
      (pageQuery) => this.call('get', path, { ids, query: pageQuery as never, options }) as never,
      query ?? {},
    )
  }

  protected bytes<P extends PathOf<'get'>>(path: P, input: Given<OperationOf<'get', P>>): Call<Uint8Array> {
    return startCall(async () =>
      this.transport.request(
        toRequest('get', path, input),
        async (response) => new Uint8Array(await response.arrayBuffer()),
      ),
    )
  }

  /** Starts a download that may be larger than memory. The time limit is on how long the server is silent. */
  protected download<P extends PathOf<'get'>>(
    path: P,
    input: Given<OperationOf<'get', P>>,
  ): Call<ReadableStream<Uint8Array>> {
    return startCall(async () => this.transport.download(toRequest('get', path, input)))
  }
}

function toRequest(method: Method, path: string, input: AnyInput): ApiRequest {
  const { ids = [], query, body, options = {}, isSafe, isKeyed, csv, headers } = input
  const content = csv ?? (body === undefined ? undefined : JSON.stringify(body))
  return {
    ...options,
    method: method.toUpperCase(),
    path: fillPath(path, ids) + writeQuery(query as object | undefined),
    headers: mergeHeaders(headers, options.headers),
    ...(content === undefined ? {} : { body: content }),
    ...(csv === undefined ? {} : { type: 'text/csv' }),
    idempotencyKey: isKeyed ? (options.idempotencyKey ?? '') : null,
    // Only the event feed has `wait`, in seconds.
    waitMs: (Number((query as { wait?: number } | undefined)?.wait) || 0) * 1_000,
    // The second DELETE of a record does not find it: the client would report a success as an error.
    isRepeatable: !['post', 'delete'].includes(method) || isSafe === true || isKeyed === true,
  }
}

function fillPath(path: string, ids: readonly string[]): string {
  let next = 0
  return path.replace(/\{\w+\}/g, () => {
    const id = ids[next++]
    // `/emails/` and `/emails/..` would be other routes.
    if (!id || /^\.\.?$/.test(id)) {
      throw new SendwrightError({ name: 'invalid_request', message: `The id "${id}" is not valid.` })
    }
    return encodeURIComponent(id)
  })
}

/** Returns the query with its question mark; without fields that are undefined. */
export function writeQuery(query: object | undefined): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) parameters.append(name, String(each))
    }
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
