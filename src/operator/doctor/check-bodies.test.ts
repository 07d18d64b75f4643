import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { BodyStore } from '../../bodies/store/body-store.ts'
import { openBodyStore } from '../../bodies/store/open-body-store.ts'
import { readConfig } from '../../config/config.ts'
import { checkBodies } from './check-bodies.ts'

function givenStore(): { store: BodyStore; directory: string } {
  const directory = mkdtempSync(join(tmpdir(), 'sendwright-doctor-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const store = openBodyStore(readConfig({ SENDWRIGHT_BODIES: `file://${directory}/bodies` })) as BodyStore
  return { store, directory }
}

test('ok for a store that works, in which nothing is left', async () => {
  const { store, directory } = givenStore()
  expect(await checkBodies(store, false)).toMatchObject({ check: 'bodies', level: 'ok' })
  expect(readdirSync(join(directory, 'bodies', 'doctor'))).toEqual([])
})

test('a warning for an empty folder where messages were moved to, and nothing is written there', async () => {
  const { store, directory } = givenStore()
  expect(await checkBodies(store, true)).toMatchObject({
    level: 'warning',
    found: expect.stringContaining('its file system may not be mounted'),
  })
  expect(readdirSync(directory)).toEqual([])
  await store.recognize(true, AbortSignal.timeout(10_000))
  expect(await checkBodies(store, true)).toMatchObject({ level: 'ok' })
})

test('a warning with the reason for a store that cannot be written, or returns other bytes', async () => {
  const { store, directory } = givenStore()
  const mixed = { ...store, read: () => Promise.resolve(Buffer.from('other')) }
  expect(await checkBodies(mixed, false)).toMatchObject({
    level: 'warning',
    found: expect.stringContaining('other bytes'),
  })
  rmSync(join(directory, 'bodies'), { recursive: true })
  writeFileSync(join(directory, 'bodies'), 'a file')
  expect(await checkBodies(store, false)).toMatchObject({
    level: 'warning',
    found: expect.stringContaining('ENOTDIR'),
  })
})
