import { expect, test } from 'vitest'
import { formatProgress } from '../../src/cli/developer/campaigns.ts'
import { made } from '../support/client.ts'
import { useCommandLine } from './support/command-line.ts'

const line = useCommandLine()

/** Creates a draft to a list with one contact. */
async function givenDraft(fields: Record<string, unknown> = {}): Promise<string> {
  const { sender } = line
  const username = `ann${Math.random().toString(36).slice(2)}`
  const sender_id = await made(sender, '/senders', { name: 'Ann', username, domain_id: sender.domainId })
  const list_id = await made(sender, '/lists', { name: 'Readers' })
  await made(sender, '/contacts', { email: `${username}@to.test`, list_ids: [list_id] })
  const content = { subject: 'Hi', text: 'Hi', html: null }
  return made(sender, '/campaigns', { name: 'Spring', sender_id, list_id, ...content, ...fields })
}

const run = (...args: string[]) => line.run(['campaigns', ...args])

test('0 for a campaign that is listed, scheduled, canceled, sent and watched to its end', async () => {
  const id = await givenDraft()
  expect((await run('list', '--status', 'draft')).json()).toMatchObject([{ id, name: 'Spring' }])
  expect((await run('send', id, '--at', 'in 2 hours')).json()).toMatchObject({ id, status: 'scheduled' })
  expect((await run('cancel', id)).json()).toMatchObject({ status: 'canceled' })
  const sent = await run('send', id)
  expect(sent).toMatchObject({ code: 0, stderr: '' })
  const watched = await line.spawn(['campaigns', 'status', id, '--watch'])
  expect(watched).toMatchObject({ code: 0, stderr: '' })
  const states = watched.stdout.trim().split('\n')
  expect(JSON.parse(states.at(-1) ?? '')).toMatchObject({
    status: 'sent',
    recipients: { waiting: 0, accepted: 1, skipped: 0, failed: 0 },
  })
  const status = (await run('status', id)).json()
  expect([status.status, status.text]).toEqual(['sent', undefined])
})

test('1 for what the status forbids, and for a watched campaign that is paused', async () => {
  const id = await givenDraft()
  const paused = await run('pause', id)
  expect(paused).toMatchObject({ code: 1, stdout: '' })
  expect(paused.stderr).toContain(
    'This campaign has the status draft. Only one with the status sending can be paused.',
  )
  await line.service.db.query('update team set sending_paused_at = now() where id = $1', [line.sender.id])
  await run('send', id)
  const watched = await line.spawn(['campaigns', 'status', id, '--watch'])
  await line.service.db.query('update team set sending_paused_at = null where id = $1', [line.sender.id])
  expect(watched).toMatchObject({ code: 1, stderr: 'The campaign is paused (reputation).\n' })
  expect((await run('resume', id)).json()).toMatchObject({ status: 'sending' })
})

test.each([
  ['sending', [0, 0, 0, 0], '[------------------------] 0 %  0 of 0, 0 skipped, 0 failed  sending'],
  [
    'sending',
    [500, 490, 8, 2],
    '[############------------] 50 %  500 of 1,000, 8 skipped, 2 failed  sending',
  ],
  ['sent', [0, 0, 0, 0], '[########################] 100 %  0 of 0, 0 skipped, 0 failed  sent'],
] as const)('a bar for %s with %j', (status, [waiting, accepted, skipped, failed], expected) => {
  expect(formatProgress({ status, recipients: { waiting, accepted, skipped, failed } })).toBe(expected)
})
