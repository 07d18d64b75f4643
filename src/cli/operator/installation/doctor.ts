import { Command } from 'commander'
import type { Db } from '../../../db/db-types.ts'
import { systemClock } from '../../../lib/time/clock.ts'
import { cannotOpenDatabase, type ExamineOptions, examine } from '../../../operator/doctor/examine.ts'
import { findSourceAddresses } from '../../../operator/doctor/find-addresses.ts'
import type { Finding } from '../../../operator/doctor/finding.ts'
import { createOutput } from '../../developer/output.ts'
import { withInstallation } from './installation.ts'
import { readSettings } from './settings.ts'

interface Options extends ExamineOptions {
  json?: boolean
}

const MARKS: Record<Finding['level'], string> = {
  ok: 'ok     ',
  note: 'note   ',
  warning: 'WARNING',
  problem: 'PROBLEM',
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'check everything that mail depends on (PUBLIC_URL, DNS, reverse DNS, SPF, port 25, domains, clock, disk, database, certificates) and give advice',
    )
    .option('--dnsbl', 'also query block lists, which discloses the source addresses to them')
    .option(
      '--probe-domain <domain>',
      'the domain whose mail server is used to test outgoing connections',
      'gmail.com',
    )
    .option('--ntp <host>', 'a time server, with :port if it is not 123', 'pool.ntp.org')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExit code 1 if there is a problem. Warnings and notes do not count.')
    .action(async (options: { dnsbl?: boolean; probeDomain: string; ntp: string; json?: boolean }) => {
      const { dnsbl, probeDomain, ntp, json } = options
      const examineOptions: Options = { asksBlockLists: dnsbl === true, probeDomain, ntpServer: ntp }
      const findings = await examineHere(json === true ? { ...examineOptions, json } : examineOptions)
      if (findings.some(({ level }) => level === 'problem')) process.exitCode = 1
    })
}

/** Runs the checks, with the database if it can be opened; the other checks do not need it. */
async function examineHere(options: Options): Promise<Finding[]> {
  try {
    return await withInstallation(({ db }) => collectFindings(db, options, []))
  } catch (error) {
    return collectFindings(null, options, [cannotOpenDatabase(error)])
  }
}

/** Collects the findings. On a terminal, each is printed when it is ready, because some take seconds. */
async function collectFindings(db: Db | null, options: Options, findings: Finding[]): Promise<Finding[]> {
  const config = readSettings()
  const { addresses, finding: aboutRules } = await findSourceAddresses(config)
  if (aboutRules !== null) findings.push(aboutRules)
  const isTerminal = options.json !== true && process.stdout.isTTY
  for (const finding of findings) if (isTerminal) process.stdout.write(describe(finding))
  for await (const finding of examine({ config, clock: systemClock, db, addresses }, options)) {
    findings.push(finding)
    if (isTerminal) process.stdout.write(describe(finding))
  }
  if (!isTerminal)
    createOutput({ json: true }).rows(
      findings.map((finding) => ({ ...finding })),
      [],
    )
  return findings
}

function describe({ check, level, found, advice }: Finding): string {
  const line = `${MARKS[level]}  ${check}: ${found}\n`
  return (advice === null ? line : `${line}         → ${advice}\n`).replace(/[^\P{Cc}\n]/gu, ' ')
}
