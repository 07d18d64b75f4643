import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../../../test/support/sendwright.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'

let world: TestSendwright
let sender: Sender

beforeAll(async () => {
  world = await startTestSendwright({
    mx: { script: [{ expect: /^RCPT TO:<dead[^@]*@/i, answer: '550 5.1.1 No such user' }] },
  })
  world.dns.set({
    'mail.test': { mx: [[10, 'mx.receiver.test']] },
    'implicit.test': { a: ['192.0.2.1'] },
    'null.test': { mx: [[0, '']] },
    'empty.test': { txt: ['nothing to see'] },
    'broken.test': { fail: 'servfail' },
    'silent.test': { fail: 'timeout' },
    'gmail.com': { mx: [[10, 'mx.receiver.test']] },
    'gmial.com': { mx: [[10, 'mx.receiver.test']] },
    'mailinator.com': { mx: [[10, 'mx.receiver.test']] },
    'xn--bcher-kva.test': { mx: [[10, 'mx.receiver.test']] },
  })
  sender = await world.givenSender()
})

afterAll(() => world.stop())

/** Validates an address. A team may validate 60 addresses a minute, so most tests use a new team. */
async function validate(email: unknown, team?: GivenTeam) {
  const asking = team ?? (await world.givenTeam())
  const reply = await asking.post('/emails/validate', { email })
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  return reply.json
}

const NO_ADDRESS = {
  is_valid: false,
  evaluations: {
    has_valid_syntax: false,
    has_valid_dns: false,
    mailbox_exists: null,
    is_role_address: false,
    is_disposable: false,
    is_random_input: false,
  },
  should_block: true,
  block_reason: 'invalid_syntax',
  verdict: 'undeliverable',
  did_you_mean: null,
  has_known_bounce: false,
  is_free_provider: false,
}

test('200 with every field, without a connection to the mail server', async () => {
  const connections = world.mx.connectionCount
  expect(await validate('ann.lee@mail.test')).toEqual({
    email: 'ann.lee@mail.test',
    is_valid: true,
    evaluations: {
      has_valid_syntax: true,
      has_valid_dns: true,
      mailbox_exists: null,
      is_role_address: false,
      is_disposable: false,
      is_random_input: false,
    },
    should_block: false,
    block_reason: null,
    validated_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    verdict: 'deliverable',
    did_you_mean: null,
    has_known_bounce: false,
    is_free_provider: false,
  })
  expect(world.mx.connectionCount).toBe(connections)
})

describe('200 for text that is not an address', () => {
  test.each([
    ['an empty string', ''],
    ['a word', 'ann'],
    ['a display name', 'Ann <ann@mail.test>'],
    ['a no-break space at the end', 'ann@mail.test\u00a0'],
    ['a tab at the end', 'ann@mail.test\t'],
    ['a single label', 'ann@localhost'],
    ['an address literal', 'ann@[127.0.0.1]'],
    ['a line break', 'ann@mail.test\r\nRCPT TO:<eve@mail.test>'],
    ['U+0000', 'ann\u0000@mail.test'],
    ['half a surrogate pair', 'ann\ud800@mail.test'],
    ['a local part of 65 octets', `${'a'.repeat(65)}@mail.test`],
    ['100 KB', `${'a'.repeat(100_000)}@mail.test`],
    ['50,000 parentheses', `${'('.repeat(50_000)}@mail.test`],
    ['100,000 hyphens in the domain', `a@${'-'.repeat(100_000)}.test`],
    ['half a million dots', '.'.repeat(500_000)],
  ])('%s', async (_, email) => {
    const team = await world.givenTeam()
    const answer = await validate(email, team)
    expect(answer).toEqual({ email, ...NO_ADDRESS, validated_at: expect.any(String) })
  })
})

describe('422', () => {
  test.each([
    ['missing', {}, 'The email field is required.'],
    ['null', { email: null }, 'The email field is required.'],
    ['a number', { email: 7 }, 'The email field must be a string.'],
    ['an array', { email: ['ann@mail.test'] }, 'The email field must be a string.'],
    [
      'in the prototype alone',
      JSON.parse('{"constructor": {"email": "ann@mail.test"}}'),
      'The email field is required.',
    ],
    ['an object', { email: { toString: 'ann@mail.test' } }, 'The email field must be a string.'],
  ])('email is %s', async (_, body, message) => {
    const reply = await sender.post('/emails/validate', body)
    expect([reply.status, reply.json]).toEqual([
      422,
      { statusCode: 422, name: 'validation_error', message, errors: { email: [message] } },
    ])
  })
})

