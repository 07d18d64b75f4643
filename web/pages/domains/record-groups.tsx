import { Group, Text, Title } from '@mantine/core'
import type { DomainWhole } from '../../api/records.ts'
import { DmarcNote } from './dmarc-note.tsx'
import { RecordCard } from './record-card.tsx'
import { texts } from './texts.ts'

/** The records by what they are for, each group with its state. */
export function RecordGroups({ domain }: { domain: DomainWhole }) {
  return texts.recordGroups.map(({ purpose, title, note }) => {
    const records = domain.records.filter(({ record }) => record === purpose)
    if (records.length === 0) return null
    const done = records.filter(({ status }) => status === 'verified').length
    return (
      <section key={purpose} aria-label={title} className="record-group">
        <Group justify="space-between" gap="xs">
          <Title order={3}>{title}</Title>
          <Text size="sm" c="dimmed">
            {texts.published(done, records.length)}
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
