import type { Queryable } from '../../db/db-types.ts'
import type { Domain, RecordName } from '../../domains/domains-queries.ts'
import { listEveryDomain } from '../../domains/domains-queries.ts'
import { type Finding, note, ok, problem, warning } from './finding.ts'

const COUNT_MAX = 1000
const SHOW = 'See "sendwright domain records" for what to publish.'
/** A domain sends without these, but worse. */
const MATTERS: Partial<Record<RecordName, string>> = {
  return_path: 'bounces and SPF go by this server instead of the domain',
  dmarc: 'Gmail and Yahoo refuse bulk mail of domains without DMARC',
  dkim_ed25519: 'the second signature cannot be verified',
}

/** What was last seen in DNS of every team's domains. */
export async function checkDomains(db: Queryable): Promise<Finding[]> {
  const domains = await listEveryDomain(db, COUNT_MAX)
  if (domains.length === 0) {
    return [note('domains', 'There is none.', 'Add the one that you send from: "sendwright domain add".')]
  }
  return domains.map(checkDomain)
}

function checkDomain(domain: Domain): Finding {
  const check = `domain ${domain.name}`
  if (domain.captured) return note(check, 'It is verified in capture mode only.')
  if (domain.status === 'pending')
    return note(check, `It is not verified yet. ${domain.reason ?? ''}`.trim(), SHOW)
  if (domain.status !== 'verified') {
    return problem(check, `Its records were lost (${domain.status}). ${domain.reason ?? ''}`.trim(), SHOW)
  }
  const missing = Object.entries(MATTERS).filter(([name]) => {
    const outcome = domain.checks[name as RecordName]?.outcome
    return outcome === 'missing' || outcome === 'wrong'
  })
  if (missing.length === 0) return ok(check, 'Its records are in DNS.')
  const found = missing.map(([name, effect]) => `${name} is not right: ${effect}`).join('; ')
  return warning(check, `${found}.`, SHOW)
}
