import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DomainWorld, startDomainWorld } from '../../test/support/domains.ts'
import { arrays } from '../db/arrays.ts'
import { addDomain } from '../domains/domains.ts'
import { listServedHosts } from './served-hosts.ts'

let world: DomainWorld
beforeAll(async () => {
  world = await startDomainWorld()
})
afterAll(() => world.stop())

const config = { publicUrl: 'https://api.sender.test', hostname: 'mx.sender.test' }

/** Gives a team domains whose record for tracked links was verified. */
async function givenTracked(teamId: string, names: readonly string[]): Promise<void> {
  const { db } = world.deps
  const { id } = await addDomain(world.deps, teamId, { name: `first-${names[0]}` })
  // Copies, because the keys of each new domain take long to create.
  await db.query(
    `with copy as (
       insert into domain
       select (jsonb_populate_record(d, jsonb_build_object(
         'id', uuidv7(), 'name', given.host, 'checks', '{ "tracking": { "outcome": "right" } }'::jsonb))).*
       from domain d, unnest($3::text[]) given (host)
       where d.team_id = $1 and d.id = $2
       returning name, team_id, id)
     insert into verified_domain (name, team_id, domain_id) select name, team_id, id from copy`,
    [teamId, id, arrays.text([...names])],
  )
}

test('a hundred hosts of tracked links for each team, whatever other teams have', async () => {
  const many = Array.from({ length: 103 }, (_, index) => `many${String(index).padStart(3, '0')}.test`)
  await givenTracked(world.ann, many)
  await givenTracked(world.bob, ['one.test'])
  const hosts = await listServedHosts(world.deps.db, config)
  expect(hosts).toEqual(expect.arrayContaining(['api.sender.test', 'mx.sender.test', 'links.one.test']))
  expect(hosts.filter((host) => host.startsWith('links.many'))).toHaveLength(100)
})
