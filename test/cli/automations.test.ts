import { expect, onTestFinished, test } from 'vitest'
import { made } from '../support/client.ts'
import { useCommandLine } from './support/command-line.ts'

const line = useCommandLine()

/** Creates an automation that waits after its trigger, and returns its id. */
async function givenAutomation(event: string): Promise<string> {
  const steps = [
    { key: 'start', type: 'trigger', config: { type: 'event', event_name: event } },
    { key: 'paid', type: 'wait_for_event', config: { event_name: `${event}.paid`, timeout: '3 days' } },
  ]
  const connections = [{ from: 'start', to: 'paid' }]
  return made(line.sender, '/automations', { name: 'Trial', steps, connections })
}

const run = (...args: string[]) => line.run(args)
const report = (event: string, ...args: string[]) => run('events', 'send', event, ...args)

test('0 for an automation that is listed, resumed, shown and paused', async () => {
  const id = await givenAutomation('one')
  expect((await run('automations', 'resume', id)).json()).toMatchObject({ id, status: 'active', version: 1 })
  expect((await run('automations', 'list', '--status', 'active')).json()).toMatchObject([
    { id, name: 'Trial' },
  ])
  expect((await run('automations', 'get', id)).json().steps.map(({ key }: { key: string }) => key)).toEqual([
    'start',
    'paid',
  ])
  expect((await run('automations', 'pause', id)).json()).toMatchObject({ id, status: 'paused' })
})

test('runs, with each change while they are watched', async () => {
  const id = await givenAutomation('two')
  await run('automations', 'resume', id)
  const payload = ['--payload', '{"plan":"pro"}']
  const sent = await report('two', '--email', 'ann@people.test', ...payload)
  expect(sent).toMatchObject({ code: 0, stderr: '' })
  expect(sent.json()).toEqual({ object: 'event', event: 'two' })
  const list = async (...options: string[]) => (await run('automations', 'runs', id, ...options)).json()
  await expect
    .poll(() => list('--status', 'running'))
    .toMatchObject([{ email: 'ann@people.test', step: 'paid' }])
  const [{ contact_id }] = await list()

  const child = line.start(['automations', 'runs', id, '--watch'])
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stdout?.on('data', (bytes: Buffer) => {
    printed += bytes
  })
  const seen = () =>
    printed.split('\n').flatMap((text) => {
      if (text === '') return []
      const { email, status, step } = JSON.parse(text)
      return `${email} ${status} ${step}`
    })
  await expect.poll(seen).toEqual(['ann@people.test running paid'])
  await report('two.paid', '--contact', contact_id)
  await expect.poll(seen).toEqual(['ann@people.test running paid', 'ann@people.test completed paid'])
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  expect(await ended).toBe(0)
})

test('1 for an unknown automation and for an event without a contact, 2 for a payload that is no object', async () => {
  const unknown = await run('automations', 'get', '0198c0de-0000-7000-8000-000000000000')
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
  const none = await report('three')
  expect(none).toMatchObject({ code: 1, stdout: '' })
  expect(none.stderr).toContain('email')
  const list = await report('three', '--email', 'ann@people.test', '--payload', '[1]')
  expect([list.code, list.stderr]).toEqual([2, expect.stringContaining('It must be a JSON object')])
})
