import { Command } from 'commander'
import { formatTime } from '../../../lib/time/format-time.ts'
import { installationPeriods } from '../../../privacy/retention/periods.ts'
import {
  type SurveyedTable,
  type SurveyedWeek,
  surveyRetention,
} from '../../../privacy/retention/survey-retention.ts'
import { createOutput } from '../../developer/output.ts'
import { withInstallation } from '../installation/installation.ts'

const COLUMNS = ['table', 'keep', 'weeks', 'rows', 'megabytes', 'oldest', 'next_drop_at', 'held']
const MEGABYTE = 1024 * 1024

/** Describes what the next retention round does to a week. */
function describeFate({ fate, hold }: SurveyedWeek): string {
  if (fate === 'kept') return 'keep'
  return fate === 'swept' || hold !== null ? 'delete expired rows' : 'drop'
}

function weekToJson(week: SurveyedWeek) {
  return {
    name: week.name,
    from: formatTime(week.from),
    rows: week.rows,
    bytes: week.bytes,
    drop_at: formatTime(week.dropAt),
    next: describeFate(week),
    held_by: week.hold,
  }
}

function tableToJson({ table, keep, weeks }: SurveyedTable) {
  return { object: 'retention_table', table, keep, weeks: weeks.map(weekToJson) }
}

/** Summarizes a table in one row: totals, and the next drop. */
function summarize({ table, keep, weeks }: SurveyedTable) {
  const heldWeeks = weeks.filter(({ hold }) => hold !== null)
  const next = weeks.find(({ hold, dropAt }) => hold === null && dropAt !== null)
  return {
    table,
    keep,
    weeks: weeks.length,
    rows: weeks.reduce((sum, week) => sum + (week.rows ?? 0), 0),
    megabytes: Math.round(weeks.reduce((sum, week) => sum + week.bytes, 0) / MEGABYTE),
    oldest: weeks[0] === undefined ? null : formatTime(weeks[0].from)?.slice(0, 10),
    next_drop_at: next?.dropAt ? formatTime(next.dropAt) : null,
    held: heldWeeks.length === 0 ? null : heldWeeks.map(({ name, hold }) => `${name}: ${hold}`).join(', '),
  }
}

export function retentionCommand(): Command {
  return new Command('retention')
    .description('show the retained data, its size, and when it will be deleted; changes nothing')
    .option('--json', 'print JSON, with every week')
    .action(async (options: { json?: boolean }) => {
      const tables = await withInstallation(({ db, config, clock }) =>
        surveyRetention(db, installationPeriods(config), clock.now()),
      )
      const isJson = options.json === true || !process.stdout.isTTY
      createOutput(options).rows(isJson ? tables.map(tableToJson) : tables.map(summarize), COLUMNS)
    })
}
