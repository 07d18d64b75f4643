import { loadTags } from '../delivery/dispatch/prepare-deliveries.ts'
import { NO_SOURCE, type SourceRules } from '../delivery/rules/source-rules.ts'
import { isLocalAddress } from '../delivery/sources/local-address.ts'
import { createSourcePicker } from '../delivery/sources/pick-source.ts'
import { returnWarmup, takeWarmup } from '../delivery/sources/sources-queries.ts'
import { WarmupRoom } from '../delivery/sources/warmup-room.ts'
import { CannotStart } from '../lib/cannot-start.ts'
import type { Log } from '../lib/log.ts'
import type { Runtime } from './runtime.ts'

/** Opens the source addresses of the rules in force, and their warm-up counts. */
export function openSources({ config, pools, clock, log, signer, mx, lifecycle }: Runtime) {
  const { engine: db } = pools
  let rules: SourceRules | null = null
  let missing = new Set<string>()
  const room = new WarmupRoom({
    clock,
    log,
    take: (key, countMax, limit) => takeWarmup(db, key, countMax, limit),
    giveBack: (key, count) => returnWarmup(db, key, count),
  })
  const picker = createSourcePicker({
    clock,
    random: Math.random,
    rules: () => rules,
    fallback: { source: { name: NO_SOURCE, address: null, ehloName: config.hostname } },
    isMissing: ({ name }) => missing.has(name),
    room,
    domainOf: async (delivery) => (await signer.sender(delivery)).domainName,
    tagsOf: (delivery) => loadTags(db, delivery),
    addressesOf: (host) => mx.addressesOf(host),
  })
  lifecycle.add('sources', () => picker.close())
  return {
    ...picker,
    needsTags: () => rules?.asks.tags ?? false,
    /**
     * Returns the number of sources that this machine can use. Without source rules, the system's choice counts as
     * one.
     */
    count: () => (rules === null ? 1 : rules.sources.length - missing.size),
    /**
     * Puts rules in force at the start and after a reload. Warm-up counts continue, and new limits apply immediately.
     * Throws CannotStart and changes nothing when no address belongs to this machine, or when a source changed its
     * address.
     */
    async use(next: SourceRules | null): Promise<void> {
      // In capture mode, no mail leaves the machine.
      const nextRules = config.delivery.kind === 'capture' ? null : next
      refuseChanged(rules, nextRules)
      missing = nextRules === null ? new Set() : await findMissing(nextRules, log)
      rules = nextRules
      await room.giveBack()
    },
  }
}

/**
 * Throws when a source changed its address under the same name: open connections, limits and counts are kept by name.
 */
function refuseChanged(before: SourceRules | null, after: SourceRules | null): void {
  for (const { name, address, ehloName } of after?.sources ?? []) {
    const previous = before?.sources.find((source) => source.name === name)
    if (previous === undefined || (previous.address === address && previous.ehloName === ehloName)) continue
    throw new CannotStart(
      `The source "${name}" of SENDWRIGHT_RULES_FILE has a new address or EHLO name. Give the source another name, or restart.`,
    )
  }
}

/** Finds the sources whose address is not on this machine. Several machines may share one rules file. */
async function findMissing({ sources }: SourceRules, log: Log): Promise<Set<string>> {
  const missing = new Set<string>()
  for (const { name, address } of sources) {
    if (await isLocalAddress(address)) continue
    missing.add(name)
    log.warn(
      { source: name, address },
      'a source address does not belong to this machine and is not used here',
    )
  }
  if (missing.size < sources.length) return missing
  const [first] = sources
  throw new CannotStart(
    `None of the source addresses of SENDWRIGHT_RULES_FILE belongs to this machine (for example ${first?.address ?? ''}).`,
  )
}
