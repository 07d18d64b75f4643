import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import type { Campaign, Sendwright } from '../../../packages/sdk/src/index.ts'
import { type CommonOptions, connect } from './connect.ts'
import { CommandError } from './failures.ts'
import { addVerb, definedOptions, readRecordCount } from './options.ts'
import { createOutput, formatCell, formatJson } from './output.ts'
import { take } from './take.ts'
import { abortOnSignal } from './until-signal.ts'

const COLUMNS = ['id', 'name', 'status', 'paused_reason', 'scheduled_at', 'started_at', 'ended_at']
const COUNT_DEFAULT = 20
const PAGE_MAX = 100
const POLL_MS = 1000
const BAR_WIDTH = 24
/** Returns to the start of the line and erases it. */
const REDRAW = '\r\u001b[2K'

interface ListOptions extends CommonOptions {
  status?: Campaign['status']
  limit: number
}

async function list({ status, limit, ...common }: ListOptions): Promise<void> {
  const filters = definedOptions({ status })
  const { client } = connect(common)
  const page = { ...filters, limit: Math.min(limit, PAGE_MAX) }
  createOutput(common).rows(await take(client.campaigns.list(page), limit), COLUMNS)
}

interface SendOptions extends CommonOptions {
  at?: string
}

async function send(id: string, { at: scheduled_at, ...common }: SendOptions): Promise<void> {
  const body = definedOptions({ scheduled_at })
  print(await connect(common).client.campaigns.send(id, body).orThrow(), common)
}

type Verb = 'pause' | 'resume' | 'cancel'
const change = (verb: Verb) => async (id: string, options: CommonOptions) =>
  print(await connect(options).client.campaigns[verb](id).orThrow(), options)

function print({ html: _html, text: _text, ...campaign }: Campaign, options: CommonOptions): void {
  createOutput(options).record(campaign)
}

interface StatusOptions extends CommonOptions {
  watch?: boolean
}

async function showStatus(id: string, { watch, ...common }: StatusOptions): Promise<void> {
  const { client } = connect(common)
  if (watch !== true) return print(await client.campaigns.get(id).orThrow(), common)
  const stream = process.stdout
  const isDrawn = stream.isTTY && common.json !== true
  const campaign = await watchCampaign(client, id, (next) => {
    const { html: _html, text: _text, ...fields } = next
    stream.write(isDrawn ? `${REDRAW}${formatCell(formatProgress(next))}` : `${formatJson(fields)}\n`)
  })
  if (isDrawn) stream.write('\n')
  const { status, paused_reason: reason } = campaign
  if (status === 'paused') throw new CommandError(`The campaign is paused (${formatCell(reason)}).`)
  if (status === 'canceled') throw new CommandError('The campaign was canceled.')
}

/** Shows each change of a campaign until it is no longer being sent, or a signal. Returns it is then. */
async function watchCampaign(
  client: Sendwright,
  id: string,
  show: (campaign: Campaign) => void,
): Promise<Campaign> {
  const signal = abortOnSignal()
  let lastShown = ''
  for (;;) {
    const campaign = await client.campaigns.get(id).orThrow()
    const now = JSON.stringify([campaign.status, campaign.recipients])
    if (now !== lastShown) show(campaign)
    lastShown = now
    if (signal.aborted || (campaign.status !== 'sending' && campaign.status !== 'scheduled')) return campaign
    await sleep(POLL_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return campaign
  }
}

/** Returns a line with a bar: the recipients that no longer wait, of those that are known so far. */
export function formatProgress({ status, recipients }: Pick<Campaign, 'status' | 'recipients'>): string {
  const { waiting, accepted, skipped, failed } = recipients
  const done = accepted + skipped + failed
  const total = done + waiting
  const share = total === 0 ? (status === 'sent' ? 1 : 0) : done / total
  const filled = Math.floor(share * BAR_WIDTH)
  const bar = `${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}`
  const figures = `${format(done)} of ${format(total)}`
  return `[${bar}] ${Math.floor(share * 100)} %  ${figures}, ${format(skipped)} skipped, ${format(failed)} failed  ${status}`
}

const format = (count: number) => count.toLocaleString('en-US')

export function campaignsCommand(): Command {
  const campaigns = new Command('campaigns').description('Send campaigns, and follow their progress')
  addVerb(campaigns, 'list', 'list campaigns, newest first')
    .option('--status <status>', 'for example paused')
    .option('--limit <count>', 'how many', readRecordCount, COUNT_DEFAULT)
    .action(list)
  addVerb(campaigns, 'status', 'show a campaign with the number of its recipients by state')
    .argument('<id>')
    .option('--watch', 'follow it until it is no longer being sent')
    .action(showStatus)
  addVerb(campaigns, 'send', 'send a campaign, now or at a time')
    .argument('<id>')
    .option('--at <time>', 'when it begins: ISO 8601, or for example "in 2 hours"')
    .action(send)
  addVerb(campaigns, 'pause', 'hold its emails within a second').argument('<id>').action(change('pause'))
  addVerb(campaigns, 'resume', 'continue a paused campaign').argument('<id>').action(change('resume'))
  addVerb(campaigns, 'cancel', 'cancel its emails that have not left')
    .argument('<id>')
    .action(change('cancel'))
  return campaigns
}