describe('DNS', () => {
  test.each([
    ['mail.test', true, 'deliverable'],
    ['implicit.test', true, 'deliverable'],
    ['null.test', false, 'undeliverable'],
    ['empty.test', false, 'undeliverable'],
    ['missing.test', false, 'undeliverable'],
    ['broken.test', null, 'unknown'],
    ['bücher.test', true, 'deliverable'],
  ])('%s: %s, %s', async (domain, hasValidDns, verdict) => {
    const answer = await validate(`ann@${domain}`)
    expect(answer).toMatchObject({
      evaluations: { has_valid_syntax: true, has_valid_dns: hasValidDns },
      verdict,
      is_valid: hasValidDns !== false,
      should_block: hasValidDns === false,
      block_reason: hasValidDns === false ? 'invalid' : null,
    })
  })

  test('unknown without an answer from DNS', async () => {
    const answer = await validate('ann@silent.test')
    expect(answer).toMatchObject({
      evaluations: { has_valid_dns: null },
      verdict: 'unknown',
      should_block: false,
    })
  })

  test('one lookup for many simultaneous requests and none after that, even for a domain that does not exist', async () => {
    world.dns.set({ 'popular.test': { mx: [[10, 'mx.receiver.test']] } })
    const team = await world.givenTeam()
    const domains = Array.from({ length: 10 }, () => ['popular.test', 'unpopular.test']).flat()
    await Promise.all(domains.map((domain, index) => validate(`ann${index}@${domain}`, team)))
    await validate('bob@POPULAR.test', team)
    await validate('bob@unpopular.test', team)
    expect(world.dns.count('popular.test', 'MX')).toBe(1)
    expect(world.dns.count('unpopular.test', 'MX')).toBe(1)
  })
})

describe('properties of the address', () => {
  test('a role address is risky, and not blocked', async () => {
    expect(await validate('Support+7@mail.test')).toMatchObject({
      evaluations: { is_role_address: true },
      verdict: 'risky',
      should_block: false,
    })
  })

  test('a disposable address is risky and blocked', async () => {
    expect(await validate('ann@mailinator.com')).toMatchObject({
      is_valid: true,
      evaluations: { is_disposable: true },
      verdict: 'risky',
      should_block: true,
      block_reason: 'disposable_email',
    })
  })

  test('a random address is risky, and not blocked', async () => {
    expect(await validate('xkjhfqwz@mail.test')).toMatchObject({
      evaluations: { is_random_input: true },
      verdict: 'risky',
      should_block: false,
    })
  })

  test('a probable typo returns the address that was meant, even if the mistyped domain has an MX', async () => {
    expect(await validate('Ann.Lee+x@GMIAL.com')).toMatchObject({
      email: 'Ann.Lee+x@GMIAL.com',
      evaluations: { has_valid_dns: true },
      did_you_mean: 'Ann.Lee+x@gmail.com',
      verdict: 'risky',
    })
  })

  test('a free provider is deliverable', async () => {
    expect(await validate('ann@gmail.com')).toMatchObject({ is_free_provider: true, verdict: 'deliverable' })
  })

  test.each(['delivered', 'bounced+label', 'anything'])(
    '%s@simulator.test receives mail, without DNS',
    async (name) => {
      expect(await validate(`${name}@simulator.test`)).toMatchObject({
        evaluations: { has_valid_dns: true, mailbox_exists: null },
        verdict: 'deliverable',
      })
      expect(world.dns.count('simulator.test')).toBe(0)
    },
  )
})

