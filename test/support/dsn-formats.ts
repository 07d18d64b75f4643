/** A DSN as some mail system writes it: the specific header fields, and the text. */
export interface Written {
  from: string
  subject: string
  /** The type of the text; plain by default. */
  type?: string
  text: string
  /** A separate part after the text, with its type. */
  report?: readonly [type: string, text: string]
}

/**
 * Writes the report on a recipient in one format. The wordings are invented; the layouts are those of gateways and
 * providers.
 */
export type Format = (to: string, said: string) => Written

const FAILED = 'Delivery failure'
const POSTMASTER = 'Mail Delivery System <postmaster@relay.test>'

function written(text: string, rest: Partial<Written> = {}): Written {
  return { from: POSTMASTER, subject: FAILED, text, ...rest }
}

function fields(to: string, diagnostic: string, rest = ''): string {
  return `Reporting-MTA: dns; relay.test\nArrival-Date: Tue, 3 Mar 2020 10:20:28 +0100\n\nFinal-Recipient: rfc822; ${to}\nAction: failed\nStatus: 5.0.0\n${rest}Diagnostic-Code: ${diagnostic}\n`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const html = (body: string): Partial<Written> & { text: string } => ({
  type: 'text/html',
  text: `<html><head><style>p { margin: 0 }</style></head><body>${body}</body></html>`,
})

function sesEvent(to: string, said: string) {
  return {
    notificationType: 'Bounce',
    bounce: {
      bounceType: 'Undetermined',
      bounceSubType: 'Undetermined',
      bouncedRecipients: [{ emailAddress: to, action: 'failed', diagnosticCode: `smtp; 550 ${said}` }],
      timestamp: '2020-03-03T10:20:30.000Z',
      feedbackId: '0100-4f1a2',
    },
    mail: { source: 'me@own.test', destination: [to], headers: [{ name: 'From', value: 'me@own.test' }] },
  }
}

/** As text only: an address without brackets next to the reason, in every order. */
const IN_WORDS: Record<string, Format> = {
  'address: reason': (to, said) => written(`Your message was not delivered to:\n\n${to}: ${said}\n`),
  'reason: address': (to, said) => written(`Your message was not delivered.\n\n${said}: ${to}\n`),
  'address above reason': (to, said) =>
    written(`We could not deliver your message to the following address.\n\n${to}\n${said}\n`),
  'reason above address': (to, said) => written(`Your message came back.\n\n${said}\n\n    ${to}\n`),
  'bullet list': (to, said) => written(`These deliveries failed:\n\n  * ${to} - ${said}\n`),
  'quoted address': (to, said) => written(`Delivery to "${to}" failed.\n\nThe reason was: ${said}\n`),
  'sentence with the address': (to, said) =>
    written(`Your message to ${to} could not be delivered because of an error.\n\n${said}\n`),
  labels: (to, said) =>
    written(`Your e-mail was returned.\n\nRecipient: ${to}\nReason: ${said}\nSender: me@own.test\n`),
  'labels in a column': (to, said) =>
    written(
      `Mail delivery report\n\nFrom      : me@own.test\nTo        : ${to}\nSubject   : hello\nError     : ${said}\n`,
    ),
  'labels above values': (to, said) =>
    written(`Undeliverable mail\n\nRecipient address\n    ${to}\n\nExplanation\n    ${said}\n`),
  'gateway with help': (to, said) =>
    written(
      `The gateway at relay.test has rejected your message.\n\nIntended recipient: ${to}\nServer response: 550 ${said}\n\nContact helpdesk@relay.test if you have questions.\n`,
    ),
  transcript: (to, said) =>
    written(
      `Conversation with mx.x.test:\n\n>>> MAIL FROM:<me@own.test>\n<<< 250 ok\n>>> RCPT TO:<${to}>\n<<< 550 ${said}\n`,
    ),
  elements: (to, said) =>
    written(
      `<failure>\n  <recipient>${to}</recipient>\n  <reason>${escapeHtml(said)}</reason>\n  <sender>me@own.test</sender>\n</failure>\n`,
    ),
}

const IN_HTML: Record<string, Format> = {
  'paragraphs of HTML': (to, said) =>
    written('', html(`<p>Your message to <b>${to}</b> was not delivered.</p><p>${escapeHtml(said)}</p>`)),
  'table of HTML': (to, said) =>
    written(
      '',
      html(
        `<table><tr><th>Recipient</th><td><a href="mailto:${to}">${to}</a></td></tr><tr><th>Reason</th><td>${escapeHtml(said)}</td></tr></table>`,
      ),
    ),
}

const IN_FIELDS: Record<string, Format> = {
  'status fields': (to, said) =>
    written('The message was not delivered.\n', {
      report: ['message/delivery-status', fields(to, `smtp; 550 ${said}`)],
    }),
  'status fields of another type': (to, said) =>
    written('The message was not delivered.\n', {
      report: ['message/delivery-status', fields(to, `X-Gateway; ${said}`)],
    }),
  'status fields that say nothing': (to, said) =>
    written(`The message was not delivered.\n\n${to}: ${said}\n`, {
      report: ['message/delivery-status', fields(to, 'smtp; 550 5.0.0 Failed')],
    }),
  'status fields in the text': (to, said) => written(`Delivery report\n\n${fields(to, `smtp; 550 ${said}`)}`),
}

const IN_JSON: Record<string, Format> = {
  'event in an envelope': (to, said) =>
    written(
      `${JSON.stringify({ Type: 'Notification', TopicArn: 'arn:aws:sns:eu-west-1:1:bounces', Message: JSON.stringify(sesEvent(to, said)) }, null, 2)}\n\n--\nIf you wish to stop receiving notifications, visit https://sns.test/u?Endpoint=me@own.test\n`,
      { from: 'AWS Notifications <no-reply@sns.test>', subject: 'AWS Notification Message' },
    ),
  'event in a list': (to, said) =>
    written(
      JSON.stringify([
        { email: to, event: 'bounce', type: 'bounce', reason: `550 ${said}`, sg_event_id: 'x' },
      ]),
      {
        from: 'events@provider.test',
        subject: 'Event',
      },
    ),
  'event below a signature': (to, said) =>
    written(
      JSON.stringify({
        signature: { token: 'x' },
        'event-data': {
          event: 'failed',
          severity: 'permanent',
          recipient: to,
          'delivery-status': { code: 550, message: said, description: '' },
          envelope: { sender: 'me@own.test' },
        },
      }),
      { from: 'events@provider.test', subject: 'Event' },
    ),
}

export const DSN_FORMATS: Readonly<Record<string, Format>> = {
  ...IN_WORDS,
  ...IN_HTML,
  ...IN_FIELDS,
  ...IN_JSON,
}

const ORIGINAL =
  'From: Shop <me@own.test>\nReply-To: help@own.test\nTo: Ann <TO>\nCc: carol@z.test\nSubject: hello\nMessage-ID: <1.2@own.test>\n\nWrite to office@own.test.\n'

/** The returned message: below the text or in a part. */
export const RETURNED = {
  nothing: () => ({ below: '' }),
  'the header below a line': (to: string) => ({
    below: `\n----- Original message -----\n\n${ORIGINAL.replace('TO', to)}`,
  }),
  'the message, quoted': (to: string) => ({
    below: `\n${ORIGINAL.replace('TO', to).replace(/^/gm, '> ')}\n`,
  }),
  'the message in a mail program’s words': (to: string) => ({
    below: `\n-----Original Message-----\nFrom: me@own.test\nSent: Tuesday, March 3, 2020 10:20\nTo: ${to}\nCc: carol@z.test\nSubject: hello\n\nWrite to office@own.test.\n`,
  }),
  'a part': (to: string) => ({ below: '', part: ORIGINAL.replace('TO', to) }),
} satisfies Record<string, (to: string) => { below: string; part?: string }>
