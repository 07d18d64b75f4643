import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { upsertPauses } from '../../src/delivery/sites/sites-queries.ts'
import { exampleOfSchema } from '../../src/http/docs/openapi-examples.ts'
import type { JsonObject } from '../../src/http/docs/openapi-json.ts'
import { readApiDocument } from '../support/api-document.ts'
import { type ApiReply, requester } from '../support/client.ts'
import { type ContractProxy, startContractProxy } from '../support/contract-proxy.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { makeWorld, type World, withOwnIds } from '../support/world.ts'

/**
 * The examples of the reference page are correct: the service accepts every request example of the OpenAPI document,
 * seen through a proxy that knows only the document, and every response example matches its schema.
 */
interface Media {
  schema?: Schema
  example?: unknown
}
interface Schema {
  examples?: unknown[]
  properties?: Record<string, Schema>
}
interface Described {
  security?: Record<string, unknown>[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}
interface Operation extends Described {
  method: string
  path: string
}

const OPERATOR = 'the-token-of-the-operator-of-this-test'
/** A paused site, for the operations on sites. */
const SITE = 'mx.customer.example'

let service: TestSendwright
let proxy: ContractProxy
let operations: Operation[]

beforeAll(async () => {
  service = await startTestSendwright({
    environment: {
      SENDWRIGHT_DELIVERY: 'capture',
      SENDWRIGHT_BOOTSTRAP_DOMAIN: 'first.example',
      SENDWRIGHT_OPERATOR_TOKEN: OPERATOR,
    },
  })
  await upsertPauses(service.db, [
    {
      name: SITE,
      state: 'paused',
      failures: 1,
      category: 'unreachable',
      reason: 'no connection',
      pausedUntil: new Date(Date.now() + 600_000),
      changedAt: new Date(),
    },
  ])
  proxy = await startContractProxy(service.url, { validateRequest: true })
  const paths = readApiDocument<Described>(await (await fetch(`${service.url}/openapi.json`)).json())
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      ...described,
    })),
  )
})
afterAll(async () => {
  await proxy?.close()
  await service?.stop()
})

const nameOf = ({ method, path }: Operation) => `${method} ${path}`
const jsonBody = ({ requestBody }: Operation) => requestBody?.content['application/json']?.schema

/** Returns the successful JSON responses of an operation, with the example that the reference shows. */
function jsonAnswers(operation: Operation): { status: string; media: Media }[] {
  return Object.entries(operation.responses).flatMap(([status, { content }]) => {
    const media = content?.['application/json']
    if (!status.startsWith('2') || media === undefined) return []
    const example = media.example ?? exampleOfSchema((media.schema ?? {}) as JsonObject)
    return [{ status, media: { ...media, example } }]
  })
}

describe('the OpenAPI document', () => {
  test('has an example for every JSON body and every successful response', () => {
    const without = operations.flatMap((operation) => [
      ...(jsonBody(operation) !== undefined && jsonBody(operation)?.examples === undefined
        ? [`${nameOf(operation)} body`]
        : []),
      ...jsonAnswers(operation)
        .filter(({ media }) => media.example === undefined && operation.path !== '/openapi.json')
        .map(({ status }) => `${nameOf(operation)} ${status}`),
    ])
    expect(without).toEqual([])
  })

  test('has response examples that match their schemas', () => {
    const wrong = operations.flatMap((operation) =>
      jsonAnswers(operation).flatMap(({ status, media }) => {
        if (media.example === undefined || media.schema === undefined) return []
        const errors = [...Value.Errors(media.schema as never, media.example)]
        return errors.length === 0 ? [] : [[nameOf(operation), status, errors[0]]]
      }),
    )
    expect(wrong).toEqual([])
  })
})

/**
 * Returns whether the operation needs credentials of a person (password, code, link), which are valid once and known
 * only to that person, so no example can contain them.
 */
function isForPeople({ security, requestBody }: Operation): boolean {
  const isLogin = security?.length === 0 && requestBody !== undefined
  const isBySession = security?.some((hop) => 'session' in hop) === true
  return isLogin || (isBySession && !security?.some((hop) => 'operatorToken' in hop))
}

async function givenOwner(): Promise<{ sender: Sender; world: World }> {
  await service.db.query("delete from verified_domain where name = 'example.com'")
  const sender = await service.givenSender({ domain: 'example.com' })
  return { sender, world: await makeWorld(sender, service.url) }
}

/** Creates a team for the operator operations, without records of its own. */
async function givenTeamOfOthers(): Promise<{ sender: Pick<Sender, 'id' | 'token'>; world: World }> {
  return { sender: await service.givenTeam(), world: {} }
}

type Given = Awaited<ReturnType<typeof givenTeamOfOthers>>

/** Path names that are aliases of a kind. */
const ALIASES: Readonly<Record<string, string>> = {
  'contact-properties': 'properties',
  broadcasts: 'campaigns',
}

function sendExample(operation: Operation, example: unknown, { sender, world }: Given) {
  const kind = operation.path.split('/')[1] as string
  const own = world[ALIASES[kind] ?? kind] ?? ''
  const path = operation.path
    .replace('{id}', isOperators(operation) ? sender.id : own)
    .replace('{name}', SITE)
  const client = requester(proxy.url, isOperators(operation) ? OPERATOR : sender.token)
  const send = { POST: client.post, PUT: client.put, PATCH: client.patch }[operation.method]
  if (send === undefined) throw new Error(`${nameOf(operation)} has a body.`)
  return send(path, withOwnIds(example, world))
}

const isOperators = ({ security }: Operation) => security?.some((hop) => 'operatorToken' in hop) === true
const violationsOf = ({ headers }: ApiReply) => headers.get('sl-violations')

/** An example may prevent a later one from succeeding, which is then retried with fresh records. */
test('every request example is accepted, and its response matches the document', async () => {
  const failed: string[] = []
  let owner: Given | null = null
  for (const operation of operations.filter((each) => !isForPeople(each))) {
    for (const example of jsonBody(operation)?.examples ?? []) {
      const used: Given | null = isOperators(operation) ? await givenTeamOfOthers() : owner
      let reply = used === null ? null : await sendExample(operation, example, used)
      if (reply === null || (reply.status >= 300 && violationsOf(reply) === null)) {
        owner = await givenOwner()
        reply = await sendExample(operation, example, owner)
      }
      if (reply.status >= 300 || violationsOf(reply) !== null)
        failed.push(`${nameOf(operation)}: ${reply.status} ${violationsOf(reply) ?? reply.text}`)
    }
  }
  expect(failed).toEqual([])
})
