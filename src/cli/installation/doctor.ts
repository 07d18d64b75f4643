import { Command } from 'commander'
import { createOutput } from '../../../packages/cli/src/output.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import { BadRules, readRules } from '../../delivery/sites/read-site-rules.ts'
import { listPublicAddresses } from '../../lib/net/egress-guard.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { SendingAddress } from '../../operator/doctor/check-names.ts'
import { cannotOpenDatabase, type ExamineOptions, examine } from '../../operator/doctor/examine.ts'
import { type Finding, ok, problem } from '../../operator/doctor/finding.ts'
import { readSettings, withInstallation } from './installation.ts'

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
      const given: Options = { asksBlockLists: dnsbl === true, probeDomain, ntpServer: ntp }
      const findings = await examineHere(json === true ? { ...given, json } : given)
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
  const { addresses, finding: aboutRules } = await findAddresses(config)
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

/** Returns the source addresses of the rules file or, if it defines none, the public addresses of this machine. */
async function findAddresses(
  config: Config,
): Promise<{ addresses: readonly SendingAddress[]; finding: Finding | null }> {
  const own = listPublicAddresses().map((address) => ({ address, ehloName: config.hostname }))
  if (config.rulesFile === null) return { addresses: own, finding: null }
  try {
    const { sources } = await readRules(config.rulesFile)
    const finding = ok('delivery rules', `${config.rulesFile} is valid.`)
    return { addresses: sources === null ? own : sources.sources, finding }
  } catch (error) {
    if (!(error instanceof BadRules)) throw error
    const advice = 'Correct it. The server does not start with this file, and ignores it on SIGHUP.'
    return { addresses: own, finding: problem('delivery rules', error.message, advice) }
  }
}

function describe({ check, level, found, advice }: Finding): string {
  const line = `${MARKS[level]}  ${check}: ${found}\n`
  return (advice === null ? line : `${line}         → ${advice}\n`).replace(/[^\P{Cc}\n]/gu, ' ')
}
