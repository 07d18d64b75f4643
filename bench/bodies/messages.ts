import { randomUUID } from 'node:crypto'
import { type Mailbox, parseMailbox } from '../../src/mime/address.ts'
import { buildMessage } from '../../src/mime/build.ts'
import { seedRandom } from '../../test/support/random.ts'
import { makeSentence } from '../support/message.ts'

/** Writes one place of a template, for one email. */
type Place = (random: () => number) => string

/** The templates of the team: the size of their HTML, and the share of its mail. */
const TEMPLATES = [
  { bytes: 3_000, share: 0.4 },
  { bytes: 10_000, share: 0.3 },
  { bytes: 25_000, share: 0.2 },
  { bytes: 60_000, share: 0.1 },
] as const
const TOKEN = /x/g
/** A tracked link, of which a part differs in every email. */
const LINK = `https://mail.shop.example/c/${'x'.repeat(64)}`
const CATALOGUE = 200

/** Returns the messages of one team, as the product builds them: a few templates with other values in each email. */
export function makeTeamMessages(count: number, seed: number): Buffer[] {
  const random = seedRandom(seed)
  const items = Array.from({ length: CATALOGUE }, () => makeSentence(random))
  const templates = TEMPLATES.map(({ bytes }) => makeTemplateOf(random, bytes, items))
  return Array.from({ length: count }, (_, number) => {
    const template = templates[chooseTemplate(random())] as Place[]
    const name = makeSentence(random).split(' ', 1)[0] ?? ''
    const html = template.map((place) => place(random)).join('')
    const sentences = html.match(/>[^<>]{20,}</g) ?? []
    return buildMessage({
      messageId: `${randomUUID()}@mail.shop.example`,
      date: new Date(Date.UTC(2026, 0, 1) + number * 61_000),
      from: mailbox(`Shop <orders@shop.example>`),
      to: [mailbox(`${name} <customer${number}@${Math.floor(random() * 1e6).toString(36)}.example>`)],
      cc: [],
      replyTo: [],
      subject: `Your order ${Math.floor(random() * 1e9)}`,
      html,
      text: sentences.map((sentence) => sentence.slice(1, -1)).join('\n'),
      headers: [['List-Unsubscribe', `<${fillTokens(LINK, random)}>`]],
      attachments: [],
    }).bytes
  })
}

function mailbox(text: string): Mailbox {
  const mailbox = parseMailbox(text)
  if (mailbox === null) throw new Error(`${text} is not a mailbox.`)
  return mailbox
}

function chooseTemplate(at: number): number {
  let sum = 0
  return TEMPLATES.findIndex(({ share }) => {
    sum += share
    return at < sum
  })
}

function fillTokens(text: string, random: () => number): string {
  return text.replace(TOKEN, () => Math.floor(random() * 36).toString(36))
}

/** Returns the HTML of a template as fixed text, and the places of values between. */
function makeTemplateOf(random: () => number, bytes: number, items: readonly string[]): Place[] {
  const places: Place[] = []
  const fixed = (text: string) => {
    places.push(() => text)
    return text.length
  }
  let length = fixed(
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><style>body{margin:0;background:#f3f4f6}</style></head>\n<body>\n',
  )
  while (length < bytes) {
    const [color, padding] = [Math.floor(random() * 0xffffff).toString(16), Math.floor(random() * 40)]
    length += fixed(
      `<p style="margin:0 0 ${padding}px;color:#${color};font:16px/24px Helvetica,Arial,sans-serif">`,
    )
    length += fixed(`${makeSentence(random)} ${makeSentence(random)}</p>\n`)
    if (random() < 0.3) {
      length += fixed('<a href="')
      places.push((own) => fillTokens(LINK, own))
      length +=
        fixed(`" style="color:#2563eb;text-decoration:underline">${makeSentence(random)}</a>\n`) + LINK.length
    }
    if (random() < 0.4) {
      length += fixed('<tr><td style="padding:12px 16px;border-bottom:1px solid #e5e7eb">')
      places.push((own) => items[Math.floor(own() * items.length)] ?? '')
      length += fixed('</td><td align="right" style="padding:12px 16px">') + 70
      places.push((own) => `EUR ${(own() * 200).toFixed(2)}`)
      length += fixed('</td></tr>\n')
    }
  }
  fixed('</body></html>\n')
  return places
}
