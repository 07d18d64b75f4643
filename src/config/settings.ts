import { resolve } from 'node:path'
import { BODY_SETTINGS } from './body-settings.ts'
import { networks } from './networks.ts'
import { SIGN_ON_SETTINGS } from './sign-on-settings.ts'
import {
  acmeChallenges,
  acmeDirectory,
  BadSetting,
  cellName,
  deliveryMode,
  dnsServer,
  durationMs,
  hostName,
  keptDays,
  LIFETIME_MAX_MS,
  listenPort,
  longToken,
  mailAddress,
  portNumber,
  ports,
  schemaName,
  sender,
  share,
  wholeNumber,
  workerCount,
  yesNo,
} from './values.ts'

/** One setting, and the parser of its text. */
export interface Setting<T> {
  name: string
  /** Shown in --help and .env.example. */
  help: string
  example: string
  secret?: boolean
  parse(text: string | undefined): T
}

/** All settings with their meaning and default. --help and .env.example come from here. */
export const SETTINGS = {
  port: { name: 'PORT', help: 'Port of the HTTP API.', example: '8080', parse: portNumber(8080) },
  host: {
    name: 'HOST',
    help: 'Address to listen on; 0.0.0.0 for all addresses.',
    example: '127.0.0.1',
    // For a name with two addresses, Fastify would open a second server, which our limits on connections do not reach.
    parse: (text) => (text === undefined || text === 'localhost' ? '127.0.0.1' : text),
  },
  httpsPort: {
    name: 'SENDWRIGHT_HTTPS_PORT',
    help: 'Port of the HTTP API with TLS; PORT then redirects to it. Needs SENDWRIGHT_ACME or SENDWRIGHT_TLS_CERT. Default: none.',
    example: '443',
    parse: portNumber(null),
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    help: 'Public URL of this server, used in links. Default: http://HOST:PORT.',
    example: 'http://127.0.0.1:8080',
    parse: (text) => {
      if (text === undefined) return null
      if (!/^https?:\/\/[^\s?#]+$/.test(text) || !URL.canParse(text)) {
        throw new BadSetting(`"${text}" is not an http(s) URL`)
      }
      return text.replace(/\/+$/, '')
    },
  },
  trustedProxies: {
    name: 'SENDWRIGHT_TRUSTED_PROXIES',
    help: 'Proxies that Sendwright trusts to name the client: addresses or CIDR networks, comma-separated. Default: none.',
    example: '127.0.0.1,10.0.0.0/8,fd00::/8',
    parse: networks,
  },
  proxyProtocol: {
    name: 'SENDWRIGHT_PROXY_PROTOCOL',
    help: 'true if the trusted proxies begin SMTP connections with a PROXY header (version 2), which names the client.',
    example: 'false',
    parse: yesNo,
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    help: 'PostgreSQL 15 or later. Default: an embedded PostgreSQL in the data directory.',
    example: 'postgres://sendwright:secret@localhost/sendwright',
    secret: true,
    parse: (text) => {
      if (text === undefined) return null
      if (!/^postgres(ql)?:\/\//.test(text)) throw new BadSetting('it must begin with postgres://')
      return text
    },
  },
  schema: {
    name: 'SENDWRIGHT_SCHEMA',
    help: 'Schema of the tables, created by the first start. Installations in one database need one each.',
    example: 'public',
    parse: (text) => schemaName(text ?? 'public'),
  },
  cell: {
    name: 'SENDWRIGHT_CELL',
    help: 'Name of this installation among several behind one address: 1 to 8 of a-z and 0-9. Its API keys contain it. Default: none.',
    example: 'a1',
    parse: (text) => (text === undefined ? null : cellName(text)),
  },
  dataDir: {
    name: 'SENDWRIGHT_DATA_DIR',
    help: 'Directory of the embedded database and the secret key.',
    example: './data',
    parse: (text) => resolve(text ?? './data'),
  },
  upgradeBackup: {
    name: 'SENDWRIGHT_UPGRADE_BACKUP',
    help: 'false upgrades the embedded database without a backup in the data directory first.',
    example: 'true',
    parse: (text) => text === undefined || yesNo(text),
  },
  workers: {
    name: 'SENDWRIGHT_WORKERS',
    help: 'Number of worker processes of this server, 1 to 64; auto chooses by processors and memory (1 on two processors).',
    example: 'auto',
    parse: workerCount,
  },
  secretKey: {
    name: 'SENDWRIGHT_SECRET_KEY',
    help: 'Encrypts DKIM private keys and signs tokens; 32 or more characters. Default: generated in the data directory.',
    example: 'a-long-random-string-of-32-or-more-characters',
    secret: true,
    parse: (text) => {
      if (text !== undefined && text.length < 32) throw new BadSetting('it must have 32 or more characters')
      return text ?? null
    },
  },
  delivery: {
    name: 'SENDWRIGHT_DELIVERY',
    help: "capture (nothing leaves this machine), direct (to the recipients' mail servers), or smtp(s)://user:password@host:port (relays, comma-separated).",
    example: 'capture',
    secret: true,
    parse: deliveryMode,
  },
  hostname: {
    name: 'SENDWRIGHT_HOSTNAME',
    help: 'Name of this server in SMTP (EHLO); its A and PTR records should match.',
    example: 'localhost',
    parse: (text) => hostName(text ?? 'localhost'),
  },
  dnsServers: {
    name: 'SENDWRIGHT_DNS_SERVERS',
    help: "DNS servers as address or address:port, comma-separated. Default: the system's.",
    example: '127.0.0.1:53',
    parse: (text) => (text === undefined ? [] : text.split(',').map(dnsServer)),
  },
  mxPort: {
    name: 'SENDWRIGHT_MX_PORT',
    help: "Port of the recipients' mail servers; change it only for tests.",
    example: '25',
    parse: portNumber(25),
  },
  mtaStsPort: {
    name: 'SENDWRIGHT_MTA_STS_PORT',
    help: 'Port of the hosts that publish MTA-STS policies; change it only for tests.',
    example: '443',
    parse: portNumber(443),
  },
  allowPrivateNetworks: {
    name: 'SENDWRIGHT_ALLOW_PRIVATE_NETWORKS',
    help: "true allows private addresses for recipients' domains, webhooks and attachment URLs; only for tests and closed networks.",
    example: 'false',
    parse: yesNo,
  },
  attachmentPorts: {
    name: 'SENDWRIGHT_ATTACHMENT_PORTS',
    help: 'Ports allowed in attachment URLs, comma-separated; any allows all ports.',
    example: '80,443',
    parse: ports('80,443'),
  },
  validateSmtp: {
    name: 'SENDWRIGHT_VALIDATE_SMTP',
    help: "true lets POST /emails/validate probe the recipient's mail server (RCPT without DATA); not in capture mode.",
    example: 'false',
    parse: yesNo,
  },
  retryScheduleMs: {
    name: 'SENDWRIGHT_RETRY_SCHEDULE',
    help: 'Delays before attempt 2, 3 and so on; the last repeats.',
    example: '1m,5m,15m,30m,1h,2h,4h',
    parse: (text) => {
      const waits = (text ?? '1m,5m,15m,30m,1h,2h,4h').split(',').map(durationMs)
      if (waits.length > 50) throw new BadSetting('use at most 50 delays')
      return waits
    },
  },
  webhookRetryScheduleMs: {
    name: 'SENDWRIGHT_WEBHOOK_RETRY_SCHEDULE',
    help: 'Delays before attempt 2, 3 and so on of a webhook; after the last one the delivery fails.',
    example: '5s,5m,30m,2h,5h,10h,10h',
    parse: (text) => {
      const waits = (text ?? '5s,5m,30m,2h,5h,10h,10h').split(',').map(durationMs)
      if (waits.length > 50) throw new BadSetting('use at most 50 delays')
      return waits
    },
  },
  messageLifetimeMs: {
    name: 'SENDWRIGHT_MESSAGE_LIFETIME',
    help: 'How long Sendwright attempts delivery, at most 5d.',
    example: '72h',
    parse: (text) => {
      const lifetime = durationMs(text ?? '72h')
      if (lifetime > LIFETIME_MAX_MS) throw new BadSetting('at most 5d')
      return lifetime
    },
  },
  bootstrapKey: {
    name: 'SENDWRIGHT_BOOTSTRAP_KEY',
    help: 'API key that the first start creates: 32 to 1000 ASCII characters without spaces. Default: generated and printed once.',
    example: 'a-key-of-your-own-with-32-or-more-characters',
    secret: true,
    parse: (text) => (text === undefined ? null : longToken(text)),
  },
  bootstrapDomain: {
    name: 'SENDWRIGHT_BOOTSTRAP_DOMAIN',
    help: 'Domain that the first start adds. Default: example.com in capture mode, where it is verified; otherwise none.',
    example: 'example.com',
    parse: (text) => (text === undefined ? null : hostName(text)),
  },
  metricsPort: {
    name: 'SENDWRIGHT_METRICS_PORT',
    help: 'Separate port for GET /metrics, on HOST, without a token. Default: the main port, with SENDWRIGHT_METRICS_TOKEN.',
    example: '9090',
    parse: portNumber(null),
  },
  metricsToken: {
    name: 'SENDWRIGHT_METRICS_TOKEN',
    help: 'Bearer token for GET /metrics on the main port; without it the path does not exist there.',
    example: 'a-token-for-prometheus',
    secret: true,
    parse: (text) => text ?? null,
  },
  readyAgeMaxMs: {
    name: 'SENDWRIGHT_READY_AGE_MAX',
    help: 'How long a delivery may wait to be claimed before GET /readyz fails; off for no limit.',
    example: '15m',
    parse: (text) => (text === 'off' ? null : durationMs(text ?? '15m')),
  },
  operatorToken: {
    name: 'SENDWRIGHT_OPERATOR_TOKEN',
    help: 'Bearer token of 32 or more characters for the operator API (/operator/..., /sites). Default: no token has access.',
    example: 'a-token-for-operators-of-32-or-more-characters',
    secret: true,
    parse: (text) => (text === undefined ? null : longToken(text)),
  },
  smtpHost: {
    name: 'SENDWRIGHT_SMTP_HOST',
    help: 'Address that the SMTP listeners listen on. Default: HOST.',
    example: '0.0.0.0',
    parse: (text) => text ?? null,
  },
  inboundPort: {
    name: 'SENDWRIGHT_INBOUND_PORT',
    help: 'Port for bounces and complaints, where the MX records of return paths lead; off for none.',
    example: '2525',
    parse: listenPort(2525),
  },
  submissionPort: {
    name: 'SENDWRIGHT_SUBMISSION_PORT',
    help: 'Port for SMTP submission with STARTTLS; off for none.',
    example: '2587',
    parse: listenPort(2587),
  },
  submissionsPort: {
    name: 'SENDWRIGHT_SUBMISSIONS_PORT',
    help: 'Port for SMTP submission with implicit TLS; off for none.',
    example: '2465',
    parse: listenPort(2465),
  },
  tlsCertFile: {
    name: 'SENDWRIGHT_TLS_CERT',
    help: 'PEM file of the certificate chain for SMTP and HTTPS; reloaded when it changes. Default: self-signed, for SMTP only.',
    example: '/etc/letsencrypt/live/mail.example.com/fullchain.pem',
    parse: (text) => (text === undefined ? null : resolve(text)),
  },
  tlsKeyFile: {
    name: 'SENDWRIGHT_TLS_KEY',
    help: 'PEM file of the private key of that certificate.',
    example: '/etc/letsencrypt/live/mail.example.com/privkey.pem',
    parse: (text) => (text === undefined ? null : resolve(text)),
  },
  acmeDirectory: {
    name: 'SENDWRIGHT_ACME',
    help: 'Obtains certificates by ACME: letsencrypt (whose terms of service you accept with it), or the URL of another directory.',
    example: 'letsencrypt',
    parse: (text) => (text === undefined ? null : acmeDirectory(text)),
  },
  acmeEmail: {
    name: 'SENDWRIGHT_ACME_EMAIL',
    help: 'Address at which the certificate authority reports problems. Default: none.',
    example: 'admin@example.com',
    parse: (text) => (text === undefined ? null : mailAddress(text)),
  },
  acmeChallenges: {
    name: 'SENDWRIGHT_ACME_CHALLENGES',
    help: 'Challenges of ACME: http-01 (port 80) and tls-alpn-01 (port 443), in the order of use. Default: both, if SENDWRIGHT_HTTPS_PORT is set.',
    example: 'tls-alpn-01',
    parse: (text) => (text === undefined ? null : acmeChallenges(text)),
  },
  rulesFile: {
    name: 'SENDWRIGHT_RULES_FILE',
    help: 'JSON file of delivery rules (shaping, source addresses, relays) that extend the built-in ones; reloaded on SIGHUP.',
    example: './delivery-rules.json',
    parse: (text) => (text === undefined ? null : resolve(text)),
  },
  dnssecResolver: {
    name: 'SENDWRIGHT_DNSSEC_RESOLVER',
    help: 'Trusted DNS resolver that validates DNSSEC, as address or address:port; enables DANE.',
    example: '127.0.0.1:53',
    parse: (text) => (text === undefined ? null : dnsServer(text)),
  },
  tlsReportFrom: {
    name: 'SENDWRIGHT_TLSRPT_FROM',
    help: 'Sender of the daily TLS reports (RFC 8460), at a verified domain. Default: no reports.',
    example: 'tls-reports@example.com',
    parse: (text) => (text === undefined ? null : mailAddress(text)),
  },
  accountFrom: {
    name: 'SENDWRIGHT_ACCOUNT_FROM',
    help: "Sender of account mail (invitations, password resets), at a team's verified domain. Default: no-reply@ and the oldest verified domain of the first team.",
    example: 'Sendwright <no-reply@example.com>',
    parse: (text) => (text === undefined ? null : sender(text)),
  },
  feedbackAddress: {
    name: 'SENDWRIGHT_FEEDBACK_ADDRESS',
    help: 'Address for complaints from feedback loops. Default: fbl@ and SENDWRIGHT_HOSTNAME.',
    example: 'fbl@mail.example.com',
    parse: (text) => (text === undefined ? null : mailAddress(text)),
  },
  guardBounceRate: {
    name: 'SENDWRIGHT_GUARD_BOUNCE_RATE',
    help: "A team's sending pauses if more of a day's recipients do not exist; off for never.",
    example: '10%',
    parse: share('10%'),
  },
  guardComplaintRate: {
    name: 'SENDWRIGHT_GUARD_COMPLAINT_RATE',
    help: "A team's sending pauses if more of a day's delivered emails cause complaints; off for never.",
    example: '0.5%',
    parse: share('0.5%'),
  },
  guardRecipientsMin: {
    name: 'SENDWRIGHT_GUARD_RECIPIENTS_MIN',
    help: 'Minimum number of recipients in a day for these two rates.',
    example: '200',
    parse: wholeNumber(200),
  },
  keepContentDays: {
    name: 'SENDWRIGHT_KEEP_CONTENT',
    help: 'Retention of content (text, HTML, headers, attachments, captured emails), in days, or forever.',
    example: '30d',
    parse: keptDays('30d', 1),
  },
  keepAttemptsDays: {
    name: 'SENDWRIGHT_KEEP_ATTEMPTS',
    help: 'Retention of attempts with their SMTP transcripts, in days, or forever.',
    example: '30d',
    parse: keptDays('30d', 1),
  },
  keepEventsDays: {
    name: 'SENDWRIGHT_KEEP_EVENTS',
    help: 'Retention of events, at least 7d, or forever. Sendwright keeps emails themselves for the longest of these four periods.',
    example: '90d',
    parse: keptDays('90d', 7),
  },
  keepWebhookDeliveriesDays: {
    name: 'SENDWRIGHT_KEEP_WEBHOOK_DELIVERIES',
    help: 'Retention of webhook requests and responses, in days, or forever.',
    example: '30d',
    parse: keptDays('30d', 1),
  },
  keepRequestLogDays: {
    name: 'SENDWRIGHT_KEEP_REQUEST_LOG',
    help: 'Retention of the request log (requests with API keys, without bodies), in days, or forever.',
    example: '30d',
    parse: keptDays('30d', 1),
  },
  ...BODY_SETTINGS,
  ...SIGN_ON_SETTINGS,
  logLevel: {
    name: 'LOG_LEVEL',
    help: 'fatal, error, warn, info, debug, trace or silent.',
    example: 'info',
    parse: (text) => {
      const level = text ?? 'info'
      if (!/^(fatal|error|warn|info|debug|trace|silent)$/.test(level))
        throw new BadSetting(`"${level}" is not a log level`)
      return level
    },
  },
} satisfies Record<string, Setting<unknown>>
