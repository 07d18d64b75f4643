import { afterAll, beforeAll, expect, test } from 'vitest'
import { readApiDocument } from '../support/api-document.ts'
import { type ApiReply, requester } from '../support/client.ts'
import { givenFirstOwner } from '../support/people.ts'
import { startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { makeWorld, type World, withOwnIds } from '../support/world.ts'

/**
 * Null in an optional field of a request is the same as omitting the field. Each optional field of every body of the
 * OpenAPI document is sent as null. A response may only complain about the field if it also does when the field is
 * omitted.
 */
const OPERATOR = 'the-token-of-the-operator-of-this-test'

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  examples?: unknown[]
}
interface Operation {
  method: string
  path: string
  security?: Record<string, unknown>[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Body = Record<string, unknown> | unknown[]

/** The path to an optional field. `0` stands for the first item of an array. */
type Path = readonly (string | 0)[]

let service: TestSendwright
let operations: Operation[]
let ask: (operation: Operation, body: unknown) => Promise<ApiReply>

beforeAll(async () => {
  service = await startTestSendwright({
    environment: {
      SENDWRIGHT_DELIVERY: 'capture',
      SENDWRIGHT_BOOTSTRAP_DOMAIN: 'first.example',
      SENDWRIGHT_OPERATOR_TOKEN: OPERATOR,
    },
  })
  const paths = readApiDocument<Operation>(await (await fetch(`${service.url}/openapi.json`)).json())
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
  ask = await givenAllCallers()
})
afterAll(() => service?.stop())

/** Returns a function that sends each operation as a caller who may use it. */
async function givenAllCallers(): Promise<typeof ask> {
  const owner = await givenFirstOwner(service)
  const sender = await service.givenSender()
  const world = await makeWorld(sender, service.url)
  return async ({ method, path, security }, body) => {
    const isOperators = security?.some((hop) => 'operatorToken' in hop) === true
    const url = withIds(path, isOperators ? { operator: sender.id } : world)
    const own = withOwnIds(body, world)
    if (security !== undefined && !isOperators) return owner.inTeam(owner.teamId)(`${method} ${url}`, own)
    const client = requester(service.url, isOperators ? OPERATOR : sender.token)
    return client[method.toLowerCase() as 'post' | 'put' | 'patch'](url, own)
  }
}

/** Restores a template, because null clears its content and the last content cannot be cleared. */
async function restore(operation: Operation): Promise<void> {
  if (operation.path !== '/templates/{id}') return
  const reply = await ask(operation, { html_content: '<p>Hello</p>', text_content: 'Hello' })
  expect(reply.status, reply.text).toBe(200)
}

/** Path names that are aliases of a kind. */
const ALIASES: Readonly<Record<string, string>> = {
  'contact-properties': 'properties',
  broadcasts: 'campaigns',
}

function withIds(path: string, world: World): string {
  const [, kind = ''] = path.split('/')
  const own = world[ALIASES[kind] ?? kind] ?? service.config.hostname
  return path.replace('{id}', own).replaceAll(/\{\w+\}/g, '1')
}

/** Returns the optional fields of a body, at any depth. */
function optionalFields(schema: Schema, path: Path = []): Path[] {
  const { properties = {}, required = [], items, anyOf = [] } = schema
  const own = Object.entries(properties).flatMap(([name, field]) => [
    ...(required.includes(name) ? [] : [[...path, name]]),
    ...optionalFields(field, [...path, name]),
  ])
  const inItems = items === undefined ? [] : optionalFields(items, [...path, 0])
  return [...own, ...inItems, ...anyOf.flatMap((choice) => optionalFields(choice, path))]
}

/** Returns the body with a value in the field; undefined removes it. Missing parents are created. */
function withField(body: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  if (step === 0) {
    const [first, ...others] = Array.isArray(body) ? body : []
    return [withField(first, rest, value), ...others]
  }
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  return { ...fields, [step]: withField((fields as Record<string, unknown>)[step], rest, value) }
}

/** Returns the messages of a 422 about the field, or null. */
function complaintsOf({ json }: ApiReply, path: Path): unknown {
  return json?.errors?.[path.join('.')] ?? null
}

test('null in an optional field of any body is never rejected when the absent field is accepted', async () => {
  let fieldCount = 0
  const refused: string[] = []
  for (const operation of operations) {
    const schema = operation.requestBody?.content['application/json']?.schema
    for (const path of schema === undefined ? [] : optionalFields(schema)) {
      fieldCount++
      const example = (schema?.examples?.[0] ?? {}) as Body
      await restore(operation)
      const complaints = complaintsOf(await ask(operation, withField(example, path, null)), path)
      if (complaints === null) continue
      const absent = await ask(operation, withField(example, path, undefined))
      if (JSON.stringify(complaintsOf(absent, path)) !== JSON.stringify(complaints))
        refused.push(`${operation.method} ${operation.path} ${path.join('.')}: ${complaints}`)
    }
  }
  expect(refused).toEqual([])
  expect(fieldCount).toBeGreaterThan(250)
})

test('the document allows null in every optional field', () => {
  const strict = operations.flatMap((operation) => {
    const schema = operation.requestBody?.content['application/json']?.schema
    return (schema === undefined ? [] : optionalFields(schema))
      .filter((path) => !allowsNull(fieldAt(schema as Schema, path)))
      .map((path) => `${operation.method} ${operation.path} ${path.join('.')}`)
  })
  expect(strict).toEqual([])
})

function fieldAt(schema: Schema, path: Path): Schema {
  return path.reduce<Schema>((at, step) => {
    const places = at.anyOf === undefined ? [at] : at.anyOf.flatMap((choice) => choice.anyOf ?? [choice])
    const found = places.map(({ items, properties }) => (step === 0 ? items : properties?.[step]))
    return found.find((each) => each !== undefined) as Schema
  }, schema)
}

/** Returns whether the schema allows null. A schema without a type allows everything. */
function allowsNull(schema: Schema): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some(allowsNull)
  return schema.type === 'null' || !('type' in schema || 'const' in schema || 'enum' in schema)
}
