import { Command, Option } from 'commander'
import { readDomainName } from '../../../domains/domain-name.ts'
import { addDomain, domainRecords } from '../../../domains/domains.ts'
import {
  type Domain,
  findDomain,
  findDomainByName,
  findTeamsOfDomain,
  listDomains,
} from '../../../domains/domains-queries.ts'
import { formatRecords, RECORD_FORMATS, type RecordFormat } from '../../../domains/publish/record-formats.ts'
import { verifyDomain } from '../../../domains/verify-domain.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { isUuid } from '../../../lib/ids.ts'
import { formatTime } from '../../../lib/time/format-time.ts'
import type { Team } from '../../../teams/teams-queries.ts'
import { createOutput } from '../../developer/output.ts'
import { readId } from '../installation/arguments.ts'
import {
  asOperator,
  type Installation,
  openInstallationSecret,
  requireOwner,
  requireTeam,
  withInstallation,
} from '../installation/installation.ts'
import { readAll } from '../installation/read-all.ts'

const COLUMNS = ['id', 'name', 'status', 'status_reason', 'checked_at', 'created_at']

interface Options {
  team?: string
  json?: boolean
}

function domainToJson(domain: Domain) {
  return {
    object: 'domain',
    id: domain.id,
    team_id: domain.teamId,
    name: domain.name,
    status: domain.status,
    status_reason: domain.reason,
    captured: domain.captured,
    verified_at: formatTime(domain.verifiedAt),
    checked_at: formatTime(domain.checkedAt),
    created_at: formatTime(domain.createdAt),
  }
}

async function recordsToJson(deps: Installation, domain: Domain) {
  const records = await domainRecords(deps, domain)
  return records.map(({ purpose, type, name, value, required, status, check }) => ({
    record: purpose,
    type,
    name,
    value,
    required,
    status,
    found: check?.found ?? null,
    advice: check?.advice ?? null,
  }))
}

/** @param text the domain's id or name; null when the command does not name an existing domain */
async function withDomains<T>(
  options: Options,
  text: string | null,
  work: (installation: Installation, team: Team) => Promise<T>,
): Promise<T> {
  return withInstallation(async (installation: Installation) => {
    const { db } = installation
    const team =
      text === null
        ? await requireTeam(db, options.team)
        : await requireOwner(
            db,
            options.team,
            () => findTeamsOfDomain(db, readDomain(text)),
            `domain ${text}`,
          )
    return work(installation, team)
  })
}

function readDomain(text: string): { id: string | null; name: string | null } {
  return isUuid(text) ? { id: text.toLowerCase(), name: null } : { id: null, name: readDomainName(text) }
}

/** Finds a domain of the team by id or name. Throws ApiError `not_found`. */
async function requireDomain(deps: Installation, team: Team, text: string): Promise<Domain> {
  const { id, name } = readDomain(text)
  const domain =
    id !== null
      ? await findDomain(deps.db, team.id, id)
      : name === null
        ? null
        : await findDomainByName(deps.db, team.id, name)
  if (domain === null) throw new ApiError('not_found', `The team has no domain ${text}.`)
  return domain
}

async function exportRecords(
  deps: Installation,
  team: Team,
  text: string,
  format: RecordFormat,
): Promise<string> {
  const domain = await requireDomain(deps, team, text)
  return formatRecords(domain.name, await domainRecords(deps, domain), format)
}

export function domainCommand(): Command {
  const domain = new Command('domain').description('Manage the domains that a team sends from')
  const verb = (name: string, description: string) =>
    domain
      .command(name)
      .description(description)
      .option('--team <id>', 'the team that has the domain; optional when only one has it', readId)
      .option('--json', 'print JSON')

  verb('add', 'add a domain; "domain records" shows the DNS records to publish')
    .argument('<name>', 'for example mail.example.com')
    .action(async (name: string, options: Options) => {
      const domain = await withDomains(options, null, async (installation, team) => {
        const deps = { ...installation, secret: await openInstallationSecret(installation) }
        return domainToJson(await addDomain(asOperator(deps, team.id, 'domains.create'), team.id, { name }))
      })
      createOutput(options).record(domain)
    })
  verb('list', 'list the domains of a team, newest first').action(async (options: Options) => {
    const domains = await withDomains(options, null, async ({ db }, team) => {
      const rows = await readAll(
        async (after, size) =>
          (await listDomains(db, team.id, { size, offset: 0, after, before: null })).rows,
      )
      return rows.map(domainToJson)
    })
    createOutput(options).rows(domains, COLUMNS)
  })
  verb('records', 'show the DNS records to publish and the records found')
    .argument('<domain>', 'its id or name')
    .addOption(
      new Option('--format <format>', 'print a zone file, or the commands for the API of a DNS provider')
        .choices(RECORD_FORMATS)
        .conflicts('json'),
    )
    .action(async (text: string, options: Options & { format?: RecordFormat }) => {
      const { format } = options
      if (format !== undefined) {
        process.stdout.write(
          await withDomains(options, text, (deps, team) => exportRecords(deps, team, text, format)),
        )
        return
      }
      const records = await withDomains(options, text, async (deps, team) =>
        recordsToJson(deps, await requireDomain(deps, team, text)),
      )
      createOutput(options).blocks(records)
    })
  verb('verify', 'check the DNS records now')
    .argument('<domain>', 'its id or name')
    .action(async (text: string, options: Options) => {
      const domain = await withDomains(options, text, async (deps, team) => {
        const { id } = await requireDomain(deps, team, text)
        return domainToJson(await verifyDomain(asOperator(deps, team.id, 'domains.verify', id), team.id, id))
      })
      createOutput(options).record(domain)
    })
  return domain
}
