import { readSdk, type SdkMethod, type SdkResource } from './read-methods.ts'
import { type ApiModel, type ApiType, Models, toPascal } from './read-models.ts'

export interface Parameter {
  name: string
  type: ApiType
  isRequired: boolean
}

/** A method with the types of its operation. */
export interface ClientMethod extends SdkMethod {
  /** Whether it sends a batch of emails, which a header of its own validates. */
  isBatch: boolean
  ids: Parameter[]
  query: Parameter[]
  body: ApiType | null
  /** Of JSON, and of a page of a list. */
  answer: ApiType
  /** The type of a record of a list. */
  item: ApiType
}

export interface ClientResource extends SdkResource {
  methods: ClientMethod[]
}

export interface ClientApi {
  resources: ClientResource[]
  models: ApiModel[]
  /** The models of webhooks, by type of event. */
  events: Record<string, ApiType>
}

// biome-ignore lint/suspicious/noExplicitAny: a document has any form
type Json = Record<string, any>

/** Joins the methods of the SDK with the types of the OpenAPI document. */
export function readClientApi(document: object): ClientApi {
  const models = new Models(document)
  const { paths, webhooks, components } = document as Json
  const resolve = (part: Json): Json => {
    const [, , kind = '', name = ''] = (part.$ref ?? '').split('/')
    return part.$ref === undefined ? part : components[kind][name]
  }
  const resources = readSdk().map((resource) => ({
    ...resource,
    methods: resource.methods.map((method): ClientMethod => {
      const { [method.verb]: operation, parameters: shared = [] } = paths[method.path]
      const place = toPascal(operation.operationId)
      const parameters: Json[] = [...shared, ...(operation.parameters ?? [])].map(resolve)
      const read = (where: string) =>
        parameters
          .filter((each) => each.in === where)
          .map(({ name, schema, required }) => ({
            name,
            type: models.typeOf(schema, place + toPascal(name)),
            isRequired: required === true,
          }))
      const input = operation.requestBody?.content['application/json']?.schema
      const answer = models.typeOf(readAnswer(operation, resolve), `${place}Response`)
      const ids = read('path').sort((a, b) => method.path.indexOf(a.name) - method.path.indexOf(b.name))
      const body = input === undefined || method.isCsv ? null : models.typeOf(input, `${place}Request`)
      const isBatch = method.path === '/emails/batch'
      // The SDK's default for a batch is that of its options.
      const isBodyOptional = method.isBodyOptional && !isBatch
      const item = itemOf(answer, models)
      return { ...method, isBatch, isBodyOptional, ids, query: read('query'), body, answer, item }
    }),
  }))
  const events = Object.entries(webhooks as Json).map(([type, { post }]) => [
    type,
    models.typeOf(post.requestBody.content['application/json'].schema, toPascal(type)),
  ])
  const byName = [...models.found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  return { resources, models: byName, events: Object.fromEntries(events) }
}

function readAnswer({ responses }: Json, resolve: (part: Json) => Json): Json {
  const success = responses['200'] ?? responses['201'] ?? responses['202'] ?? {}
  return resolve(success).content?.['application/json']?.schema ?? {}
}

function itemOf(page: ApiType, models: Models): ApiType {
  const fields = page.kind === 'model' ? (models.found.get(page.name)?.fields ?? []) : []
  const data = fields.find(({ name }) => name === 'data')?.type
  return data?.kind === 'list' ? data.item : { kind: 'any' }
}
