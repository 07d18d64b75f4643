import { Button, Group, Text } from '@mantine/core'
import type { OwnSession } from '../../api/account-records.ts'
import { useWholeList } from '../../api/whole-lists.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import { plural } from '../../ui/plural.ts'
import { State } from '../../ui/status-badge.tsx'
import { actionsColumn, type Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { describeBrowser } from './describe-browser.ts'
import { useAccountChange } from './use-account-change.ts'

/** The sessions of the user. */
export function Sessions() {
  const list = useWholeList<OwnSession>('/account/sessions', { isTeamless: true })
  return (
    <Section
      title="Sessions"
      description="The browsers that are logged in with your account. A session ends after 14 days without use."
      isFlush
      actions={list.rows.length > 1 && <EndOthers />}
    >
      <DataTable label="Sessions" columns={COLUMNS} list={list} keyOf={({ id }) => id} empty={null} />
    </Section>
  )
}

const COLUMNS: readonly Column<OwnSession>[] = [
  { header: 'Browser', render: (session) => <Browser session={session} /> },
  momentColumn('Last seen', ({ last_seen_at: at }) => at, { isRelative: true, width: 140 }),
  momentColumn('Logged in', ({ created_at: at }) => at, { isRelative: true, width: 140 }),
  actionsColumn((session) => (session.is_current ? null : <End session={session} />), 110),
]

function End({ session: { id, user_agent } }: { session: OwnSession }) {
  const end = useAccountChange({ onDone: () => notifyDone('Browser logged out.'), onError: notifyError })
  return (
    <Button
      variant="subtle"
      color="red"
      size="compact-sm"
      aria-label={`Log out ${describeBrowser(user_agent)}`}
      onClick={() => end.mutate({ path: `/account/sessions/${id}`, method: 'DELETE' })}
    >
      Log out
    </Button>
  )
}

function EndOthers() {
  const end = useAccountChange<{ deleted: number }>({
    onDone: ({ deleted: count }) =>
      notifyDone(plural(count, '1 browser is logged out.', `${count} browsers are logged out.`)),
    onError: notifyError,
  })
  const ask = () =>
    confirm({
      title: 'Log out all other browsers?',
      children: 'Only this browser stays logged in.',
      action: 'Log out others',
      onConfirm: () => end.mutate({ path: '/account/sessions', method: 'DELETE' }),
    })
  return (
    <Button variant="default" onClick={ask}>
      Log out all others
    </Button>
  )
}

function Browser({ session: { is_current, user_agent, ip_address } }: { session: OwnSession }) {
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={500} className="foreign">
          {describeBrowser(user_agent)}
        </Text>
        {is_current && <State tone="green">This browser</State>}
      </Group>
      <Text size="xs" c="dimmed" className="code">
        {ip_address}
      </Text>
    </>
  )
}
