import { Command } from 'commander'
import { listSites, resumePause, type SiteOverview } from '../../../delivery/sites/sites-queries.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { formatTime } from '../../../lib/time/format-time.ts'
import { REPORT_VALID_MS } from '../../../queue/closed-domains.ts'
import { createOutput } from '../../developer/output.ts'
import { readCount } from '../installation/arguments.ts'
import { withInstallation } from '../installation/installation.ts'

const COLUMNS = ['name', 'state', 'connections', 'waiting', 'paused_until', 'reason', 'rules']
const COUNT_DEFAULT = 100

interface Options {
  site?: string
  limit: number
  json?: boolean
}

function siteToJson(site: SiteOverview) {
  return {
    object: 'site',
    name: site.name,
    state: site.state,
    reason: site.reason,
    category: site.category,
    failures: site.failures,
    paused_until: site.pausedUntil === null ? null : formatTime(site.pausedUntil),
    connections: `${site.connections} of ${site.connectionsLimit}`,
    connections_max: site.connectionsMax,
    messages_per_connection: site.messagesPerConnection,
    rate: site.rate,
    waiting: site.waiting,
    rules: site.rules,
    source: site.source,
    relay: site.relay,
    processes: site.processes,
  }
}

export function sitesCommand(): Command {
  const command = new Command('sites')
    .description('list the sites (MX sets) that mail is delivered to, with their traffic and pauses')
    .option('--site <text>', 'only sites whose name contains this text')
    .option('--limit <count>', 'maximum number of rows', readCount, COUNT_DEFAULT)
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const rows = await withInstallation(async ({ db, clock }) => {
        const now = clock.now()
        const filter = { site: options.site ?? null, state: null, after: null }
        const since = new Date(now.getTime() - REPORT_VALID_MS)
        return (await listSites(db, filter, since, now, options.limit)).map(siteToJson)
      })
      createOutput(options).rows(rows, COLUMNS)
    })
  command
    .command('resume')
    .description('resume a paused or stopped site; its queued mail is sent immediately')
    .argument('<name>', 'the name of the site, as in "sendwright sites"')
    .option('--json', 'print JSON')
    .action(async (name: string, options: { json?: boolean }) => {
      const isResumed = await withInstallation(({ db, clock }) => resumePause(db, name, clock.now()))
      if (!isResumed) {
        throw new ApiError(
          'not_found',
          `No site "${name}" is paused or stopped. Run "sendwright sites" to list them.`,
        )
      }
      createOutput(options).record({ object: 'site', name, resumed: true })
    })
  return command
}
