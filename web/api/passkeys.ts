import type { PasskeyOptions } from './account-records.ts'

/** Returns whether this browser supports passkeys. */
export const knowsPasskeys = (): boolean => 'PublicKeyCredential' in window

/** Thrown when the user cancels the browser's passkey dialog or lets it time out. It is not a failure. */
export class PasskeyDismissed extends Error {
  constructor() {
    super('No passkey was chosen.')
    this.name = 'PasskeyDismissed'
  }
}

/**
 * Asks the browser to create a passkey. Returns the body for the API. Throws PasskeyDismissed, or Error when the device
 * already has one.
 */
export async function createPasskey({ options }: PasskeyOptions): Promise<unknown> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return mapErrors(startRegistration({ optionsJSON: options as never }))
}

/** Asks the browser for an existing passkey. Returns the body for the API. Throws PasskeyDismissed or Error. */
export async function requestPasskey({ options }: PasskeyOptions): Promise<unknown> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  return mapErrors(startAuthentication({ optionsJSON: options as never }))
}

async function mapErrors(ceremony: Promise<unknown>): Promise<unknown> {
  try {
    return await ceremony
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyDismissed()
    if (name === 'InvalidStateError') throw new Error('This device already has a passkey for your account.')
    throw error
  }
}
