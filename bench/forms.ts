import { type Figure, PRODUCT, type Sample, type Scale, type Subject } from './support/figure.ts'
import { measureAccept } from './support/measure-accept.ts'
import { WARM_UP_COUNT } from './support/names.ts'
import { Product } from './support/product.ts'
import type { LoadForm } from './support/send-load.ts'
import { createTemplate } from './support/senders.ts'

const FIELDS = 'its fields'

async function measureForm(form: LoadForm, { acceptCount }: Scale): Promise<Sample> {
  const count = acceptCount / 2
  const product = await Product.create(1)
  try {
    await product.start({ roles: 'api' })
    const senders = await product.createSenders(count + WARM_UP_COUNT)
    const ready =
      form !== 'template'
        ? senders
        : await Promise.all(
            senders.map(async (one) => ({ ...one, templateId: await createTemplate(product.port, one) })),
          )
    const sample = await measureAccept({ port: product.port, senders: ready, form }, product.pids, count)
    return { ...sample, nodePeakMb: product.readPeakMb() }
  } finally {
    await product.remove()
  }
}

const subject = (name: string, form: LoadForm): Subject => ({
  name,
  measure: (scale) => measureForm(form, scale),
})

export const template: Figure = {
  name: 'template',
  title: 'Accept with a template: the same 10 KB, rendered here',
  measures: { rate: 'emails/s' },
  subjects: [subject(FIELDS, 'fields'), subject(PRODUCT, 'template')],
  targets: [
    {
      what: 'acceptance with a template within 15 % of acceptance without',
      measure: 'rate',
      peer: FIELDS,
      bound: { least: 0.85 },
    },
  ],
  note: 'Both rows are Sendwright: the peer sends html and text, the other one the values of 39 variables.',
}

export const mime: Figure = {
  name: 'mime',
  title: 'Accept raw messages: POST /emails/mime, 10 KB',
  measures: { rate: 'emails/s' },
  subjects: [subject(FIELDS, 'fields'), subject(PRODUCT, 'mime')],
  targets: [],
  note: 'Both rows are Sendwright: the peer is POST /emails with the same text and html.',
}
