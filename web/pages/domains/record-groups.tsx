import { Group, Text, Title } from '@mantine/core'
import type { DomainWhole } from '../../api/records.ts'
import { DmarcNote } from './dmarc-note.tsx'
import { RecordCard } from './record-card.tsx'

const RECORD_GROUPS = [
  { purpose: 'DKIM', title: 'Sign your email', note: 'Receivers verify each signature with these keys.' },
  {
    purpose: 'SPF',
    title: 'Receive bounces',
    note: 'Bounces return to a name of your domain, so that SPF passes.',
  },
  {
    purpose: 'DMARC',
    title: 'Protect against forgery',
    note: 'Tells receivers how to treat mail that forges your domain. Large providers require this record from bulk senders.',
  },
  {
    purpose: 'Tracking',
    title: 'Track opens and clicks',
    note: 'Links and the pixel use this host of your domain.',
  },
]

/** The records by what they are for, each group with its state. */
export function RecordGroups({ domain }: { domain: DomainWhole }) {
  return RECORD_GROUPS.map(({ purpose, title, note }) => {
    const records = domain.records.filter(({ record }) => record === purpose)
    if (records.length === 0) return null
    const done = records.filter(({ status }) => status === 'verified').length
    return (
      <section key={purpose} aria-label={title} className="record-group">
        <Group justify="space-between" gap="xs">
          <Title order={3}>{title}</Title>
          <Text size="sm" c="dimmed">
            {done} of {records.length} published
          </Text>
        </Group>
        <Text size="sm" c="dimmed" mb="xs">
          {note}
        </Text>
        {records.map((record) => (
          <RecordCard key={`${record.type} ${record.name}`} record={record} zone={domain.name} />
        ))}
        {purpose === 'DMARC' && <DmarcNote domain={domain} />}
      </section>
    )
  })
}
