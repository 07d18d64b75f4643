import { Group, Progress, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import type { Import } from '../../api/records.ts'
import { useList, useTeam } from '../../api/team.ts'
import { showBytes } from '../../ui/bytes.ts'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Section } from '../../ui/page/section.tsx'
import { type Column, numberColumn } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { ImportStatus } from './import-status.tsx'
import type { ImportKind } from './kinds.ts'

const COLUMNS: readonly Column<Import>[] = [
  { header: 'Started', render: ({ created_at }) => <Moment at={created_at} /> },
  { header: 'Status', render: Status, width: 180 },
  numberColumn('Rows', ({ rows_read: rows }) => rows.toLocaleString(), 110),
  numberColumn('Skipped', ({ rows_failed: rows }) => rows.toLocaleString(), 110),
  numberColumn('File', ({ bytes }) => showBytes(bytes), 110),
]
const POLL_MS = 3_000

/** The imports of the last 30 days. */
export function PastImports({ kind }: { kind: ImportKind }) {
  const team = useTeam()
  const list = useList<Import>(`/${kind}/imports`, { refetchIntervalMs: POLL_MS })
  return (
    <Section title="Recent imports" isFlush>
      <DataTable
        label="Imports"
        columns={COLUMNS}
        list={list}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/${team.id}/imports/${kind}/${id}`}
        empty={
          <EmptyState icon={IconUpload} title="No imports yet">
            Results of imports appear here for 30 days.
          </EmptyState>
        }
      />
    </Section>
  )
}

function Status(of: Import) {
  const { status, progress } = of
  return (
    <Group gap="xs">
      <ImportStatus of={of} />
      {status === 'running' && (
        <>
          <Progress value={progress} w={60} aria-label="Progress" />
          <Text span size="xs" c="dimmed">
            {progress}%
          </Text>
        </>
      )}
    </Group>
  )
}
