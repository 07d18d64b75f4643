import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FAR, installNetworks, makeNetwork, NEAR } from './support/network.ts'

const absent = await installNetworks()
if (absent !== null) process.stderr.write(`${absent}\n`)

/** At least one address of every range that customers must not reach, and this machine's own. */
const FORBIDDEN = [
  ...['0.0.0.0', '0.1.2.3', '10.1.2.3', '100.64.0.1', '100.127.255.254', '127.0.0.1', '127.8.8.8'],
  ...['169.254.169.254', '172.16.0.1', '172.31.255.254', '192.0.0.1', '192.0.2.1', '192.88.99.1'],
  ...[
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ],
  ...['::', '::1', '::7f00:1', '::ffff:7f00:1', '::ffff:a01:203', '64:ff9b::7f00:1', '64:ff9b:1::a01:203'],
  ...['100::1', '2001::1', '2001:2::1', '2001:db8::1', '2002:7f00:1::1', '3fff::1', '4000::1'],
  ...['fc00::1', 'fd12:3456::1', 'fe80::1', 'fec0::1', 'ff02::1'],
  NEAR.v4,
  NEAR.v6,
]
/** Forbidden addresses in other spellings, and behind names that only this machine resolves. */
const HOSTS = {
  'intranet.example.com': '10.1.2.3',
  'metadata.example.com': '169.254.169.254',
  'own.example.com': NEAR.v4,
}
const URL_HOSTS = [
  '127.1',
  '0x7f.1',
  '2130706433',
  '017700000001',
  '[::ffff:127.0.0.1]',
  'localhost',
  ...Object.keys(HOSTS),
]

interface Told {
  control: number
  mail: Record<string, string>
  mixed: string[]
  flipping: string[]
  files: Record<string, string>
  fetched: number
  counts: { open: number; forbidden: number }
}

test.skipIf(absent !== null)(
  'no SYN to any forbidden address by the count of the kernel; mail and files from allowed ones',
  {
    timeout: 300_000,
  },
  async () => {
    const network = makeNetwork(HOSTS)
    onTestFinished(() => network.close())
    const open = [FAR.v4, FAR.v6]
    const far = network.runScript('far', join(import.meta.dirname, 'support', 'far-program.ts'), open)
    await far.waitForLine('listening', 30_000)
    onTestFinished(async () => {
      far.signal('SIGTERM')
      await far.ended
    })
    const lists = [open, FORBIDDEN, URL_HOSTS].map((list) => JSON.stringify(list))
    const program = network.runScript(
      'near',
      join(import.meta.dirname, 'support', 'guarded-program.ts'),
      lists,
    )
    const told = JSON.parse(await program.waitForLine('{"control"', 280_000)) as Told

    // The counter sees a program without a guard, on the wire and on loopback.
    expect(told.control).toBeGreaterThanOrEqual(3)
    expect(told.counts.forbidden).toBe(0)
    expect(told.counts.open).toBeGreaterThan(0)
    for (const address of FORBIDDEN) expect(told.mail[address], address).toBe('failed address_refused')
    for (const host of Object.keys(HOSTS))
      expect(told.mail[`MX ${host}`], host).toMatch(/^(bounced|failed|delivery_delayed) /)
    for (const [host, said] of Object.entries(told.files)) {
      expect(said, host).toMatch(
        /^422 .*(no server at a public address returned it in time|must be an http or https URL)/,
      )
    }
    expect(new Set(told.mixed)).toEqual(new Set(['delivered accepted']))
    expect(told.fetched).toBe(202)
    console.log(
      `${FORBIDDEN.length} addresses and ${URL_HOSTS.length} spellings as MX and as URL: ` +
        `${told.counts.forbidden} SYN (${told.control} of the control), ${told.counts.open} to open addresses; ` +
        `answers that change: ${told.flipping.join(', ')}`,
    )
  },
)
