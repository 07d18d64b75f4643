import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { runCommand } from '../../support/command.ts'
import { unique } from '../resources.ts'
import { checkAnswer, NOT_FOUND, proof, type Section } from '../row.ts'
import type { Scene } from '../scene.ts'

/** Sends an email in capture mode and returns the captured message. */
async function capturedOf(scene: Scene, subject: string) {
  const id = await scene.sender.send({ to: 'someone@elsewhere.test', subject })
  await scene.sender.settled(id)
  const { json } = await scene.ask('GET /captured?per_page=100')
  return json.data.filter((message: { email_id: string }) => message.email_id === id)
}

const SCRIPT = join(import.meta.dirname, '../../../bin/sendwright.mjs')
const run = promisify(execFile)

/** Returns the settings of a command that uses the database of the running service. */
function environmentOf({ service: { config } }: Scene) {
  return {
    DATABASE_URL: config.databaseUrl ?? '',
    SENDWRIGHT_SECRET_KEY: config.secretKey ?? '',
    SENDWRIGHT_DELIVERY: config.delivery.kind,
    SENDWRIGHT_DNS_SERVERS: config.dnsServers.join(),
  }
}

/** Runs the script of the clone, as an operator does. */
async function runScript(scene: Scene, args: readonly string[]) {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', ...environmentOf(scene) }
  const { stdout } = await run(process.execPath, [SCRIPT, ...args], { env })
  return JSON.parse(stdout)
}

