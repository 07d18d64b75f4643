import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { Network } from './networks.ts'
import { SETTINGS, type Setting } from './settings.ts'
import type { GroupRole } from './single-sign-on.ts'
import { type AcmeChallenge, BadSetting, type DeliveryMode, type ListenPort } from './values.ts'

/** The configuration. It is parsed once and frozen. */
export interface Config {
  port: number
  host: string
  /** The HTTP API with TLS. Null: none. */
  httpsPort: number | null
  /** Without a trailing slash. Links are built from it, never from the Host header. */
  publicUrl: string
  /** Peers whose X-Forwarded-For the server trusts. */
  trustedProxies: readonly Network[]
  /** Null for the embedded PostgreSQL in the data directory. */
  databaseUrl: string | null
  dataDir: string
  /** Whether an embedded database is backed up before it is migrated. */
  upgradeBackup: boolean
  /** Worker processes that `serve` runs; with 1 there is no supervisor (app/workers/count-workers.ts). */
  workers: number | 'auto'
  /** Null to generate one in the data directory. */
  secretKey: string | null
  delivery: DeliveryMode
  /** EHLO name, and the host of return paths for domains without their own. */
  hostname: string
  /** Each `address[:port]`. Empty for the system's servers. */
  dnsServers: readonly string[]
  mxPort: number
  mtaStsPort: number
  allowPrivateNetworks: boolean
  attachmentPorts: readonly number[] | 'any'
  /** Whether POST /emails/validate may probe the recipient's mail server. Never in capture mode. */
  validateSmtp: boolean
  /** Milliseconds before attempt 2, 3 and so on; the last repeats until the lifetime ends. */
  retryScheduleMs: readonly number[]
  /** Milliseconds before attempt 2, 3 and so on of a webhook; after the last one the delivery fails. */
  webhookRetryScheduleMs: readonly number[]
  messageLifetimeMs: number
  bootstrapKey: string | null
  bootstrapDomain: string | null
  /** Null: /metrics is on the main port, if there is a token. */
  metricsPort: number | null
  metricsToken: string | null
  /** Milliseconds that a delivery may wait to be claimed before GET /readyz fails. Null: no limit. */
  readyAgeMaxMs: number | null
  /** Bearer token for the operator API. Null: no token has access. */
  operatorToken: string | null
  /** Address that the SMTP listeners listen on. */
  smtpHost: string
  /** Bounces and complaints. Null: no listener. */
  inboundPort: ListenPort | null
  /** Submission with STARTTLS (RFC 6409). */
  submissionPort: ListenPort | null
  /** Submission with implicit TLS (RFC 8314). */
  submissionsPort: ListenPort | null
  /** PEM files of the certificate chain and its key: both or neither. Null: self-signed, in the data directory. */
  tlsCertFile: string | null
  tlsKeyFile: string | null
  /** URL of the directory of a certificate authority (RFC 8555). Null: no certificates by ACME. */
  acmeDirectory: string | null
  /** Contact of the account at the certificate authority. */
  acmeEmail: string | null
  /** The challenges that prove a host, in the order of use. Null: those whose ports are configured. */
  acmeChallenges: readonly AcmeChallenge[] | null
  /** JSON file of shaping, sources and relays (docs/deliverability.md). Null: only the built-in rules. */
  rulesFile: string | null
  /** Resolver that validates DNSSEC, `address[:port]`. Null: no DANE. */
  dnssecResolver: string | null
  /** Sender of TLS reports (RFC 8460). Null: no reports. */
  tlsReportFrom: string | null
  /** Sender of account mail. Null: no-reply@ at the first team's oldest verified domain. */
  accountFrom: string | null
  /** Address for complaints from feedback loops. */
  feedbackAddress: string
  /** Rates from 0 to 1 above which a team's sending pauses automatically. Null: never. */
  guardBounceRate: number | null
  guardComplaintRate: number | null
  guardRecipientsMin: number
  /** Retention in days, for teams without their own. Null: forever. */
  keepContentDays: number | null
  keepAttemptsDays: number | null
  keepEventsDays: number | null
  keepWebhookDeliveriesDays: number | null
  /** Of the request log, for all teams. */
  keepRequestLogDays: number | null
  /** False: people log in with single sign-on only. */
  passwordLogin: boolean
  /** The OpenID provider. Null: no single sign-on. */
  oidcIssuer: string | null
  oidcClientId: string | null
  /** Null: a public client. */
  oidcClientSecret: string | null
  /** Separated by spaces. */
  oidcScopes: string
  /** The name of the provider on the login page. */
  oidcLabel: string
  /** The provider decides who owns an address of these domains. */
  oidcDomains: readonly string[]
  oidcGroupsClaim: string
  oidcRoles: readonly GroupRole[]
  /** Lifetime of sessions that the provider started, in milliseconds. */
  oidcSessionMs: number
  logLevel: string
}

