import { Command } from 'commander'
import { PROVIDER_GROUPS } from '../../../delivery/rules/provider-groups.ts'
import { BadRules, readRules } from '../../../delivery/rules/read-site-rules.ts'
import { NO_SOURCE, type SourceRules, type WarmingSource } from '../../../delivery/rules/source-rules.ts'
import { dayOf, limitOn, warmingDay } from '../../../delivery/rules/warmup.ts'
import { isLocalAddress } from '../../../delivery/sources/local-address.ts'
import { listWarmup } from '../../../delivery/sources/sources-queries.ts'
import { CannotStart } from '../../../lib/cannot-start.ts'
import { createOutput } from '../../developer/output.ts'
import { withInstallation } from '../installation/installation.ts'

const COLUMNS = ['name', 'address', 'here', 'ehlo_name', 'pools', 'warming_day', ...PROVIDER_GROUPS]

interface Options {
  json?: boolean
}

type Taken = Awaited<ReturnType<typeof listWarmup>>

async function sourceToJson(source: WarmingSource, { pools }: SourceRules, warmups: Taken, now: Date) {
  const { warmup } = source
  const groups = PROVIDER_GROUPS.flatMap((group) => {
    const limit = warmup === null ? null : limitOn(warmup, group, now)
    if (limit === null) return []
    const row = warmups.find((one) => one.source === source.name && one.group === group)
    return { group, sent: row?.taken ?? 0, limit }
  })
  return {
    object: 'source',
    name: source.name,
    address: source.address,
    here: (await isLocalAddress(source.address)) ? 'yes' : 'no',
    ehlo_name: source.ehloName,
    pools: pools.filter(({ sources }) => sources.includes(source)).map(({ name }) => name),
    // Null: warmed up for all groups.
    warming_day: warmup === null || groups.length === 0 ? null : warmingDay(warmup, now),
    groups,
    // For the table: recipients sent to today, out of today's limit.
    ...Object.fromEntries(groups.map(({ group, sent, limit }) => [group, `${sent}/${limit}`])),
  }
}

/** Returns the row shown without source rules: the system chooses the source address. */
function noSourceToJson(hostname: string) {
  const nothing = { address: null, here: null, warming_day: null, groups: [] }
  return { object: 'source', name: NO_SOURCE, ...nothing, ehlo_name: hostname, pools: [NO_SOURCE] }
}

async function readSourceRules(path: string | null): Promise<SourceRules | null> {
  try {
    return (await readRules(path)).sources
  } catch (error) {
    throw error instanceof BadRules ? new CannotStart(error.message) : error
  }
}

export function sourcesCommand(): Command {
  return new Command('sources')
    .description('list the source addresses of mail with their pools and warm-up')
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const rows = await withInstallation(async ({ config, db, clock }) => {
        const rules = await readSourceRules(config.rulesFile)
        if (rules === null) return [noSourceToJson(config.hostname)]
        const now = clock.now()
        const warmups = await listWarmup(db, dayOf(now))
        return Promise.all(rules.sources.map((source) => sourceToJson(source, rules, warmups, now)))
      })
      createOutput(options).rows(rows, COLUMNS)
    })
}
