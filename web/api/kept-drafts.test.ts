import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetDraftsOf, keepDraft, keepDraftsOf, readKeptDraft } from './kept-drafts.ts'

/** What these functions use of the browser's storage: its names are its own properties. */
class Names {
  getItem(name: string): string | null {
    return (Reflect.get(this, name) as string | undefined) ?? null
  }
  setItem(name: string, value: string): void {
    Reflect.set(this, name, value)
  }
  removeItem(name: string): void {
    Reflect.deleteProperty(this, name)
  }
}

const earlier = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
beforeAll(() => {
  Object.defineProperty(globalThis, 'localStorage', { value: new Names(), configurable: true })
})
afterAll(() => {
  if (earlier === undefined) Reflect.deleteProperty(globalThis, 'localStorage')
  else Object.defineProperty(globalThis, 'localStorage', earlier)
})

test('a page that is still open after the logout keeps nothing, until its user logs in again', () => {
  keepDraft('ann', 'template', 'before', '1')
  keepDraft('bob', 'template', 'of another user', '1')
  forgetDraftsOf('ann')
  expect(readKeptDraft('ann', 'template')).toBeNull()
  // The editor keeps what was typed a moment later.
  keepDraft('ann', 'template', 'typed last', '1')
  expect(readKeptDraft('ann', 'template')).toBeNull()
  expect(readKeptDraft('bob', 'template')?.draft).toBe('of another user')
  keepDraftsOf('ann')
  keepDraft('ann', 'template', 'logged in again', '1')
  expect(readKeptDraft('ann', 'template')?.draft).toBe('logged in again')
})
