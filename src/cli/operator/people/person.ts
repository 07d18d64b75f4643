import { InvalidArgumentError } from 'commander'
import type { HashAddress } from '../../../lib/crypto/erased-address.ts'
import { readAddressKey } from '../../../mime/address.ts'
import { type PersonTraces, surveyPerson } from '../../../privacy/erasure/survey-person-queries.ts'
import { listTeams } from '../../../teams/teams-queries.ts'
import { type Installation, requireTeam } from '../installation/installation.ts'

const TEAMS_MAX = 500

/** Reads an address argument in its normalized form, in which addresses are compared. */
export function readPerson(text: string): string {
  const address = readAddressKey(text)
  if (address === null) throw new InvalidArgumentError('It must be an email address.')
  return address
}

/** Finds the data about the address in the given team, or in every team that has any. */
export async function findTraces(
  { db }: Installation,
  hashAddress: HashAddress,
  address: string,
  teamId: string | undefined,
): Promise<PersonTraces[]> {
  const withHash = ({ id }: { id: string }) => ({ id, hash: hashAddress(id, address) })
  if (teamId !== undefined) return surveyPerson(db, address, [withHash(await requireTeam(db, teamId))])
  const traces: PersonTraces[] = []
  let after: string | null = null
  for (;;) {
    const page: { id: string }[] = await listTeams(db, after, TEAMS_MAX)
    traces.push(...(await surveyPerson(db, address, page.map(withHash))))
    if (page.length < TEAMS_MAX) return traces
    after = page.at(-1)?.id ?? null
  }
}
