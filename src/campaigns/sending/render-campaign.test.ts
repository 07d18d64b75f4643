import { expect, test } from 'vitest'
import { compileVersion, renderFor } from './render-campaign.ts'

test('properties may have the names of what every object has', () => {
  const version = {
    sender: 'shop@x.test',
    replyTo: null,
    subject: '{{CONSTRUCTOR}}, {{{VALUEOF|nobody}}}, {{{__PROTO__|nothing}}}',
    previewText: null,
    html: null,
    text: '{{constructor}}, {{__proto__}}',
    variables: [],
  }
  const contact = {
    contactId: 'c',
    email: 'ann@x.test',
    firstName: null,
    lastName: null,
    unsubscribed: false,
    values: JSON.parse('{"constructor":"Ann & Sons","__proto__":"proto"}') as Record<string, string>,
  }
  const render = (values: Record<string, string>, text: string) =>
    renderFor(
      compileVersion({ ...version, text }),
      { contact: { ...contact, values }, fallbacks: new Map(), unsubscribeUrl: '' },
      { kind: 'topic', topic: 'news' },
    )
  expect(render(contact.values, version.text)).toMatchObject({
    subject: 'Ann & Sons, nobody, proto',
    text: 'Ann & Sons, proto',
  })
  expect(() => render({}, 'Hello')).toThrow('The template variable CONSTRUCTOR is required.')
})
