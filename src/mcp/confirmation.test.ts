import { expect, test } from 'vitest'
import { confirmationOf, describeConfirm } from './confirmation.ts'

const send = { method: 'POST', path: '/emails', limit: 'send' } as const
const campaign = { method: 'POST', path: '/campaigns', limit: 'general' } as const
const change = { method: 'PATCH', path: '/campaigns/:id', limit: 'general' } as const
const sendCampaign = { method: 'POST', path: '/campaigns/:id/send', limit: 'general' } as const
const remove = { method: 'DELETE', path: '/contacts/:id', limit: 'general' } as const
const read = { method: 'GET', path: '/campaigns', limit: 'general' } as const
const template = { method: 'PUT', path: '/templates/:id', limit: 'general' } as const
const publish = { method: 'POST', path: '/templates/:id/publish', limit: 'general' } as const
const preview = { ...publish, path: '/templates/:id/preview', changesNothing: true } as const
const cancel = { ...publish, path: '/emails/:id/cancel' } as const
const suppress = { ...publish, path: '/suppressions' } as const
const to = (count: number) => Array.from({ length: count }, (_, index) => `a${index}@to.test`)

test.each([
  ['50 recipients', send, { to: to(48), cc: 'b@to.test', bcc: ['c@to.test'] }, false],
  ['51 recipients', send, { to: to(49), cc: 'b@to.test', bcc: ['c@to.test'] }, true],
  ['51 recipients in a batch', send, { emails: [{ to: to(50) }, { to: 'b@to.test' }] }, true],
  ['a new campaign', campaign, {}, true],
  ['a changed campaign', change, { id: 'x' }, true],
  ['a campaign that is sent', sendCampaign, { id: 'x' }, true],
  ['a broadcast that is sent', { ...sendCampaign, path: '/broadcasts/:id/send' }, { id: 'x' }, true],
  ['a list of campaigns', read, {}, false],
  ['a preview of a campaign', { ...campaign, changesNothing: true as const }, {}, false],
  ['a changed template', template, { id: 'x' }, true],
  ['a published template', publish, { id: 'x' }, true],
  ['a preview of a template', preview, { id: 'x' }, false],
  ['a canceled email', cancel, { id: 'x' }, true],
  ['a suppressed address', suppress, { email: 'a@to.test' }, true],
  ['a deletion', remove, { id: 'x' }, true],
])('%s', (_name, route, given, isNeeded) => {
  expect(confirmationOf(route, given) !== null).toBe(isNeeded)
  expect(confirmationOf(route, { ...given, confirm: true })).toBeNull()
  for (const confirm of ['true', 1, {}]) {
    expect(confirmationOf(route, { ...given, confirm }) !== null).toBe(isNeeded)
  }
  if (isNeeded) expect(describeConfirm(route)).toContain('Ask the user first.')
})
