import MailComposer from 'nodemailer/lib/mail-composer'
import { seedRandom } from '../../test/support/random.ts'

/** The contents of a transactional email. */
export interface Draft {
  subject: string
  text: string
  html: string
}

/** A placeholder for the number of an email, which the load generator replaces by a number of the same length. */
export const NUMBER_PLACEHOLDER = '00000000'
const HTML_BYTES = 7_600
const TEXT_BYTES = 2_400

const WORDS =
  `your order has been shipped and will arrive between monday and wednesday please keep this message for
reference if anything looks wrong reply to it or open the help page account invoice delivery address payment card
ending total amount including tax returns are free within thirty days of receipt we packed it with care at our
warehouse in Malmö the courier will ring once café leather notebook walnut desk lamp ceramic mug wool blanket
linen shirt size medium colour forest green quantity one gift wrapped thank you for shopping with us naïve jalapeño
update preferences security code expires soon sign in from a new device near Zürich was noticed confirm that it was
you track parcel number support team opening hours weekdays nine to six evening weekend closed`.split(/\s+/)

/** Returns a sentence of 6 to 17 words. */
export function makeSentence(random: () => number): string {
  const words = Array.from(
    { length: 6 + Math.floor(random() * 12) },
    () => WORDS[Math.floor(random() * WORDS.length)],
  )
  const sentence = words.join(' ')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${random() < 0.1 ? ' – €' : ''}.`
}

function makeTableRow(random: () => number): string {
  const price = (random() * 200).toFixed(2)
  const link = Math.floor(random() * 0xffff_ffff).toString(16)
  return `    <tr>
      <td style="padding:12px 16px;border-bottom:1px solid #e5e7eb;font:14px/20px Helvetica,Arial,sans-serif">
        <a href="https://shop.example/items/${link}?ref=mail" style="color:#2563eb">${makeSentence(random)}</a></td>
      <td align="right" style="padding:12px 16px;border-bottom:1px solid #e5e7eb">€ ${price}</td>
    </tr>
`
}

function makeHtml(random: () => number): string {
  let html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Order ${NUMBER_PLACEHOLDER}</title></head>
<body style="margin:0;background:#f3f4f6">
  <h1 style="font:24px Helvetica,Arial,sans-serif">${makeSentence(random)}</h1>
  <table width="600" cellpadding="0" cellspacing="0" align="center" style="background:#ffffff;border-radius:8px">
`
  while (Buffer.byteLength(html) < HTML_BYTES) html += makeTableRow(random)
  return `${html}  </table>\n</body></html>\n`
}

function makeText(random: () => number): string {
  let text = `Order ${NUMBER_PLACEHOLDER}\n\n`
  while (Buffer.byteLength(text) < TEXT_BYTES) text += `${makeSentence(random)}\n`
  return text
}

/** Returns one of a series of different messages, with 10 KB of HTML and text together. */
export function makeDraft(seed: number): Draft {
  const random = seedRandom(seed)
  return {
    subject: `Order ${NUMBER_PLACEHOLDER}: ${makeSentence(random).slice(0, 40)}`,
    text: makeText(random),
    html: makeHtml(random),
  }
}

/**
 * Composes the MIME message of a draft, for peers that accept only complete messages. Lines end with LF;
 * smtp-source adds the CR.
 */
export async function composeMessage(draft: Draft, from: string, to: string): Promise<string> {
  const bytes = await new MailComposer({ ...draft, from, to, newline: '\n' }).compile().build()
  return bytes.toString('latin1').replaceAll('\r\n', '\n')
}
