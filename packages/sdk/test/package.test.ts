import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createContext, Script } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useServer } from './support/server.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PACKAGE = join(ROOT, 'packages/sdk')
const FOLDER = mkdtempSync(join(tmpdir(), 'sendwright-sdk-'))
const INSTALLED = join(FOLDER, 'node_modules/@sendwright/sdk')
/** The whole client, minified and compressed by gzip. */
const GZIP_BYTES_MAX = 15 * 1_024

const run = promisify(execFile)
const setup = useServer()

/** Builds the package as npm would install it. */
beforeAll(async () => {
  mkdirSync(INSTALLED, { recursive: true })
  writeFileSync(join(INSTALLED, 'package.json'), readFileSync(join(PACKAGE, 'package.json')))
  await compile('typescript', '-p', PACKAGE, '--outDir', join(INSTALLED, 'dist'))
  for (const name of [
    'react',
    '@react-email',
    '@types/react',
    'nodemailer',
    '@types/nodemailer',
    'csstype',
  ]) {
    mkdirSync(join(FOLDER, 'node_modules', name, '..'), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(FOLDER, 'node_modules', name))
  }
})
afterAll(() => rmSync(FOLDER, { recursive: true }))

async function compile(compiler: string, ...args: string[]): Promise<string> {
  try {
    await run(process.execPath, [join(ROOT, 'node_modules', compiler, 'bin/tsc'), ...args])
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

const PROGRAM = `
import { type Email, Sendwright, type SendwrightError, type WebhookEvent } from '@sendwright/sdk'
import { sendwrightTransport } from '@sendwright/sdk/nodemailer'
import { Sendwright as ReactClient } from '@sendwright/sdk/react'
import { openInbox } from '@sendwright/sdk/testing'

const client: Sendwright = new ReactClient({ apiKey: 'sw_key', baseUrl: 'https://mail.test' })
export async function useEverything(): Promise<void> {
  const { data, error } = await client.emails.get('id')
  if (error === null) {
    const email: Email = data
    const statuses: string[] = email.recipients.map(({ status }) => status)
    console.log(statuses, email.subject)
  } else {
    const problem: SendwrightError = error
    console.log(problem.errors, data satisfies null)
  }
  for await (const contact of client.contacts.list({ list_id: 'id' })) console.log(contact.email.length)
  for await (const event of client.events.stream({ types: ['email.bounced', 'email.clicked'] })) {
    if (event.type === 'email.clicked') console.log(event.data.link?.length)
  }
  const event: WebhookEvent = await client.webhooks.verify({ payload: '', headers: {}, secret: '' }).orThrow()
  if (event.type === 'contact.created') console.log(event.data.email.length)
  const inbox = await openInbox(client)
  console.log((await inbox.waitFor({ to: /a@/ })).text, sendwrightTransport(client).name)
}
`

const MISTAKES = `
import { Sendwright } from '@sendwright/sdk'

const client = new Sendwright()
client.emails.send({ to: 'a@b.test', subject: 1 })
client.emails.list({ state: 'sent' })
for await (const event of client.events.stream({ types: ['email.bounced'] })) {
  if (event.type === 'email.opened') console.log(event)
}
const { data } = await client.emails.get('id')
console.log(data.id)
`

test.each(['typescript', 'typescript-5'])(
  'compiles with strict %s, without skipLibCheck, and finds mistakes',
  async (compiler) => {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
      module: 'nodenext',
      types: [],
    }
    writeFileSync(join(FOLDER, 'program.ts'), PROGRAM)
    writeFileSync(join(FOLDER, 'mistakes.ts'), MISTAKES)
    writeFileSync(join(FOLDER, 'package.json'), '{ "type": "module" }')
    writeFileSync(
      join(FOLDER, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['program.ts', 'mistakes.ts'] }),
    )
    const errors = (await compile(compiler, '-p', FOLDER)).matchAll(/(\w+\.ts)\((\d+),\d+\): error/g)
    const lines = [...errors].map(([, file, line]) => `${file}:${line}`)
    expect([...new Set(lines)]).toEqual([5, 6, 8, 11].map((line) => `mistakes.ts:${line}`))
  },
)

let bundled: Promise<string> | null = null

/** Returns the whole client as one script, which is built once. */
function bundle(): Promise<string> {
  bundled ??= buildScript()
  return bundled
}

async function buildScript(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      lib: { entry: join(INSTALLED, 'dist/index.js'), formats: ['iife'], name: 'sdk' },
    },
  })
  const [built] = output as { output: { code: string }[] }[]
  return built?.output[0]?.code ?? ''
}

test('has no dependencies, and at most 15 KB compressed', async () => {
  expect(JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies')
  const code = await bundle()
  expect(code.length).toBeGreaterThan(10_000)
  expect(gzipSync(code).length).toBeLessThanOrEqual(GZIP_BYTES_MAX)
})

test('runs where only the interfaces of the web exist, as in a Worker', async () => {
  const { client: outside, sender } = await setup.givenClient()
  const names = [
    'fetch',
    'crypto',
    'URL',
    'URLSearchParams',
    'Headers',
    'AbortController',
    'AbortSignal',
    'Blob',
  ]
  const others = [
    'TextEncoder',
    'TextDecoder',
    'TextDecoderStream',
    'setTimeout',
    'clearTimeout',
    'atob',
    'btoa',
  ]
  const web = Object.fromEntries([...names, ...others].map((name) => [name, Reflect.get(globalThis, name)]))
  const options = { apiKey: sender.token, baseUrl: setup.proxy.url }
  const context = createContext({ ...web, options, email: sender.email() })
  new Script(`${await bundle()}\nthis.sdk = sdk`).runInContext(context)
  const work = `(async () => {
    const client = new sdk.Sendwright(options)
    const { id } = await client.emails.send(email).orThrow()
    for await (const event of client.events.stream({ from: 'start', types: ['email.queued'] })) {
      return [id, event.data.email_id]
    }
  })()`
  const [id, seen] = await new Script(work).runInContext(context)
  expect(seen).toBe(id)
  expect((await outside.emails.get(id)).error).toBeNull()
})
