import { Command } from 'commander'
import { listSites, REPORT_VALID_MS, resumePause, type SeenSite } from '../../delivery/sites/sites-queries.ts'
import { ApiError } from '../../lib/api-error.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { readCount } from '../arguments.ts'
import { withInstallation } from '../installation/installation.ts'
import { createOutput } from '../output.ts'

const COLUMNS = ['name', 'state', 'connections', 'waiting', 'paused_until', 'reason', 'rules']
const COUNT_DEFAULT = 100

interface Options {
  site?: string
  limit: number
  json?: boolean
}

function siteToJson(site: SeenSite) {
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
    .description('show the sites (MX sets) that mail goes to, how much goes there, and what holds it back')
    .option('--site <text>', 'only those with this in their name')
    .option('--limit <count>', 'at most so many', readCount, COUNT_DEFAULT)
    .option('--json', 'answer in JSON')
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
    .description('end the pause or stop of a site: what waits for it goes at once')
    .argument('<name>', 'as "sendwright sites" shows it')
    .option('--json', 'answer in JSON')
    .action(async (name: string, options: { json?: boolean }) => {
      const isResumed = await withInstallation(({ db, clock }) => resumePause(db, name, clock.now()))
      if (!isResumed) {
        throw new ApiError(
          'not_found',
          `No site "${name}" is paused or stopped; "sendwright sites" shows them.`,
        )
      }
      createOutput(options).record({ object: 'site', name, resumed: true })
    })
  return command
}