describe('known bounces', () => {
  test("undeliverable for the team's own bounce, until a delivery; other teams learn nothing", async () => {
    const domain = world.givenDestination()
    const other = await world.givenTeam()
    await sender.settled(await sender.send({ to: `Dead.One@${domain}` }))
    const bounced = {
      has_known_bounce: true,
      verdict: 'undeliverable',
      block_reason: 'invalid',
      is_valid: false,
    }
    expect(await validate(`dead.one@${domain}`, sender)).toMatchObject(bounced)
    expect(await validate(`dead.one@${domain}`, other)).toMatchObject({
      has_known_bounce: false,
      is_valid: true,
    })
    expect(await validate(`dead.two@${domain}`, sender)).toMatchObject({ has_known_bounce: false })

    await sender.delete(`/suppressions/dead.one@${domain}`)
    expect(await validate(`dead.one@${domain}`, sender)).toMatchObject(bounced)
    world.mx.script({ expect: `RCPT TO:<dead.one@${domain}`, answer: '250 2.1.5 Ok' })
    await sender.settled(await sender.send({ to: `dead.one@${domain}` }))
    expect(await validate(`dead.one@${domain}`, sender)).toMatchObject({ has_known_bounce: false })
  })

  test("deliverable after a rejection that is not the recipient's fault, and for an address that was suppressed manually", async () => {
    const domain = world.givenDestination()
    world.mx.script({
      expect: `RCPT TO:<policy@${domain}`,
      answer: '550 5.7.1 Blocked using zen.spamhaus.org',
    })
    const email = await sender.settled(await sender.send({ to: `policy@${domain}` }))
    expect(email.status).toBe('bounced')
    expect((await sender.post('/suppressions', { email: `manual@${domain}` })).status).toBe(201)
    expect(await validate(`policy@${domain}`, sender)).toMatchObject({ has_known_bounce: false })
    expect(await validate(`manual@${domain}`, sender)).toMatchObject({ has_known_bounce: false })
  })
})

test('429 after 60 a minute on every plan, counted separately; sending keys are allowed', async () => {
  const team = await world.givenTeam({ plan: 'free' })
  const key = await team.givenKey({ permission: 'send' })
  const replies = await Promise.all(
    Array.from({ length: 70 }, () => key.post('/emails/validate', { email: '@' })),
  )
  expect(replies.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(60)
  const refused = replies.find(({ status }) => status === 429)
  expect(refused?.json).toMatchObject({ name: 'rate_limit_exceeded' })
  expect(refused?.headers.get('ratelimit-limit')).toBe('60')
  expect((await team.get('/domains')).status).toBe(200)
})

describe('with SENDWRIGHT_VALIDATE_SMTP', () => {
  test('the mail server is queried: an unknown mailbox is blocked, a catch-all domain is risky', async () => {
    await world.restart({ SENDWRIGHT_VALIDATE_SMTP: 'true' })
    const domain = world.givenDestination()
    expect(await validate(`dead@${domain}`)).toMatchObject({
      evaluations: { mailbox_exists: false },
      verdict: 'undeliverable',
      block_reason: 'invalid',
    })
    expect(await validate(`ann@${domain}`)).toMatchObject({
      evaluations: { mailbox_exists: null },
      verdict: 'risky',
      should_block: false,
    })
    world.mx.script({ expect: /^RCPT TO:<[0-9a-f]{24}@/, answer: '550 5.1.1 No such user' })
    expect(await validate(`ann@${domain}`)).toMatchObject({
      evaluations: { mailbox_exists: true },
      verdict: 'deliverable',
    })
    world.mx.script({ expect: `RCPT TO:<bob@${domain}`, answer: '451 4.7.1 Greylisted' })
    expect(await validate(`bob@${domain}`)).toMatchObject({
      evaluations: { mailbox_exists: null },
      verdict: 'unknown',
    })
    expect(world.mx.commands.filter(({ line }) => line.includes('mailinator'))).toEqual([])
  })

  test('the simulator answers as its addresses are named', async () => {
    const team = await world.givenTeam()
    const answers = await Promise.all(
      ['delivered', 'bounced', 'deferred'].map((name) => validate(`${name}@simulator.test`, team)),
    )
    expect(answers.map(({ evaluations, verdict }) => [evaluations.mailbox_exists, verdict])).toEqual([
      [true, 'deliverable'],
      [false, 'undeliverable'],
      [null, 'unknown'],
    ])
  })

  test('no mail server is queried in capture mode', async () => {
    await world.restart({ SENDWRIGHT_VALIDATE_SMTP: 'true', SENDWRIGHT_DELIVERY: 'capture' })
    const connections = world.mx.connectionCount
    const domain = world.givenDestination()
    expect(await validate(`dead@${domain}`)).toMatchObject({
      evaluations: { has_valid_dns: true, mailbox_exists: null },
      verdict: 'deliverable',
    })
    expect(world.mx.connectionCount).toBe(connections)
  })
})
