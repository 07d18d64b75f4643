import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDirectory, removeDirectory } from '../../bench/support/children.ts'
import { type FaultyProxy, startFaultyProxy } from '../../packages/sdk/test/support/proxy.ts'
import { signWebhook } from '../../src/webhooks/request/sign.ts'
import { findFreePort } from '../support/ports.ts'
import { startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { type Given, runMain, runWorker, versionOf, writePrograms } from './support/sdk-programs.ts'

/** How each runtime starts the program. Programs that are not on the PATH are skipped. */
const RUNTIMES = {
  node: ['node', 'main.mjs'],
  bun: ['bun', 'main.mjs'],
  deno: ['deno', 'run', '--allow-net', '--allow-env', 'main.mjs'],
  workerd: [],
}

const folder = makeDirectory('sdk-runtimes')
let service: TestSendwright
let proxy: FaultyProxy
beforeAll(async () => {
  writePrograms(folder)
  service = await startTestSendwright({
    environment: { SENDWRIGHT_DELIVERY: 'capture' },
    roles: ['api', 'deliver', 'scheduler'],
  })
  proxy = await startFaultyProxy(service.url)
}, 120_000)
afterAll(async () => {
  await proxy?.close()
  await service?.stop()
  removeDirectory(folder)
})

function givenSigned(): Given['signed'] {
  const secret = Buffer.alloc(32, 7)
  const payload = JSON.stringify({ type: 'email.delivered', created_at: '2026-03-01 12:00:00', data: {} })
  const headers = signWebhook([secret], 'msg_1', new Date(), payload)
  return { payload, headers, secret: `whsec_${secret.toString('base64')}` }
}

for (const [runtime, command] of Object.entries(RUNTIMES)) {
  const version = versionOf(runtime)
  if (version === null) process.stderr.write(`${runtime} is skipped: it is not on the PATH.\n`)
  else process.stderr.write(`${runtime}: ${version}\n`)

  test.skipIf(version === null)(
    `the SDK works on ${runtime}`,
    async () => {
      const sender = await service.givenSender()
      const given: Given = {
        url: proxy.url,
        token: sender.token,
        from: `ann@${sender.domain}`,
        signed: givenSigned(),
      }
      const passed = proxy.passed.length
      proxy.next('drop')
      const done =
        runtime === 'workerd'
          ? await runWorker(folder, await findFreePort(), given)
          : await runMain(folder, command, given)
      expect(done).toEqual({
        listed: 2,
        isSame: true,
        verified: 'email.delivered',
        forged: 'invalid_signature',
        streamed: 'email.queued',
        rejected: 'invalid_api_key',
      })
      const sends = proxy.passed.slice(passed).filter(({ method }) => method === 'POST')
      expect(sends.map(({ status }) => status)).toEqual([202, 202, 202, 202])
    },
    120_000,
  )
}