/** The configuration is invalid. Its message lists every problem by the name of the setting. */
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

/** Returns a setting's text: the variable or, for a secret, the content of the file that `<NAME>_FILE` names. */
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
  problems.push(...findTlsProblems(values), ...findSignOnProblems(values))
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

/** Returns the problems of the settings of TLS with each other. Settings with a problem of their own are undefined. */
function findTlsProblems(values: Config): string[] {
  const { tlsCertFile, tlsKeyFile, acmeDirectory, acmeEmail, httpsPort, publicUrl } = values
  const problems: string[] = []
  if ((tlsCertFile === null) !== (tlsKeyFile === null)) {
    problems.push('SENDWRIGHT_TLS_CERT: set it and SENDWRIGHT_TLS_KEY, or neither.')
  }
  if (acmeDirectory === null && acmeEmail !== null) {
    problems.push('SENDWRIGHT_ACME_EMAIL: it has no effect without SENDWRIGHT_ACME.')
  }
  if (typeof acmeDirectory === 'string' && typeof tlsCertFile === 'string') {
    problems.push('SENDWRIGHT_ACME: set it or SENDWRIGHT_TLS_CERT, not both.')
  }
  if (typeof acmeDirectory === 'string' && !isPublicHttps(publicUrl)) {
    problems.push('SENDWRIGHT_ACME: set PUBLIC_URL to https:// and a public DNS name of this server.')
  }
  if (httpsPort === null && values.acmeChallenges?.includes('tls-alpn-01') === true) {
    problems.push('SENDWRIGHT_ACME_CHALLENGES: tls-alpn-01 needs SENDWRIGHT_HTTPS_PORT.')
  }
  if (typeof httpsPort !== 'number') return problems
  if (acmeDirectory === null && tlsCertFile === null) {
    problems.push(
      'SENDWRIGHT_HTTPS_PORT: set SENDWRIGHT_ACME, or SENDWRIGHT_TLS_CERT and SENDWRIGHT_TLS_KEY.',
    )
  }
  if (publicUrl === null || publicUrl?.startsWith('http:') === true) {
    problems.push('SENDWRIGHT_HTTPS_PORT: set PUBLIC_URL to an https:// URL.')
  }
  if (httpsPort !== 0 && httpsPort === values.port) {
    problems.push('SENDWRIGHT_HTTPS_PORT: it must differ from PORT, which redirects to it.')
  }
  return problems
}

/** An undefined URL has a problem of its own. */
function isPublicHttps(url: string | null | undefined): boolean {
  if (url === undefined) return true
  if (url === null) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' && hostname.includes('.') && isIP(hostname.replace(/^\[|\]$/g, '')) === 0
}

/** Returns the problems of single sign-on. A setting that did not parse is undefined. */
function findSignOnProblems(values: Config): string[] {
  const problems: string[] = []
  if (values.oidcIssuer === null && values.passwordLogin === false) {
    problems.push('SENDWRIGHT_PASSWORD_LOGIN: off needs SENDWRIGHT_OIDC_ISSUER, or nobody could log in.')
  }
  if (typeof values.oidcIssuer !== 'string') return problems
  if (values.oidcClientId === null) {
    problems.push('SENDWRIGHT_OIDC_CLIENT_ID: set it with SENDWRIGHT_OIDC_ISSUER.')
  }
  if (values.oidcDomains?.length === 0) {
    problems.push(
      'SENDWRIGHT_OIDC_DOMAINS: set it with SENDWRIGHT_OIDC_ISSUER. List the domains whose addresses the provider assigns.',
    )
  }
  return problems
}

/** Returns the settings as rows for --help and .env.example. */
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
