import type { PlanName } from '../../src/access/plans.ts'
import type { Db } from '../../src/db/db-types.ts'
import { newKeyToken } from '../../src/keys/key-token.ts'
import { createKey, type KeyInput } from '../../src/keys/keys.ts'
import { createTeam } from '../../src/teams/teams.ts'
import type { Requester } from './client.ts'
import type { TestDns } from './dns.ts'

export interface GivenTeam extends Requester {
  id: string
  keyId: string
  /** Creates another key of the same team. */
  givenKey(input?: Partial<KeyInput>): Promise<Requester & { keyId: string }>
}

/** Creates a team with a key for everything. `ask` returns a client with a token. */
export async function makeTeam(
  db: Db,
  ask: (token: string) => Requester,
  { plan = 'unlimited', name = 'Acme' }: { plan?: PlanName; name?: string } = {},
  now = new Date(),
  cell: string | null = null,
): Promise<GivenTeam> {
  const team = await db.transaction((tx) => createTeam(tx, { name, plan }, now))
  const givenKey: GivenTeam['givenKey'] = async (input = {}) => {
    const { key, token } = await db.transaction((tx) =>
      createKey(tx, team.id, { ...PLAIN_KEY, ...input }, null, now, newKeyToken(cell)),
    )
    return { ...ask(token), keyId: key.id }
  }
  return { ...(await givenKey()), id: team.id, givenKey }
}

const PLAIN_KEY: KeyInput = { name: 'test', permission: 'full', domainId: null, expiresAt: null }

/** Adds a domain, publishes its records and verifies it, as its owner would. */
export async function verifyDomain(
  team: GivenTeam,
  name: string,
  dns: TestDns,
  settings: { dkim_ed25519?: boolean } = {},
): Promise<string> {
  const added = await team.post('/domains', { name, ...settings })
  if (added.status !== 201) throw new Error(`POST /domains answered ${added.text}`)
  for (const { name: at, type, value } of added.json.records) {
    dns.set({ [at]: type === 'TXT' ? { txt: [value] } : { cname: value } })
  }
  const verified = await team.post(`/domains/${added.json.id}/verify`)
  const domain = await team.get(`/domains/${added.json.id}`)
  if (domain.json.status !== 'verified')
    throw new Error(`The domain is not verified: ${verified.text} ${domain.text}`)
  return added.json.id
}