export const serviceSections: readonly Section[] = [
  {
    heading: 'the service',
    rows: [
      proof('API-1', 'the content type', async ({ ask }) => {
        for (const route of ['GET /emails', 'GET /frob', 'POST /emails']) {
          const { headers } = await ask(route, route.startsWith('GET') ? undefined : {})
          expect(headers.get('content-type')).toMatch(/^application\/json/)
        }
      }),
      proof('DAT-1', 'two keys, two teams', async (scene) => {
        const { id } = await scene.made('suppression')
        const { token } = await scene.sender.givenKey()
        expect((await scene.askAs(token)(`GET /suppressions/${id}`)).status).toBe(200)
        const other = await scene.fresh()
        await checkAnswer(await other.ask(`GET /suppressions/${id}`), NOT_FOUND, scene)
      }),
      proof('SUP-5', 'nothing at the MX', async (scene) => {
        const email = `gone@${scene.service.givenDestination()}`
        await scene.ask('POST /suppressions', { email })
        await scene.sender.settled(await scene.sender.send({ to: email }))
        expect(scene.service.mx.messages.filter(({ to }) => to.includes(email))).toEqual([])
      }),
      proof('DOM-7', 'deleted', async (scene) => {
        const team = await scene.freshSender()
        expect((await team.ask('POST /emails', team.email())).status).toBe(202)
        expect((await team.ask(`DELETE /domains/${team.domainId}`)).status).toBe(200)
        const { status, json } = await team.ask('POST /emails', team.email())
        expect([status, json.message]).toEqual([422, 'The from address domain is not verified.'])
      }),
    ],
  },
  {
    heading: 'authentication, errors and versions',
    rows: [
      proof('KEY-1', 'of any case', async (scene) => {
        const { token } = scene.sender
        for (const authorization of [`Bearer ${token}`, `bearer ${token}`]) {
          expect((await scene.askAs(null)('GET /usage', undefined, { authorization })).status).toBe(200)
        }
      }),
      ...['POST /emails', 'GET /frob', 'DELETE /emails/batch', 'GET /suppressions/none'].map((route) =>
        proof('ERR-1', route, async ({ ask }) => {
          const { status, json } = await ask(route, route.startsWith('POST') ? {} : undefined)
          expect(status).toBeGreaterThanOrEqual(400)
          expect(json).toMatchObject({
            statusCode: status,
            name: expect.any(String),
            message: expect.any(String),
          })
        }),
      ),
      proof('API-4', 'every documented path', async ({ ask }) => {
        expect((await ask('GET /emails')).status).toBe(200)
        expect((await ask('GET /v2/emails')).status).toBe(404)
      }),
      proof('API-21', 'GET /openapi.json', async ({ ask }) => {
        expect((await ask('GET /openapi.json')).json.info.version).toBe('1.0.0')
      }),
    ],
  },
  {
    heading: 'conventions',
    rows: [
      proof('API-4', 'sending', async ({ ask, sender }) => {
        expect((await ask('POST /v1/emails', sender.email())).status).toBe(202)
      }),
      proof('API-9', 'two requests, two ids; also on 401', async (scene) => {
        const ids = []
        for (const ask of [scene.ask, scene.ask, scene.askAs(null)])
          ids.push((await ask('GET /usage')).headers.get('x-request-id'))
        expect(new Set(ids).size).toBe(3)
        expect(ids).not.toContain(null)
      }),
      ...['cancel', 'verify', 'publish'].map((verb) =>
        proof('API-7', verb, async (scene) => {
          const json = { 'content-type': 'application/json' }
          const [kind, path] = ACTIONS[verb] ?? ['email', '/emails']
          const fields =
            verb === 'cancel' ? { scheduled_at: new Date(Date.now() + 86_400_000).toISOString() } : {}
          const { id } = await scene.made(kind, fields)
          expect((await scene.ask(`POST ${path}/${id}/${verb}`, '', json)).status).toBe(200)
        }),
      ),
    ],
  },
  {
    heading: 'delivery modes',
    rows: [
      proof('DEL-3', 'a message', async (scene) => {
        const capture = await scene.capturing()
        const subject = unique('Captured ')
        expect(await capturedOf(capture, subject)).toMatchObject([{ subject }])
        expect(capture.service.mx.connectionCount).toBe(0)
      }),
      proof('DEL-3', "one's own alone", async (scene) => {
        const [one, two] = [await scene.capturing(), await scene.capturing()]
        await capturedOf(one, 'Mine')
        expect((await two.ask('GET /captured')).json.data).toEqual([])
      }),
      proof('DEL-3', 'in capture mode', async (scene) => {
        const { ask } = await scene.capturing()
        const { json } = await ask('POST /domains', { name: `${unique('capture')}.test` })
        await ask(`POST /domains/${json.id}/verify`)
        expect((await ask(`GET /domains/${json.id}`)).json.status).toBe('verified')
      }),
      proof('DEL-2', 'a message', async (scene) => {
        const email = `bob@${scene.service.givenDestination()}`
        await scene.sender.settled(await scene.sender.send({ to: email }))
        expect(scene.service.mx.messages.filter(({ to }) => to.includes(email))).toHaveLength(1)
      }),
    ],
  },
  {
    heading: 'command line',
    rows: [
      proof('CLI-1', 'key create, then a request', async (scene) => {
        const args = [
          'key',
          'create',
          '--team',
          scene.sender.id,
          '--name',
          'cli',
          '--permission',
          'full',
          '--json',
        ]
        const { token } = await runScript(scene, args)
        expect((await scene.askAs(token)('GET /usage')).status).toBe(200)
      }),
      proof('CLI-1', 'verify', async (scene) => {
        const name = `${unique('cli')}.test`
        const given = { environment: environmentOf(scene) }
        const team = ['--team', scene.sender.id, '--json']
        await runCommand(['domain', 'add', name, ...team], given)
        const verified = (await runCommand(['domain', 'verify', name, ...team], given)).json()
        expect(verified).toMatchObject({ name, status: 'pending' })
      }),
    ],
  },
]

const ACTIONS: Readonly<Record<string, readonly ['email' | 'domain' | 'template', string]>> = {
  cancel: ['email', '/emails'],
  verify: ['domain', '/domains'],
  publish: ['template', '/templates'],
}
