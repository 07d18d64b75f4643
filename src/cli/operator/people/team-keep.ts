import { Command, InvalidArgumentError } from 'commander'
import { ApiError } from '../../../lib/api-error.ts'
import {
  type Kept,
  type KeptChanges,
  limitKept,
  readKept,
} from '../../../privacy/retention/change-retention.ts'
import {
  installationPeriods,
  type Periods,
  parsePeriod,
  writePeriod,
} from '../../../privacy/retention/periods.ts'
import { KEPT_KINDS } from '../../../teams/team-retention-queries.ts'
import { findTeam } from '../../../teams/teams-queries.ts'
import { createOutput } from '../../developer/output.ts'
import { readId } from '../installation/arguments.ts'
import { asOperator, withInstallation } from '../installation/installation.ts'

/** Stands for the default of the installation. */
const DEFAULT = 'default'

function readPeriod(text: string): string {
  if (text !== DEFAULT && parsePeriod(text) === null)
    throw new InvalidArgumentError('It must be a period such as 30d, forever, or default.')
  return text
}

interface Options {
  content?: string
  attempts?: string
  events?: string
  webhookDeliveries?: string
  json?: boolean
}

function readChanges({ content, attempts, events, webhookDeliveries }: Options): KeptChanges {
  const options = { content, attempts, events, webhook_deliveries: webhookDeliveries }
  const changes = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(changes.map(([kind, text]) => [kind, text === DEFAULT ? null : text]))
}

function periodsToJson(id: string, { periods, limits }: Kept) {
  const write = (of: Periods) => Object.fromEntries(KEPT_KINDS.map((kind) => [kind, writePeriod(of[kind])]))
  const emails = writePeriod(periods.emails)
  return { object: 'retention', team_id: id, ...write(periods), emails, limits: write(limits) }
}

/** Creates `team keep`, which without options shows the current periods. */
export function teamKeepCommand(): Command {
  return new Command('keep')
    .description('set or show the maximum retention of a team; the team itself may choose less')
    .argument('<id>', 'the team', readId)
    .option('--content <period>', 'content of emails: a period such as 30d, forever, or default', readPeriod)
    .option('--attempts <period>', 'delivery attempts with their transcripts', readPeriod)
    .option('--events <period>', 'events, at least 7d', readPeriod)
    .option('--webhook-deliveries <period>', 'webhook deliveries', readPeriod)
    .option('--json', 'print JSON')
    .action(async (id: string, options: Options) => {
      const changes = readChanges(options)
      const periods = await withInstallation(async (deps) => {
        const installation = installationPeriods(deps.config)
        if ((await findTeam(deps.db, id)) === null) return null
        if (Object.keys(changes).length === 0) return readKept(deps.db, installation, id)
        const { db, clock } = asOperator(deps, id, 'team.keep', id)
        return db.transaction((tx) => limitKept(tx, installation, id, changes, clock.now()))
      })
      if (periods === null) {
        throw new ApiError(
          'not_found',
          `There is no team ${id}. Run "sendwright team list" to list the teams.`,
        )
      }
      createOutput(options).record(periodsToJson(id, periods))
    })
}
