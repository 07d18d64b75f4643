import type { Session } from '../api/session.ts'

/** The sender of an example. */
export const senderAt = (domain: string): string => `hello@${domain}`

/** The recipient of an example. Outside of capture mode, an example must not reach a stranger. */
export const exampleRecipient = ({ delivery }: Session['installation']): string =>
  delivery === 'capture' ? 'ann@example.com' : 'delivered@simulator.test'
