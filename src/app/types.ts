export const PROCESS_ROLES = ['api', 'deliver', 'inbound', 'webhooks', 'scheduler'] as const

/** A part of the service that one process may run. */
export type ProcessRole = (typeof PROCESS_ROLES)[number]

/** The addresses on which this process, or its workers together, listen. */
export interface Ports {
  /** The URL of the HTTP API; null without the role `api`. */
  url: string | null
  /** The port of the HTTP API with TLS; null without one. */
  httpsPort: number | null
  /** The port for bounces and complaints; null without the role `inbound`. */
  inboundPort: number | null
  /** The submission ports: with STARTTLS, and with TLS from the first byte; null without the role `inbound`. */
  submissionPort: number | null
  submissionsPort: number | null
}
