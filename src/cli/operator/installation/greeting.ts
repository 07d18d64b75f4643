import type { Sendwright } from '../../../app/start/start-sendwright.ts'
import type { Config } from '../../../config/config.ts'

/** A server that has started, in one process or several. */
type Started = Omit<Sendwright, 'reload' | 'stop'>

/** Describes the next steps for the person at the terminal. The token is printed only here. */
export function describeStart(config: Config, started: Started): string {
  const { url, firstStart, firstOwnerLink } = started
  if (url === null) return 'Sendwright is running without the API. Another process has the role api.'
  const lines = [
    `Sendwright is running at ${url}`,
    `Dashboard: ${config.publicUrl}/app`,
    ...describeSubmission(config, started),
    ...describeDelivery(config),
  ]
  if (firstOwnerLink !== null) lines.push(...describeFirstOwner(firstOwnerLink))
  if (firstStart === null) lines.push('Create another API key: npx sendwright key create --name "my app"')
  else lines.push(...describeFirstSteps(config, url, firstStart))
  return `\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`
}

function describeFirstOwner(link: string): string[] {
  return [
    '',
    'Create your account in the dashboard. The link works once, for an hour (restart to print another):',
    link,
  ]
}

function describeSubmission(
  { smtpHost }: Config,
  { submissionPort, submissionsPort }: Pick<Sendwright, 'submissionPort' | 'submissionsPort'>,
): string[] {
  const host = smtpHost.includes(':') ? `[${smtpHost}]` : smtpHost
  const ports: string[] = []
  if (submissionPort !== null) ports.push(`${host}:${submissionPort} (STARTTLS)`)
  if (submissionsPort !== null) ports.push(`${host}:${submissionsPort} (TLS)`)
  return ports.length === 0 ? [] : [`SMTP: ${ports.join(', ')}; any user name, an API key as password`]
}

function describeDelivery(config: Config): string[] {
  if (config.delivery.kind !== 'capture') return []
  return [
    'No mail leaves this machine (SENDWRIGHT_DELIVERY=capture). GET /captured shows the captured emails.',
  ]
}

type FirstStart = NonNullable<Sendwright['firstStart']>

function describeFirstSteps(config: Config, url: string, { token, domain }: FirstStart): string[] {
  const key = token ?? '$SENDWRIGHT_BOOTSTRAP_KEY'
  const lines = token === null ? [] : ['', `Your API key, shown only once: ${token}`]
  if (domain === null)
    return [...lines, '', 'Next, add a domain to send from: npx sendwright domain add mail.example.com']
  if (config.delivery.kind !== 'capture') {
    lines.push('', `Publish the DNS records of ${domain} first: npx sendwright domain records ${domain}`)
  }
  return [...lines, '', 'Send an email:', '', ...formatCurl(url, key, domain)]
}

function formatCurl(url: string, key: string, domain: string): string[] {
  const email = `{"from": "Me <hello@${domain}>", "to": "you@example.org", "subject": "Hello", "text": "It works."}`
  return [
    `curl ${url}/emails \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '${email}'`,
  ]
}
