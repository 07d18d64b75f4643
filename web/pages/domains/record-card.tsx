import { Badge, Box, Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react'
import type { DomainWhole } from '../../api/records.ts'
import { CopyValue } from '../../ui/copy.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { texts } from './texts.ts'

type DnsRecord = DomainWhole['records'][number]

const PURPOSES: Readonly<Record<string, string>> = texts.recordCard.purposes

/** One record: what to publish, what DNS has, and how they differ. */
export function RecordCard({ record, zone }: { record: DnsRecord; zone: string }) {
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
          <Badge>{record.required ? texts.recordCard.needed : texts.recordCard.recommended}</Badge>
          <StatusBadge status={record.status} />
        </Group>
      </Group>
      <Stack gap="xs">
        <Line label={texts.recordCard.type}>{record.type}</Line>
        <Line label={texts.recordCard.name}>
          <CopyValue text={record.name} label={texts.recordCard.copyTheName} />
          <Text size="xs" c="dimmed">
            {texts.recordCard.ifProviderAddsZone(shortName(record.name, zone))}
          </Text>
        </Line>
        <Line label={texts.recordCard.value}>
          <CopyValue text={record.value} label={texts.recordCard.copyTheValue} />
        </Line>
        <Line label={texts.recordCard.inDns}>
          <Found record={record} />
        </Line>
      </Stack>
    </Box>
  )
}

/** Returns the name relative to the registered domain (roughly), which is what most providers' forms expect. */
function shortName(name: string, zone: string): string {
  const parent = zone.split('.').slice(-2).join('.')
  return name.endsWith(`.${parent}`) ? name.slice(0, -parent.length - 1) : name
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
  if (status === 'verified') return <Text size="sm">{texts.recordCard.publishedCorrectly}</Text>
  if (found === null)
    return (
      <Text size="sm" c="dimmed">
        {texts.recordCard.notCheckedYet}
      </Text>
    )
  if (found.length === 0) return <Text size="sm">{advice ?? texts.recordCard.nothingPublishedName}</Text>
  return (
    <>
      <Text size="sm">{advice ?? texts.recordCard.otherValuesArePublished(found.length)}</Text>
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
