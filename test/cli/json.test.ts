import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { expect, onTestFinished, test } from 'vitest'
import { DEVELOPER_COMMANDS, loadCommands } from '../../src/cli/developer/commands.ts'
import { made } from '../support/client.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'
import { useCommandLine } from './support/command-line.ts'

const line = useCommandLine()

function leavesOf(command: Command, path: readonly string[] = []): { path: string; command: Command }[] {
  const here = [...path, command.name()]
  if (command.commands.length === 0) return [{ path: here.join(' '), command }]
  return command.commands.flatMap((child) => leavesOf(child, here))
}

const LEAVES = (await loadCommands(DEVELOPER_COMMANDS, undefined)).flatMap((command) => leavesOf(command))

test.each(LEAVES)('$path has the option --json', ({ command }) => {
  expect(command.options.map(({ long }) => long)).toContain('--json')
})

const EXPORT = join(import.meta.dirname, 'fixtures', 'exports', 'postmark-suppressions.json')

/** The arguments of one run of each command, in an order in which each finds what it needs. */
function runs({
  from,
  domain,
  emailId,
  campaignId,
  automationId,
}: Record<'from' | 'domain' | 'emailId' | 'campaignId' | 'automationId', string>): [string, string[]][] {
  return [
    ['login', ['--url', line.service.url, '--profile', 'one']],
    ['login', ['--url', line.service.url, '--profile', 'two']],
    ['profiles list', []],
    ['profiles use', ['one']],
    ['profiles remove', ['two']],
    ['emails send', ['--from', from, '--to', 'ann@receiver.test', '--subject', 'x', '--text', 'x']],
    ['emails list', []],
    ['emails get', [emailId]],
    ['emails tail', ['--from-start', '--limit', '1']],
    ['templates push', []],
    ['templates pull', []],
    ['templates diff', []],
    ['templates preview', ['receipt']],
    ['templates publish', ['receipt']],
    ['domains add', ['new.test']],
    ['domains list', []],
    ['domains get', [domain]],
    ['domains records', [domain]],
    ['domains verify', [domain]],
    ['contacts import', ['contacts.csv']],
    ['import', ['--from', 'postmark', '--suppressions', EXPORT, '--dry-run']],
    ['campaigns list', []],
    ['campaigns send', [campaignId, '--at', 'in 2 hours']],
    ['campaigns send', [campaignId]],
    ['campaigns pause', [campaignId]],
    ['campaigns resume', [campaignId]],
    ['campaigns status', [campaignId]],
    ['campaigns cancel', [campaignId]],
    ['automations list', []],
    ['automations get', [automationId]],
    ['automations resume', [automationId]],
    ['events send', ['user.created', '--email', 'ann@people.test', '--payload', '{"plan":"pro"}']],
    ['automations runs', [automationId]],
    ['automations pause', [automationId]],
    ['captured list', []],
    ['captured open', []],
  ]
}

/** Creates a campaign whose rate keeps it from ending before it is canceled. */
async function givenCampaign(): Promise<string> {
  const { sender } = line
  const list_id = await made(sender, '/lists', { name: 'Readers' })
  await made(sender, '/contacts', { email: 'reader@people.test', list_ids: [list_id] })
  await made(sender, '/contacts', { email: 'other@people.test', list_ids: [list_id] })
  const from = { name: 'Acme', username: 'news', domain_id: sender.domainId }
  const sender_id = await made(sender, '/senders', from)
  const content = { subject: 'News', text: 'News.', rate_per_hour: 1 }
  return made(sender, '/campaigns', { name: 'News', list_id, sender_id, ...content })
}

async function givenAutomation(): Promise<string> {
  const steps = [
    { key: 'start', type: 'trigger', config: { type: 'event', event_name: 'user.created' } },
    { key: 'wait', type: 'delay', config: { duration: '3 days' } },
  ]
  const connections = [{ from: 'start', to: 'wait' }]
  return made(line.sender, '/automations', { name: 'Welcome', steps, connections })
}

test('every command prints one JSON value with --json, and nothing else on standard output', async () => {
  const { domain } = line.sender
  const { from } = line.sender.email() as { from: string }
  const emailId = await line.sender.send({ to: 'ann@receiver.test' })
  await line.sender.settled(emailId)
  const folder = join(line.home, 'templates', 'receipt')
  mkdirSync(folder, { recursive: true })
  const fields = { name: 'Receipt', alias: 'receipt', subject: 'Receipt', from, variables: [] }
  writeFileSync(join(folder, 'template.json'), JSON.stringify(fields))
  writeFileSync(join(folder, 'body.txt'), 'Thank you.\n')
  writeFileSync(join(line.home, 'contacts.csv'), 'email\nann@people.test\n')

  const campaignId = await givenCampaign()
  const automationId = await givenAutomation()

  const done = new Set(['listen'])
  for (const [path, args] of runs({ from, domain, emailId, campaignId, automationId })) {
    // It listens for signals, until its process ends.
    const run = path === 'emails tail' ? line.spawn : line.run
    const { code, stdout, stderr } = await run([...path.split(' '), ...args, '--json'], {}, line.sender.token)
    expect({ path, code, stderr }).toEqual({ path, code: 0, stderr: '' })
    expect(() => JSON.parse(stdout), path).not.toThrow()
    done.add(path)
  }
  expect([...done].sort()).toEqual(LEAVES.map(({ path }) => path).sort())
})

test('listen prints one JSON value a line with --json', async () => {
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.close())
  const child = line.start(['listen', '--forward-to', `${receiver.url}/hooks`, '--json'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed: string[] = []
  createInterface(child.stdout).on('line', (text) => printed.push(text))
  const notes: string[] = []
  createInterface(child.stderr).on('line', (text) => notes.push(text))
  await expect.poll(() => notes.join('\n')).toContain('Signing secret')
  await line.sender.post('/contacts', { email: 'listened@people.test' })
  await expect.poll(() => printed.length).toBeGreaterThan(0)
  expect(printed.map((text) => JSON.parse(text).object)).toContain('forwarded_event')
  child.kill('SIGINT')
  await once(child, 'exit')
})
