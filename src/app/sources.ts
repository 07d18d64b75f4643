import { loadTags } from '../delivery/dispatch/prepare-deliveries.ts'
import { isLocalAddress } from '../delivery/sources/local-address.ts'
import { createSourcePicker } from '../delivery/sources/pick-source.ts'
import { NO_SOURCE, type SourceRules } from '../delivery/sources/source-rules.ts'
import { giveBackWarmup, takeWarmup } from '../delivery/sources/sources-queries.ts'
import { WarmupRoom } from '../delivery/sources/warmup-room.ts'
import { CannotStart } from '../lib/cannot-start.ts'
import type { Log } from '../lib/log.ts'
import type { Runtime } from './runtime.ts'

/** Source addresses by the rules in force, and the counts of their warm-up. */
export function openSources({ config, pools, clock, log, signer, mx, lifecycle }: Runtime) {
  const { engine: db } = pools
  let rules: SourceRules | null = null
  let missing = new Set<string>()
  const room = new WarmupRoom({
    clock,
    log,
    take: (key, countMax, limit) => takeWarmup(db, key, countMax, limit),
    giveBack: (key, count) => giveBackWarmup(db, key, count),
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
    asksTags: () => rules?.asks.tags ?? false,
    /** Of how many this machine's mail may go out; the system's choice is one. */
    count: () => (rules === null ? 1 : rules.sources.length - missing.size),
    /**
     * Puts rules in force, at start and when they were read again; counts go on, limits are the new ones at once.
     * Throws CannotStart, and leaves all as it was, when no address is this machine's or one changed under its name.
     */
    async use(next: SourceRules | null): Promise<void> {
      // What capture mode keeps never leaves the machine.
      const wanted = config.delivery.kind === 'capture' ? null : next
      refuseChanged(rules, wanted)
      missing = wanted === null ? new Set() : await findMissing(wanted, log)
      rules = wanted
      await room.giveBack()
    },
  }
}

/** Open connections, limits and counts go by name: they would be another address's. */
function refuseChanged(before: SourceRules | null, after: SourceRules | null): void {
  for (const { name, address, ehloName } of after?.sources ?? []) {
    const known = before?.sources.find((source) => source.name === name)
    if (known === undefined || (known.address === address && known.ehloName === ehloName)) continue
    throw new CannotStart(
      `The source "${name}" of SENDWRIGHT_RULES_FILE has another address or EHLO name than before: give it another name, or restart.`,
    )
  }
}

/** Of several machines with one rules file each has its own addresses: the others' are known, and not used here. */
async function findMissing({ sources }: SourceRules, log: Log): Promise<Set<string>> {
  const missing = new Set<string>()
  for (const { name, address } of sources) {
    if (await isLocalAddress(address)) continue
    missing.add(name)
    log.warn({ source: name, address }, 'a source address is not one of this machine: it is not used here')
  }
  if (missing.size < sources.length) return missing
  const [first] = sources
  throw new CannotStart(
    `None of the source addresses of SENDWRIGHT_RULES_FILE is one of this machine (${first?.address ?? ''}, for one).`,
  )
}
