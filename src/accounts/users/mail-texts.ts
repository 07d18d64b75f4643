import { cutToBytes, escapeControls } from '../../lib/text/foreign-text.ts'
import { escapeHtml } from '../../templates/render-template.ts'

/** A mail about a user's account. */
export interface AccountMail {
  to: { email: string; name: string }
  subject: string
  text: string
  html: string
  /** The link that `text` and `html` contain. */
  link: string
}

/** Limits names that people choose: a long name would leave room for advertising. */
const NAME_BYTES_MAX = 100
export const shortNameOf = (text: string) => cutToBytes(escapeControls(text), NAME_BYTES_MAX)

interface Words {
  heading: string
  before: readonly string[]
  button: string
  link: string
  after: readonly string[]
}

export function invitationMail(
  { email, teamName, inviterName }: { email: string; teamName: string; inviterName: string | null },
  link: string,
): AccountMail {
  const team = shortNameOf(teamName)
  const who = inviterName === null ? 'You are invited' : `${shortNameOf(inviterName)} invites you`
  const words: Words = {
    heading: `Join ${team}`,
    before: [`${who} to the team ${team} on Sendwright.`],
    button: 'Accept the invitation',
    link,
    after: [
      'The link works once and expires in one hour. If it has expired, ask for a new invitation.',
      'If you did not expect this, ignore this email: nobody can join without the link.',
    ],
  }
  return { to: { email, name: '' }, subject: `Join ${team} on Sendwright`, link, ...write(words) }
}

export function resetMail({ email, name }: { email: string; name: string }, link: string): AccountMail {
  const words: Words = {
    heading: 'Set a new password',
    before: ['We received a request to reset your Sendwright password.'],
    button: 'Set a new password',
    link,
    after: [
      'The link works once and expires in one hour. A new password logs you out of all browsers.',
      'If you did not request this, ignore this email: your password stays the same.',
    ],
  }
  const subject = 'Set a new password for Sendwright'
  return { to: { email, name: shortNameOf(name) }, subject, link, ...write(words) }
}

function write(words: Words): { text: string; html: string } {
  const { before, link, after } = words
  return { text: [...before, link, ...after].join('\n\n'), html: writeHtml(words) }
}

function writeHtml({ heading, before, button, link, after }: Words): string {
  return htmlMail(heading, [
    ...before.map(line),
    buttonLink(button, link),
    ...after.map(small),
    bareLink(link),
  ])
}

const line = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
const bareLink = (link: string) =>
  `<p style="margin:16px 0 0;font-size:13px;opacity:.75;word-break:break-all">${escapeHtml(link)}</p>`

/** A paragraph in small type. */
export function small(text: string): string {
  return `<p style="margin:0 0 8px;font-size:13px;opacity:.75">${escapeHtml(text)}</p>`
}

export function buttonLink(label: string, link: string): string {
  return `<p style="margin:0 0 24px"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0b6e5f;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(label)}</a></p>`
}

/**
 * Returns the HTML of a system mail: a heading and paragraphs. It contains only text and links: it loads nothing and
 * works in dark mode.
 */
export function htmlMail(heading: string, paragraphs: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(heading)}</title>
</head>
<body style="margin:0;padding:32px 16px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:480px;margin:0 auto">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(heading)}</h1>
${paragraphs.join('\n')}
</div>
</body>
</html>
`
}
