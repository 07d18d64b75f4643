import { Badge, Group, Text } from '@mantine/core'
import { IconServer } from '@tabler/icons-react'
import type { Node } from '../../api/records.ts'
import { useWholeList } from '../../api/whole-lists.ts'
import { showBytes } from '../../ui/bytes.ts'
import { State } from '../../ui/status-badge.tsx'
import { type Column, numberColumn } from '../../ui/tables/column.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { ResourcePage } from '../../ui/tables/resource-page.tsx'

const REFRESH_MS = 5_000

const COLUMNS: readonly Column<Node>[] = [
  {
    header: 'Process',
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
    header: 'Roles',
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
    header: 'State',
    render: ({ state }) => (
      <State tone={state === 'up' ? 'green' : 'red'}>{state === 'up' ? 'Running' : 'Silent'}</State>
    ),
    width: 100,
  },
  numberColumn('Leased', ({ deliveries_held: count }) => count?.toLocaleString() ?? '–', 80),
  numberColumn('Connections', ({ connections }) => connections, 110),
  numberColumn('Memory', ({ memory_bytes: bytes }) => showBytes(bytes), 100),
  momentColumn('Started', ({ started_at: at }) => at, { isRelative: true, width: 130, isWide: false }),
]

/** The running processes of the installation. */
export function NodesPage() {
  const list = useWholeList<Node>('/operator/nodes', { isTeamless: true, refetchIntervalMs: REFRESH_MS })
  return (
    <ResourcePage
      title="Nodes"
      description="The processes that share this installation’s database. A process that stops is listed as silent for an hour. The others take over its deliveries."
      columns={COLUMNS}
      list={list}
      empty={{
        icon: IconServer,
        title: 'No running processes',
        children: 'Every process reports every five seconds.',
      }}
    />
  )
}
