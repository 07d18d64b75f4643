import type { Queryable } from '../../db/db-types.ts'
import type { Domain, RecordName } from '../../domains/domains-queries.ts'
import { listEveryDomain } from '../../domains/domains-queries.ts'
import { type Finding, note, ok, problem, warning } from './finding.ts'

const COUNT_MAX = 1000
const SHOW = 'Run "sendwright domain records" for the records to publish.'
/** The effect of each optional record when it is missing or wrong. */
const EFFECTS: Partial<Record<RecordName, string>> = {
  return_path: 'bounces and SPF use the name of this server instead of the domain',
  dmarc: 'Gmail and Yahoo reject bulk mail from domains without DMARC',
  dkim_ed25519: 'the second signature cannot be verified',
}

/** Reports the result of the last DNS check of every team's domains. */
export async function checkDomains(db: Queryable): Promise<Finding[]> {
  const domains = await listEveryDomain(db, COUNT_MAX)
  if (domains.length === 0) {
    return [
      note('domains', 'No domain exists.', 'Add the one that you send from with "sendwright domain add".'),
    ]
  }
  return domains.map(checkDomain)
}

function checkDomain(domain: Domain): Finding {
  const check = `domain ${domain.name}`
  if (domain.captured) return note(check, 'It is verified in capture mode only.')
  if (domain.status === 'pending')
    return note(check, `It is not verified yet. ${domain.reason ?? ''}`.trim(), SHOW)
  if (domain.status !== 'verified') {
    return problem(
      check,
      `Its records are no longer in DNS (${domain.status}). ${domain.reason ?? ''}`.trim(),
      SHOW,
    )
  }
  const missing = Object.entries(EFFECTS).filter(([name]) => {
    const outcome = domain.checks[name as RecordName]?.outcome
    return outcome === 'missing' || outcome === 'wrong'
  })
  if (missing.length === 0) return ok(check, 'Its records are in DNS.')
  const found = missing.map(([name, effect]) => `${name} is missing or wrong: ${effect}`).join('; ')
  return warning(check, `${found}.`, SHOW)
}
