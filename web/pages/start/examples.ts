import type { Session } from '../../api/session.ts'

export interface Example {
  url: string
  smtp: Session['installation']['smtp']
  token: string
  from: string
  to: string
}

interface Language {
  name: string
  label: string
  hint?: string
  /** Returns the example; null when this installation does not support it. */
  write(example: Example): string | null
}

const SUBJECT = 'My first email'
const HTML = '<p>It <strong>works</strong>.</p>'

const writeCurl = ({ url, token, from, to }: Example) =>
  `curl -X POST ${url}/emails \\
  -H "Authorization: Bearer ${token}" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ from, to, subject: SUBJECT, html: HTML })}'`

const writeResend = ({ url, token, from, to }: Example) =>
  `// npm install resend
// RESEND_BASE_URL=${url} RESEND_API_KEY=${token} node send.mjs
import { Resend } from 'resend'

const resend = new Resend(process.env.RESEND_API_KEY)
const { data, error } = await resend.emails.send({
  from: '${from}',
  to: '${to}',
  subject: '${SUBJECT}',
  html: '${HTML}',
})
console.log(data ?? error)`

const writeFetch = ({ url, token, from, to }: Example) =>
  `const answer = await fetch('${url}/emails', {
  method: 'POST',
  headers: {
    authorization: 'Bearer ${token}',
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    from: '${from}',
    to: '${to}',
    subject: '${SUBJECT}',
    html: '${HTML}',
  }),
})
console.log(await answer.json())`

const writePython = ({ url, token, from, to }: Example) =>
  `import json
import urllib.request

email = {
    "from": "${from}",
    "to": "${to}",
    "subject": "${SUBJECT}",
    "html": "${HTML}",
}
request = urllib.request.Request(
    "${url}/emails",
    data=json.dumps(email).encode(),
    headers={
        "Authorization": "Bearer ${token}",
        "Content-Type": "application/json",
    },
)
print(urllib.request.urlopen(request).read().decode())`

function writeSmtp({ smtp, token, from, to }: Example): string | null {
  const port = smtp.port ?? smtp.tls_port
  if (port === null) return null
  const scheme = smtp.port === null ? 'smtps' : 'smtp'
  return `printf 'From: ${from}\\r\\nTo: ${to}\\r\\nSubject: ${SUBJECT}\\r\\n\\r\\nIt works.\\r\\n' |
  curl --url ${scheme}://${smtp.host}:${port} --ssl-reqd --user "any:${token}" \\
    --mail-from ${from} --mail-rcpt ${to} --upload-file -`
}

export const EXAMPLES: readonly Language[] = [
  { name: 'curl', label: 'curl', write: writeCurl },
  {
    name: 'resend',
    label: 'Node: resend',
    hint: 'Programs that use the Resend SDK need no change.',
    write: writeResend,
  },
  { name: 'fetch', label: 'Node: fetch', write: writeFetch },
  { name: 'python', label: 'Python', write: writePython },
  {
    name: 'smtp',
    label: 'SMTP',
    hint: 'Any user name works; the password is the key. Until the server has its own certificate, curl needs --insecure.',
    write: writeSmtp,
  },
]
