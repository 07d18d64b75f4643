import { Badge, Group, Text } from '@mantine/core'
import { IconServer } from '@tabler/icons-react'
import type { Node } from '../../api/records.ts'
import { useWholeList } from '../../api/whole-lists.ts'
import { showBytes } from '../../ui/bytes.ts'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { State } from '../../ui/status-badge.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { texts } from './texts.ts'

const REFRESH_MS = 5_000

const COLUMNS: readonly Column<Node>[] = [
  {
    header: texts.nodesPage.process,
    render: ({ host, process_id: pid, version }) => (
      <>
        <Text size="sm" fw={500} className="foreign">
          {host} · {pid}
        </Text>
        <Text size="xs" c="dimmed">
          {version}
        </Text>
      </>
    ),
  },
  {
    header: texts.nodesPage.roles,
    render: ({ roles }) => (
      <Group gap="xxs">
        {roles.map((role) => (
          <Badge key={role}>{role}</Badge>
        ))}
      </Group>
    ),
    isWide: true,
    width: '30%',
  },
  {
    header: texts.nodesPage.state,
    render: ({ state }) => (
      <State tone={state === 'up' ? 'green' : 'red'}>
        {state === 'up' ? texts.nodesPage.running : texts.nodesPage.silent}
      </State>
    ),
    width: 100,
  },
  {
    header: texts.nodesPage.leased,
    render: ({ deliveries_held: held }) => held?.toLocaleString() ?? '–',
    width: 80,
    align: 'right',
    isWide: true,
  },
  {
    header: texts.nodesPage.connections,
    render: ({ connections }) => connections,
    width: 110,
    align: 'right',
    isWide: true,
  },
  {
    header: texts.nodesPage.memory,
    render: ({ memory_bytes: bytes }) => showBytes(bytes),
    width: 100,
    align: 'right',
    isWide: true,
  },
  {
    header: texts.nodesPage.started,
    render: ({ started_at }) => <Moment at={started_at} isRelative />,
    width: 130,
  },
]

/** The running processes of the installation. */
export function NodesPage() {
  const list = useWholeList<Node>('/operator/nodes', { isTeamless: true, refetchIntervalMs: REFRESH_MS })
  return (
    <Page title={texts.nodesPage.nodes} description={texts.nodesPage.processesShareInstallations}>
      <Section isFlush>
        <DataTable
          label={texts.nodesPage.nodes}
          columns={COLUMNS}
          list={list}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon={IconServer} title={texts.nodesPage.noRunningProcesses}>
              {texts.nodesPage.everyProcessReportsEvery}
            </EmptyState>
          }
        />
      </Section>
    </Page>
  )
}
