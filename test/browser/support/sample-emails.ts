import { COUNTERS, noCounts } from '../../../src/metrics/counting/metric-counts-queries.ts'
import type { Dashboard } from './dashboard.ts'

/** Emails in different states, of a team whose mail goes to `dashboard.service.mx`. */
export interface SampleEmails {
  /** An email to four recipients with different results, with images and files. */
  mixedId: string
  /** An email that the server defers. */
  delayedId: string
  scheduledId: string
}

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAAAgCAIAAAAt/+nTAAAA70lEQVR42rXPUYYCAACE4bnBXHRukCRZSdbKWllJkiRJkmTP1Fv0vmf4H4bv+TcjD4I83y+k3ZeHQfCBcl8eBcEHyn15HAQfKPflSRB8oNyXP4LgA+W+PA2CD5T78iwIPlDuy/Mg+EC5L38GwQfKffkrCD5Q7suLIPhAuS9/B8EHyn35Jwg+UO7LyyD4QLkv/wbBB8p94UGrIO0+P7AO0u7zA5sg7T4/sA3S7vMDuyDtPj+wD9Lu8wOHIO0+P3AM0u7zA6cg7T4/cA7S7vMDlyDtPj9wDdLu8wO3IO0+P3AP0u7zA48g7T4/8Bek3f8HCIWc4lWM4l8AAAAASUVORK5CYII='

const HTML = `<!doctype html><html><head><style>@media (max-width: 480px) { .wide { padding: 16px !important } }</style></head>
<body style="margin:0;background:#f4f1ec;font-family:Georgia,serif;color:#2b2723">
<table role="presentation" width="100%"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="560" style="max-width:560px;width:100%;background:#fff;border-radius:8px">
<tr><td class="wide" style="padding:36px">
<img src="cid:logo" width="64" height="32" alt="Harbour Coffee">
<h1 style="font-size:24px">Thank you, Ann.</h1>
<p style="line-height:1.6">Your order <b>#48213</b> is on its way. Two bags of <i>Night Watch</i> leave our roastery today.</p>
<p><a href="https://shop.example.com/orders/48213" style="background:#0f7b6c;color:#fff;padding:10px 18px;border-radius:6px;text-decoration:none">Follow your order</a></p>
<img src="https://img.example.com/banner.png" width="480" height="120" style="max-width:100%" alt="Our autumn selection">
<p style="color:#6b645c;font-size:13px">Harbour Coffee, Pier 4. You get this email because you ordered.</p>
</td></tr></table></td></tr></table></body></html>`

/** A receipt with an inline image, a remote image, and a file. */
export const ORDER_MAIL = {
  subject: 'Your order #48213 is on its way',
  html: HTML,
  attachments: [
    { filename: 'logo.png', content: PNG, content_id: 'logo' },
    { filename: 'Invoice 2026-0117.pdf', content: Buffer.from('%PDF-1.4 '.repeat(5_000)).toString('base64') },
  ],
}

/** Sends the emails, and waits until they have their states. */
export async function fillEmails({ sender }: Pick<Dashboard, 'sender'>): Promise<SampleEmails> {
  const mixedId = await sender.send({
    from: `Harbour Coffee <orders@${sender.domain}>`,
    to: ['Ann Archer <delivered+ann@simulator.test>', 'bounced+bob@simulator.test'],
    cc: ['deferred+cleo@simulator.test'],
    bcc: ['complained+dan@simulator.test'],
    ...ORDER_MAIL,
    tags: [
      { name: 'kind', value: 'order' },
      { name: 'shop', value: 'harbour' },
    ],
  })
  const delayedId = await sender.send({
    to: 'deferred+eve@simulator.test',
    subject: 'Confirm your email address',
    html: '<p>Please confirm.</p>',
  })
  const scheduledId = await sender.send({
    to: 'delivered+finn@simulator.test',
    subject: 'Your week at Harbour Coffee',
    text: 'Soon.',
    scheduled_at: new Date(Date.now() + 26 * 3_600_000).toISOString(),
  })
  await sender.seen(mixedId, ({ recipients }) =>
    recipients.every(({ status }: { status: string }) => status !== 'queued'),
  )
  await sender.seen(delayedId, ({ status }) => status === 'delivery_delayed')
  return { mixedId, delayedId, scheduledId }
}

const DAY_MS = 24 * 3_600_000

/** Inserts metrics of the previous days, as they would have been counted: fewer on weekends, and one bad day. */
export async function fillFigures({ sender, service }: Pick<Dashboard, 'sender' | 'service'>): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  for (let daysAgo = 1; daysAgo < 90; daysAgo++) {
    const since = new Date(today - daysAgo * DAY_MS)
    const isWeekend = since.getUTCDay() % 6 === 0
    const accepted = Math.round((isWeekend ? 900 : 2_100) + 260 * Math.sin(daysAgo / 3) - 6 * daysAgo)
    const bounced = daysAgo === 4 ? 120 : Math.round(accepted * 0.011)
    const counts = { ...noCounts(), emails: accepted, accepted, queued: accepted, attempted: accepted }
    Object.assign(counts, {
      delivered: accepted - bounced,
      bounced,
      bounced_hard: bounced,
      complained: daysAgo % 5 === 0 ? 1 : 0,
      delivery_delayed: Math.round(accepted * 0.024),
    })
    await service.db.query(
      `insert into metric (team_id, grain, dimension, since, key, ${COUNTERS.join(', ')})
       values ($1, 'day', 'all', $2, '', ${COUNTERS.map((_, index) => `$${index + 3}`).join(', ')})`,
      [sender.id, since, ...COUNTERS.map((counter) => counts[counter])],
    )
  }
}
