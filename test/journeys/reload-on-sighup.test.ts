import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDatabase } from '../support/database.ts'
import { createInstallation, postJson, START_LIMIT_MS, STARTED } from './support/installation.ts'

const POLL = { timeout: 20_000, interval: 50 }
const OPERATOR_TOKEN = 'the-journeys-own-operator-token-of-32-characters'

test('new rules apply after SIGHUP; after SIGHUP with an invalid file, the previous rules apply and the process continues', {
  timeout: 60_000,
}, async ({ onTestFinished }) => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const installation = await createInstallation(database.url)
  onTestFinished(() => installation.remove())
  const path = join(installation.directory, 'rules.json')
  const write = (connectionsMax: unknown) =>
    writeFileSync(
      path,
      JSON.stringify({
        shaping: [{ match: { mx: ['destination.test', 'receiver.test'] }, connections_max: connectionsMax }],
      }),
    )
  write(7)
  const server = installation.serve({
    environment: { SENDWRIGHT_RULES_FILE: path, SENDWRIGHT_OPERATOR_TOKEN: OPERATOR_TOKEN },
  })
  await server.waitForLine(STARTED, START_LIMIT_MS)
  const sender = await installation.createSender('one.sender.test')
  const readLimits = async () => {
    const reply = await fetch(`${installation.url}/sites`, {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    })
    const { data } = (await reply.json()) as { data: { connections_max: number }[] }
    return data.map((site) => site.connections_max)
  }
  const send = () =>
    postJson(installation.url, '/emails', sender.token, {
      from: sender.from,
      to: 'bob@one.destination.test',
      subject: 'Hello',
      text: 'It works.',
    })

  await send()
  await expect.poll(readLimits, POLL).toEqual([7])
  write(3)
  server.signal('SIGHUP')
  await server.waitForLine('reloaded the delivery rules and certificates', START_LIMIT_MS)
  await send()
  await expect.poll(readLimits, POLL).toEqual([3])
  write('many')
  server.signal('SIGHUP')
  await server.waitForLine('connections_max', START_LIMIT_MS)
  expect((await send()).status).toBe(202)
  expect(await readLimits()).toEqual([3])
})
