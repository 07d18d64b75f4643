import { expect } from 'vitest'
import { runNextImport } from '../../src/audience/imports/run-import.ts'
import { createLog } from '../../src/lib/log.ts'
import type { Api } from './api.ts'
import type { ApiReply, Requester } from './client.ts'

/** Uploads a file unchanged, in one piece or as the chunks of a stream. */
export async function upload(
  url: string,
  { token }: Requester,
  path: string,
  file: string | Buffer | ReadableStream,
  headers: Record<string, string> = {},
): Promise<ApiReply> {
  const response = await fetch(url + path, {
    method: 'POST',
    body: file,
    ...(file instanceof ReadableStream ? { duplex: 'half' } : {}),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv', ...headers },
  } as RequestInit)
  const text = await response.text()
  return { status: response.status, json: JSON.parse(text), text, headers: response.headers }
}

/** Runs all waiting imports. */
export async function runImports({ db, deps: { clock } }: Pick<Api, 'db' | 'deps'>): Promise<void> {
  const { signal } = new AbortController()
  while (await runNextImport({ db, clock, log: createLog('silent') }, signal));
}

/** Uploads a file, runs its import, and returns the import. */
export async function importFile(
  api: Api,
  team: Requester,
  path: string,
  file: string | Buffer,
): Promise<ApiReply> {
  const received = await upload(api.url, team, path, file)
  expect(received).toMatchObject({ status: 202, json: { status: 'queued' } })
  await runImports(api)
  return team.get(`${path.split('?')[0]}s/${received.json.id}`)
}
