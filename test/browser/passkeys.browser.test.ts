import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { givenDashboard } from './support/dashboard.ts'

/** Chromium's own authenticator and its own parsing of the options, independent of the product. */
const dashboard = givenDashboard()

async function givenAuthenticator(page: Page): Promise<{ client: CDPSession; id: string }> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { client, id: authenticatorId }
}

/** Sends a request from the page, with its cookies. */
function ask(page: Page, method: string, path: string, json?: object) {
  return page.evaluate(
    async ([verb, url, body]) => {
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(url, { method: verb, headers, ...(body === null ? {} : { body }) })
      const text = await reply.text()
      return { status: reply.status, json: text === '' ? null : JSON.parse(text) }
    },
    [method, path, json === undefined ? null : JSON.stringify(json)] as const,
  )
}

const create = (page: Page, options: PublicKeyCredentialCreationOptionsJSON) =>
  page.evaluate(async (given) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(given)
    return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON()
  }, options)

const get = (page: Page, options: PublicKeyCredentialRequestOptionsJSON) =>
  page.evaluate(async (given) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(given)
    return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON()
  }, options)

test('201 for a passkey that Chromium creates, and for a login with it alone; 401 for a repeated response', async () => {
  const page = await dashboard.open('/emails')
  await givenAuthenticator(page)
  const { options } = (await ask(page, 'POST', '/account/passkeys/options', {})).json
  const made = await ask(page, 'POST', '/account/passkeys', {
    name: 'Chromium',
    response: await create(page, options),
  })
  expect([made.status, made.json.name]).toEqual([201, 'Chromium'])
  const again = (await ask(page, 'POST', '/account/passkeys/options', {})).json
  await expect(create(page, again.options)).rejects.toThrow(/InvalidState/)

  await ask(page, 'DELETE', '/session')
  const alone = (await ask(page, 'POST', '/session/passkey/options', {})).json
  const response = await get(page, alone.options)
  const answer = { challenge_id: alone.challenge_id, response }
  const session = await ask(page, 'POST', '/session/passkey', answer)
  expect([session.status, session.json.user.passkey_count]).toEqual([201, 1])
  await ask(page, 'DELETE', '/session')
  dashboard.allow(/401/)
  expect((await ask(page, 'POST', '/session/passkey', answer)).json.name).toBe('invalid_code')
  expect((await ask(page, 'GET', '/session')).status).toBe(401)
})
