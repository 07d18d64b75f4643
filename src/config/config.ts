import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { SETTINGS, type Setting } from './settings.ts'
import { BadSetting } from './values.ts'

/** What each setting's text means, before the settings that another one fills in. */
type Values = { [Key in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Key]['parse']> }
type FilledIn = 'smtpHost' | 'feedbackAddress' | 'publicUrl'

/** The configuration. It is parsed once and frozen. `settings.ts` tells what each value means. */
export interface Config extends Omit<Values, FilledIn> {
  /** Address that the SMTP listeners listen on. */
  smtpHost: string
  /** Address for complaints from feedback loops. */
  feedbackAddress: string
  /** Without a trailing slash. Links are built from it, never from the Host header. */
  publicUrl: string
}

/** Returns the labels of this installation's logs and metrics. */
export function labelsOf({ cell }: Pick<Config, 'cell'>): Readonly<Record<string, string>> {
  return cell === null ? {} : { cell }
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

type Environment = Readonly<Record<string, string | undefined>>

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
  const readSetting = <T>(setting: Setting<T>): T => {
    try {
      return setting.parse(textOf(setting, environment))
    } catch (error) {
      if (!(error instanceof BadSetting)) throw error
      problems.push(`${setting.name}: ${error.message}.`)
      return undefined as T
    }
  }
  const values = Object.fromEntries(
    Object.entries(SETTINGS).map(([key, setting]) => [key, readSetting(setting as Setting<unknown>)]),
  ) as Values
  problems.push(...findTlsProblems(values), ...findSignOnProblems(values), ...findBodyProblems(values))
  if (values.proxyProtocol === true && values.trustedProxies?.length === 0)
    problems.push('SENDWRIGHT_PROXY_PROTOCOL: it has no effect without SENDWRIGHT_TRUSTED_PROXIES.')
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
function findTlsProblems(values: Values): string[] {
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
function findSignOnProblems(values: Values): string[] {
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

/** Returns the problems of the settings of bodies with each other. */
function findBodyProblems({ bodies, s3AccessKey, s3SecretKey }: Values): string[] {
  if (bodies?.kind !== 's3' || (s3AccessKey !== null && s3SecretKey !== null)) return []
  return ['SENDWRIGHT_BODIES: s3:// needs SENDWRIGHT_S3_ACCESS_KEY and SENDWRIGHT_S3_SECRET_KEY.']
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
