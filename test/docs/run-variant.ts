import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createInterpreters, type Language } from '../../clients/test/support/interpreters.ts'
import { Sendwright } from '../../packages/sdk/src/index.ts'
import type { FaultyProxy, Passed } from '../../packages/sdk/test/support/proxy.ts'
import type { Sender } from '../support/sendwright.ts'
import type { Example, VariantLanguage } from './examples.ts'
import { expectReply, type GuideRun, realText, retryUntilTrue } from './run-example.ts'

/** Runs the calls of guides in one language. */
export interface Runner {
  run(code: string): Promise<unknown>
  close(): Promise<void>
}

/** Creates the runners of one language, for one guide after another. */
export function createRunners(language: VariantLanguage) {
  const interpreters = language === 'ts' ? null : createInterpreters(language)
  return {
    /** Prepares for the code of a guide. The files of the guide are in its working directory. */
    async enter(url: string, sender: Sender, files: ReadonlyMap<string, string>): Promise<Runner> {
      const folder = mkdtempSync(join(tmpdir(), 'sendwright-guide-'))
      for (const [name, text] of files) writeFileSync(join(folder, name), text)
      const close = async () => rmSync(folder, { recursive: true })
      if (language === 'ts' || interpreters === null) return { ...startNode(url, sender, folder), close }
      const interpreter = await interpreters.enter(url, sender.token)
      await interpreter.run(PREPARATIONS[language](JSON.stringify(folder), sender.domainId))
      return { run: interpreter.run, close }
    },
    close: async () => interpreters?.close(),
  }
}

/** Enters the folder, and sets the variable that guides use. */
const PREPARATIONS: Record<Language, (folder: string, domainId: string) => string> = {
  python: (folder, domainId) => `import os; os.chdir(${folder}); domain_id = "${domainId}"`,
  php: (folder, domainId) => `chdir(${folder}); $domainId = '${domainId}';`,
}

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...args: unknown[]) => Promise<unknown>

function startNode(url: string, sender: Sender, folder: string): Pick<Runner, 'run'> {
  const client = new Sendwright({ apiKey: sender.token, baseUrl: url })
  return {
    run(code) {
      const inner = code.replaceAll(/^import (.*) from 'node:fs\/promises'$/gm, 'const $1 = files')
      const script = stripTypeScriptTypes(`async () => {${inner}\n}`)
      const call = new AsyncFunction('sendwright', 'domainId', 'files', 'console', `return (${script})()`)
      // The working directory is that of the tests.
      const files = {
        readFile: (name: string) => readFile(join(folder, name)),
        writeFile: (name: string, content: ReadableStream) => writeFile(join(folder, name), content),
      }
      return call(client, sender.domainId, files, { log: () => {} })
    },
  }
}

/** Runs an example in another language, and compares its request with the command, its response with the guide. */
export async function runVariant(
  example: Example,
  code: string,
  runner: Runner,
  proxy: FaultyProxy,
  guide: GuideRun,
): Promise<void> {
  const real = (text: string) => realText(text, guide.sender, guide.ids)
  await retryUntilTrue(example.method === 'GET', async () => {
    const earlier = proxy.passed.length
    await runner.run(real(code))
    const first = proxy.passed[earlier]
    expect(first?.status ?? 0, 'The code makes no request.').toBeGreaterThan(0)
    expectSameRequest(example, first as Passed, real)
    expectReply(example, first as Passed, guide.ids)
  })
}

function expectSameRequest(example: Example, passed: Passed, real: (text: string) => string): void {
  expect(describeRequest(passed.method, passed.path, passed.body)).toEqual(
    describeRequest(example.method, real(example.path), real(example.body ?? '')),
  )
  for (const name of ['idempotency-key', 'x-batch-validation']) {
    const shown = example.headers[name]
    if (shown !== undefined) expect(passed.headers[name]).toBe(shown)
  }
}

/** Returns the parts in which requests with the same effect are equal. */
function describeRequest(method: string, path: string, body: string) {
  const { pathname, searchParams } = new URL(path, 'http://any.test')
  searchParams.sort()
  return {
    // PUT and PATCH do the same.
    method: method === 'PUT' ? 'PATCH' : method,
    path: decodeURIComponent(pathname),
    query: [...searchParams],
    body:
      body === '' || body === '{}'
        ? {}
        : body.startsWith('{') || body.startsWith('[')
          ? readJson(body)
          : body,
  }
}

/** Times in examples are computed, so each language has another one. */
function readJson(body: string): unknown {
  return JSON.parse(body, (name, value) =>
    name === 'scheduled_at' ? !Number.isNaN(Date.parse(value)) : value,
  )
}
