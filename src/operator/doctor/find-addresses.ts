import type { Config } from '../../config/config.ts'
import { BadRules, readRules } from '../../delivery/rules/read-site-rules.ts'
import { listPublicAddresses } from '../../lib/net/egress-guard.ts'
import type { SendingAddress } from './check-names.ts'
import { type Finding, ok, problem } from './finding.ts'

/** Returns the source addresses of the rules file or, if it defines none, the public addresses of this machine. */
export async function findSourceAddresses(
  config: Pick<Config, 'hostname' | 'rulesFile'>,
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
