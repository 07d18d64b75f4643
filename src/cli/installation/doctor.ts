import { Command } from 'commander'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import { BadRules, readRules } from '../../delivery/sites/read-site-rules.ts'
import { listPublicAddresses } from '../../lib/net/egress-guard.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { SendingAddress } from '../../operator/doctor/check-names.ts'
import { cannotOpenDatabase, type ExamineOptions, examine } from '../../operator/doctor/examine.ts'
import { type Finding, ok, problem } from '../../operator/doctor/finding.ts'
import { createOutput } from '../output.ts'
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
      'look at everything that mail depends on (DNS, reverse DNS, port 25, clock, disk, database, certificate) and say what to do',
    )
    .option('--dnsbl', 'also ask block lists about the sending addresses, which tells them the addresses')
    .option(
      '--probe-domain <domain>',
      'whose mail server is greeted to see whether mail can leave',
      'gmail.com',
    )
    .option('--ntp <host>', 'a time server, with :port if it is not 123', 'pool.ntp.org')
    .option('--json', 'answer in JSON')
    .addHelpText('after', '\nExit code 1: there is a problem. Warnings and notes do not count.')
    .action(async (options: { dnsbl?: boolean; probeDomain: string; ntp: string; json?: boolean }) => {
      const { dnsbl, probeDomain, ntp, json } = options
      const given: Options = { asksBlockLists: dnsbl === true, probeDomain, ntpServer: ntp }
      const findings = await examineHere(json === true ? { ...given, json } : given)
      if (findings.some(({ level }) => level === 'problem')) process.exitCode = 1
    })
}

/** With the database where there is one; the rest is worth looking at without. */
async function examineHere(options: Options): Promise<Finding[]> {
  try {
    return await withInstallation(({ db }) => collect(db, options, []))
  } catch (error) {
    return collect(null, options, [cannotOpenDatabase(error)])
  }
}

/** People see each finding as it is made: some take seconds. */
async function collect(db: Db | null, options: Options, findings: Finding[]): Promise<Finding[]> {
  const config = readSettings()
  const { addresses, finding: aboutRules } = await findAddresses(config)
  if (aboutRules !== null) findings.push(aboutRules)
  const forPeople = options.json !== true && process.stdout.isTTY
  for (const finding of findings) if (forPeople) process.stdout.write(describe(finding))
  for await (const finding of examine({ config, clock: systemClock, db, addresses }, options)) {
    findings.push(finding)
    if (forPeople) process.stdout.write(describe(finding))
  }
  if (!forPeople)
    createOutput({ json: true }).rows(
      findings.map((finding) => ({ ...finding })),
      [],
    )
  return findings
}

/** Those of the rules file; without sources there, whatever public addresses this machine has. */
async function findAddresses(
  config: Config,
): Promise<{ addresses: readonly SendingAddress[]; finding: Finding | null }> {
  const own = listPublicAddresses().map((address) => ({ address, ehloName: config.hostname }))
  if (config.rulesFile === null) return { addresses: own, finding: null }
  try {
    const { sources } = await readRules(config.rulesFile)
    const finding = ok('delivery rules', `${config.rulesFile} can be used.`)
    return { addresses: sources === null ? own : sources.sources, finding }
  } catch (error) {
    if (!(error instanceof BadRules)) throw error
    const advice = 'Mend it: the server does not start with it, and does not take it on SIGHUP.'
    return { addresses: own, finding: problem('delivery rules', error.message, advice) }
  }
}

function describe({ check, level, found, advice }: Finding): string {
  const line = `${MARKS[level]}  ${check}: ${found}\n`
  return (advice === null ? line : `${line}         → ${advice}\n`).replace(/[^\P{Cc}\n]/gu, ' ')
}
