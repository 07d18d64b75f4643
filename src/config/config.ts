import { readFileSync } from 'node:fs'
import type { Network } from './networks.ts'
import { SETTINGS, type Setting } from './settings.ts'
import { BadSetting } from './values.ts'

/** Everything that can be set from outside, parsed once, frozen. */
export interface Config {
  port: number
  host: string
  /** Without a slash at the end; links in answers are built from it, never from the Host header. */
  publicUrl: string
  /** Peers whose X-Forwarded-For the server trusts. */
  trustedProxies: readonly Network[]
  /** Null: the embedded PostgreSQL in the data directory. */
  databaseUrl: string | null
  dataDir: string
  /** Null: made and kept in the data directory. */
  secretKey: string | null
  delivery: DeliveryMode
  /** EHLO name, return-path host of last resort. */
  hostname: string
  /** `address[:port]`; empty: the system's. */
  dnsServers: readonly string[]
  mxPort: number
  mtaStsPort: number
  allowPrivateNetworks: boolean
  attachmentPorts: readonly number[] | 'any'
  /** Whether POST /emails/validate may ask the mailbox's server; never in capture mode. */
  validateSmtp: boolean
  /** Milliseconds before try 2, 3, ...; the last repeats until the lifetime is over. */
  retryScheduleMs: readonly number[]
  /** Milliseconds before try 2, 3, ... of a webhook; after the last it is given up. */
  webhookRetryScheduleMs: readonly number[]
  messageLifetimeMs: number
  bootstrapKey: string | null
  bootstrapDomain: string | null
  /** Null: /metrics is on the main port, and there only for whoever has the token; without a token nowhere. */
  metricsPort: number | null
  metricsToken: string | null
  /** Milliseconds; older: GET /readyz fails. Null: it never does for that. */
  readyAgeMaxMs: number | null
  /** Opens what concerns the whole installation (GET /sites); null: nobody asks over HTTP. */
  operatorToken: string | null
  /** Where the SMTP listeners listen. */
  smtpHost: string
  /** Bounces, complaints. Null: not here. */
  inboundPort: ListenPort | null
  /** Submission with STARTTLS (RFC 6409). */
  submissionPort: ListenPort | null
  /** Submission with TLS from the first byte (RFC 8314). */
  submissionsPort: ListenPort | null
  /** PEM files of the certificate chain and its key; both or none. Null: self-signed, kept in the data directory. */
  tlsCertFile: string | null
  tlsKeyFile: string | null
  /** JSON: shaping, sources, relays (docs/deliverability.md). Null: the built-in rules alone. */
  rulesFile: string | null
  /** A resolver that validates DNSSEC, `address[:port]`; null: no DANE. */
  dnssecResolver: string | null
  /** The address that TLS reports (RFC 8460) are sent from; null: none are sent. */
  tlsReportFrom: string | null
  /** The sender of mail about people's accounts; null: of the first team's oldest verified domain. */
  accountFrom: string | null
  /** Where mailbox providers send complaints (feedback loops). */
  feedbackAddress: string
  /** From which shares on, as parts of 1, a team's sending pauses by itself; null: never for that. */
  guardBounceRate: number | null
  guardComplaintRate: number | null
  guardRecipientsMin: number
  /** Days that a team's data is kept, unless something else is said of the team; null: for ever. */
  keepContentDays: number | null
  keepAttemptsDays: number | null
  keepEventsDays: number | null
  keepWebhookDeliveriesDays: number | null
  logLevel: string
}

export type DeliveryMode =
  | { kind: 'capture' }
  | { kind: 'direct' }
  | { kind: 'relay'; relays: readonly Relay[] }

/** A port to listen on. One that nobody asked for is given up when it is busy; one that was set must be had. */
export interface ListenPort {
  port: number
  isSet: boolean
}

export interface Relay {
  host: string
  port: number
  /** True: TLS from the first byte (smtps). */
  implicitTls: boolean
  user: string | null
  password: string | null
}

/** The configuration cannot be used. Its text is for whoever wrote it: every problem, by the name of its setting. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    )
    this.problems = problems
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** A setting's text: the variable itself or, for secrets, the content of the file that `<NAME>_FILE` names. */
function textOf(setting: Setting<unknown>, environment: Environment): string | undefined {
  const direct = environment[setting.name]
  const path = setting.secret === true ? environment[`${setting.name}_FILE`] : undefined
  if (path === undefined || path === '') return direct === '' ? undefined : direct
  if (direct !== undefined && direct !== '') throw new BadSetting(`set it or ${setting.name}_FILE, not both`)
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new BadSetting(`cannot read ${path} (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** Parses the environment. Throws one ConfigError that lists every problem. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const read = <T>(setting: Setting<T>): T => {
    try {
      return setting.parse(textOf(setting, environment))
    } catch (error) {
      if (!(error instanceof BadSetting)) throw error
      problems.push(`${setting.name}: ${error.message}.`)
      return undefined as T
    }
  }
  const values = Object.fromEntries(
    Object.entries(SETTINGS).map(([key, setting]) => [key, read(setting as Setting<unknown>)]),
  ) as unknown as Config
  if ((values.tlsCertFile === null) !== (values.tlsKeyFile === null)) {
    problems.push('SENDWRIGHT_TLS_CERT: set it and SENDWRIGHT_TLS_KEY, or neither.')
  }
  if (problems.length > 0) throw new ConfigError(problems)

  const host = values.host === '0.0.0.0' || values.host === '::' ? '127.0.0.1' : values.host
  return Object.freeze({
    ...values,
    smtpHost: values.smtpHost ?? values.host,
    feedbackAddress: values.feedbackAddress ?? `fbl@${values.hostname}`,
    publicUrl: values.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${values.port}`,
    bootstrapDomain: values.bootstrapDomain ?? (values.delivery.kind === 'capture' ? 'example.com' : null),
  })
}

/** The settings as rows, for --help and .env.example. */
export function describeSettings(): { name: string; help: string; example: string; secret: boolean }[] {
  return Object.values(SETTINGS as Record<string, Setting<unknown>>).map(
    ({ name, help, example, secret }) => ({
      name,
      help,
      example,
      secret: secret ?? false,
    }),
  )
}
