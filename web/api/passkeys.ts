import type { PasskeyOptions } from './account-records.ts'

/** Whether this browser knows passkeys at all. */
export const knowsPasskeys = (): boolean => 'PublicKeyCredential' in window

/** The person turned the browser's question down, or let it wait; nothing went wrong. */
export class PasskeyDismissed extends Error {
  constructor() {
    super('No passkey was chosen.')
    this.name = 'PasskeyDismissed'
  }
}

/** Asks the browser for a new passkey; what is to be sent to the API. Throws PasskeyDismissed, Error. */
export async function createPasskey({ options }: PasskeyOptions): Promise<unknown> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return answered(startRegistration({ optionsJSON: options as never }))
}

/** Asks the browser for a passkey that there is; what is to be sent to the API. Throws PasskeyDismissed, Error. */
export async function passkeyToJson({ options }: PasskeyOptions): Promise<unknown> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  return answered(startAuthentication({ optionsJSON: options as never }))
}

async function answered(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyDismissed()
    if (name === 'InvalidStateError') throw new Error('This device has a passkey of yours already.')
    throw error
  }
}
