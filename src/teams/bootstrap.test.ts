import { expect, onTestFinished, test } from 'vitest'
import { startDomainWorld } from '../../test/support/domains.ts'
import { findDomainByName } from '../domains/domains-queries.ts'
import { bootstrap } from './bootstrap.ts'
import { findFirstTeam } from './teams-queries.ts'

const CONFIG = { bootstrapKey: null, bootstrapDomain: 'shop.example', cell: null }

test('nothing is created when the domain cannot be; a later start creates team, key and domain, once', async () => {
  const { deps, stop } = await startDomainWorld()
  onTestFinished(stop)
  await expect(bootstrap(deps, { ...CONFIG, bootstrapDomain: 'co.uk' })).rejects.toThrow()
  expect(await findFirstTeam(deps.db)).toBeNull()
  const starts = await Promise.all([bootstrap(deps, CONFIG), bootstrap(deps, CONFIG)])
  const first = starts.find((start) => start !== null)
  expect(starts).toContain(null)
  expect(first).toMatchObject({ token: expect.stringMatching(/^sw_/), domain: 'shop.example' })
  expect(await findDomainByName(deps.db, first?.teamId ?? '', 'shop.example')).not.toBeNull()
})
