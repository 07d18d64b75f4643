import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { createContractJudge } from './contract-judge.ts'
import { listenHere } from './listen-here.ts'

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1.0.0' },
  paths: {
    '/things/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          200: {
            description: 'It.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['id', 'note'],
                  properties: {
                    id: { type: 'string' },
                    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
                  },
                },
              },
            },
          },
          404: { description: 'None.' },
        },
      },
    },
  },
}

const server = createServer((_, answer) => {
  answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(DOCUMENT))
})
const { url, close } = await listenHere(server)
afterAll(close)

async function complaintsOf(path: string, status: number, json: unknown): Promise<number> {
  const judge = createContractJudge()
  const headers = new Headers({ 'content-type': 'application/json' })
  judge.witness({ method: 'GET', path: url + path, status, headers, json })
  return (await judge.validate()).complaints.length
}

test('no complaint about a documented response', async () => {
  expect(await complaintsOf('/things/1', 200, { id: '1', note: null })).toBe(0)
  expect(await complaintsOf('/v1/things/1?page=2', 200, { id: '1', note: 'x' })).toBe(0)
  expect(await complaintsOf('/things/1', 404, {})).toBe(0)
})

test.each([
  ['a field of the wrong type', '/things/1', 200, { id: 1, note: null }],
  ['a field that is missing', '/things/1', 200, { id: '1' }],
  ['a status that is not in it', '/things/1', 410, {}],
  ['a path that is not in it', '/others/1', 200, {}],
])('a complaint about %s', async (_, path, status, json) => {
  expect(await complaintsOf(path, status, json)).toBe(1)
})
