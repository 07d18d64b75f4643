import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import type { AutomationRun, Sendwright } from '../../../packages/sdk/src/index.ts'
import { type CommonOptions, connect } from './connect.ts'
import { addVerb, definedOptions, readRecordCount } from './options.ts'
import { createLines, createOutput, formatCell } from './output.ts'
import { take } from './take.ts'
import { abortOnSignal } from './until-signal.ts'

const COLUMNS = ['id', 'name', 'status', 'version', 'paused_reason', 'updated_at']
const RUN_COLUMNS = ['id', 'email', 'status', 'step', 'due_at', 'awaits', 'reason']
const COUNT_DEFAULT = 20
const PAGE_MAX = 100
const POLL_MS = 1000

interface ListOptions extends CommonOptions {
  status?: 'draft' | 'active' | 'paused'
  limit: number
}

async function list({ status, limit, ...common }: ListOptions): Promise<void> {
  const page = { ...definedOptions({ status }), limit: Math.min(limit, PAGE_MAX) }
  const { client } = connect(common)
  createOutput(common).rows(await take(client.automations.list(page), limit), COLUMNS)
}

async function get(id: string, options: CommonOptions): Promise<void> {
  createOutput(options).record(await connect(options).client.automations.get(id).orThrow())
}

async function pause(id: string, options: CommonOptions): Promise<void> {
  createOutput(options).record(await connect(options).client.automations.stop(id).orThrow())
}

async function resume(id: string, options: CommonOptions): Promise<void> {
  const { client } = connect(options)
  createOutput(options).record(await client.automations.update(id, { status: 'active' }).orThrow())
}

interface RunOptions extends CommonOptions {
  status?: string[]
  limit: number
  watch?: boolean
}

async function showRuns(id: string, { status, limit, watch, ...common }: RunOptions): Promise<void> {
  const { client } = connect(common)
  const filters = definedOptions({ status })
  if (watch === true) {
    const lines = createLines(common)
    return watchRuns(client, id, { filters, limit }, (run) => lines.write(run, formatRun(run)))
  }
  const page = { ...filters, limit: Math.min(limit, PAGE_MAX) }
  createOutput(common).rows(await take(client.automations.runs.list(id, page), limit), RUN_COLUMNS)
}

/** Shows the newest runs, up to the limit, and then each change of the newest, oldest first, until a signal. */
async function watchRuns(
  client: Sendwright,
  id: string,
  { filters, limit }: { filters: { status?: string[] }; limit: number },
  show: (run: AutomationRun) => void,
): Promise<void> {
  const signal = abortOnSignal()
  let known = new Map<string, string>()
  let isFirst = true
  while (!signal.aborted) {
    const { data } = await client.automations.runs.list(id, { ...filters, limit: PAGE_MAX }).orThrow()
    const changed = isFirst ? data.slice(0, limit) : data.filter((run) => known.get(run.id) !== stateOf(run))
    for (const run of changed.reverse()) show(run)
    known = new Map(data.map((run) => [run.id, stateOf(run)]))
    isFirst = false
    await sleep(POLL_MS, undefined, { signal }).catch(() => {})
  }
}

function stateOf({ status, step, due_at, reason, is_held }: AutomationRun): string {
  return JSON.stringify([status, step, due_at, reason, is_held])
}

function formatRun({ email, status, step, reason, due_at: dueAt }: AutomationRun): string {
  const until = status === 'running' && dueAt !== null ? `until ${dueAt}` : null
  return [email, status, step, reason ?? until]
    .filter((part) => part !== null)
    .map(formatCell)
    .join('  ')
}

const readNames = (text: string) => text.split(',').map((name) => name.trim())

export function automationsCommand(): Command {
  const automations = new Command('automations').description('Pause automations, and follow their runs')
  addVerb(automations, 'list', 'list automations, newest first')
    .option('--status <status>', 'draft, active or paused')
    .option('--limit <count>', 'how many', readRecordCount, COUNT_DEFAULT)
    .action(list)
  addVerb(automations, 'get', 'show an automation with its steps').argument('<id>').action(get)
  addVerb(automations, 'pause', 'begin no runs and send nothing').argument('<id>').action(pause)
  addVerb(automations, 'resume', 'make a paused automation or a draft active').argument('<id>').action(resume)
  addVerb(automations, 'runs', 'list the runs of an automation, newest first')
    .argument('<id>')
    .option('--status <status>', 'running, completed, failed or cancelled; several with commas', readNames)
    .option('--limit <count>', 'how many', readRecordCount, COUNT_DEFAULT)
    .option('--watch', 'print them, and then each change of the newest 100, until Ctrl-C')
    .action(showRuns)
  return automations
}
