import Type from 'typebox'
import { Text, TextOrNull, TimestampOrNull } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { type Alert, ATTENTION_KINDS } from './alert.ts'

const EXAMPLE = {
  object: 'attention_item',
  kind: 'domain_unverified',
  severity: 'warning',
  message:
    'example.com is not verified yet, so nothing can be sent from it: publish its DNS records. The DKIM record was not found.',
  subject: { type: 'domain', id: '0198c0de-0000-7000-8000-0000000000b1', name: 'example.com' },
  since: '2026-01-15 12:00:00',
}

export const AlertsAnswer = Type.Object(
  {
    object: Type.Literal('attention_item'),
    kind: Type.Enum([...ATTENTION_KINDS], { description: 'Kind of alert.' }),
    severity: Type.Enum(['info', 'warning', 'critical'], {
      description: '`critical`: mail or events are delayed or rejected, or soon will be.',
    }),
    message: Text('Explanation and what to do, for people.'),
    subject: Type.Union(
      [
        Type.Object({
          type: Text(
            '`domain`, `webhook`, `email`, `campaign`, `automation`, `api_key`, or `site` (that mail waits for).',
          ),
          id: TextOrNull('Id of the subject, if it has one.'),
          name: Text('Name of the subject: a name, URL, subject line, or recipient domain.'),
        }),
        Type.Null(),
      ],
      { description: 'Record concerned. Null: the whole team.' },
    ),
    since: Type.Union([TimestampOrNull], { description: 'When the problem started, if known.' }),
  },
  { title: 'Alert', examples: [EXAMPLE] },
)

export function alertToJson({ since, ...item }: Alert) {
  return { object: 'attention_item', ...item, since: formatTime(since) }
}
