import { Badge, Box, Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react'
import type { DomainWhole } from '../../api/records.ts'
import { CopyValue } from '../../ui/copy.tsx'
import { plural } from '../../ui/plural.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'

type DnsRecord = DomainWhole['records'][number]

const PURPOSES: Readonly<Record<string, string>> = {
  DKIM: 'publishes the key that verifies your signatures',
  SPF: 'sets the return path, so that bounces come back and SPF passes',
  DMARC: 'tells receivers how to treat forged mail',
  Tracking: 'the host of tracked links and open pixels',
}

interface RecordCardProps {
  record: DnsRecord
  /** The DNS zone that contains the record. Null: not known. */
  zone: string | null
}

/** One record: what to publish, what DNS has, and how they differ. */
export function RecordCard({ record, zone }: RecordCardProps) {
  const shortName = zone === null ? null : nameInZone(record.name, zone)
  return (
    <Box py="md" style={{ borderTop: '1px solid var(--app-border)' }}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Group gap="xs">
          <StateIcon status={record.status} />
          <Text fw={600} size="sm">
            {record.record}
          </Text>
          <Text size="sm" c="dimmed">
            {PURPOSES[record.record] ?? ''}
          </Text>
        </Group>
        <Group gap="xs">
          <Badge>{record.required ? 'required' : 'recommended'}</Badge>
          <StatusBadge status={record.status} />
        </Group>
      </Group>
      <Stack gap="xs">
        <Line label="Type">{record.type}</Line>
        <Line label="Name">
          <CopyValue text={record.name} label="Copy name" />
          {shortName !== null && (
            <Text size="xs" c="dimmed">
              If your provider adds the zone itself, enter only: {shortName}
            </Text>
          )}
        </Line>
        <Line label="Value">
          <CopyValue text={record.value} label="Copy value" />
        </Line>
        <Line label="In DNS">
          <Found record={record} />
        </Line>
      </Stack>
    </Box>
  )
}

/** Returns the name without its zone, as the forms of most providers expect it; null if it is not below the zone. */
function nameInZone(name: string, zone: string): string | null {
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : null
}

function Line({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap">
      <Text size="sm" c="dimmed" w={52} style={{ flexShrink: 0 }}>
        {label}
      </Text>
      <Box style={{ minWidth: 0, flex: 1 }} fz="sm">
        {children}
      </Box>
    </Group>
  )
}

/** Shows the records that the last DNS lookup found, and how to mend them. */
function Found({ record: { found, status, advice } }: { record: DnsRecord }) {
  if (status === 'verified') return <Text size="sm">Published correctly.</Text>
  if (found === null)
    return (
      <Text size="sm" c="dimmed">
        Not checked yet.
      </Text>
    )
  if (found.length === 0) return <Text size="sm">{advice ?? 'Nothing is published at this name.'}</Text>
  return (
    <>
      <Text size="sm">
        {advice ?? plural(found.length, 'Something else is published:', 'Other values are published:')}
      </Text>
      {found.map((text) => (
        <Text key={text} className="code foreign" c="dimmed">
          {text}
        </Text>
      ))}
    </>
  )
}

function StateIcon({ status }: { status: DnsRecord['status'] }) {
  if (status === 'verified') return <IconCircleCheck color="var(--mantine-color-green-filled)" aria-hidden />
  if (status === 'failed') return <IconCircleX color="var(--mantine-color-red-filled)" aria-hidden />
  return <IconCircleDashed color="var(--app-dimmed)" aria-hidden />
}
