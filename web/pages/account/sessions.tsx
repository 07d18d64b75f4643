import { Badge, Button, Group, Text } from '@mantine/core'
import type { OwnSession } from '../../api/account-records.ts'
import { useWholeList } from '../../api/whole-lists.ts'
import { confirm } from '../../ui/confirm.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'
import { describeBrowser } from './describe-browser.ts'
import { useAccountChange } from './use-account-change.ts'

/** Where one is logged in. */
export function Sessions() {
  const list = useWholeList<OwnSession>('/account/sessions', { isTeamless: true })
  const end = useAccountChange({ onDone: () => tellDone('That browser is logged out.') })
  const endOthers = useAccountChange<{ deleted: number }>({
    onDone: ({ deleted }) =>
      tellDone(`${deleted} ${deleted === 1 ? 'browser is' : 'browsers are'} logged out.`),
  })
  const columns: readonly Column<OwnSession>[] = [
    { header: 'Browser', render: (session) => <Browser session={session} /> },
    {
      header: 'Seen last',
      render: ({ last_seen_at }) => <Moment at={last_seen_at} isRelative />,
      width: 140,
      isWide: true,
    },
    {
      header: 'Logged in',
      render: ({ created_at }) => <Moment at={created_at} isRelative />,
      width: 140,
      isWide: true,
    },
    {
      header: 'Actions',
      hasActions: true,
      align: 'right',
      width: 110,
      render: (session) =>
        session.is_current ? null : (
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            aria-label={`Log out ${describeBrowser(session.user_agent)}`}
            onClick={() =>
              end.mutate(
                { path: `/account/sessions/${session.id}`, method: 'DELETE' },
                { onError: tellError },
              )
            }
          >
            Log out
          </Button>
        ),
    },
  ]
  const askForAll = () =>
    confirm({
      title: 'Log out all other browsers?',
      children: 'This one stays. Whoever uses the others must log in again.',
      action: 'Log them out',
      onConfirm: () =>
        endOthers.mutate({ path: '/account/sessions', method: 'DELETE' }, { onError: tellError }),
    })
  return (
    <Section
      title="Where you are logged in"
      description="A browser that is not used for 14 days is logged out by itself."
      isFlush
      actions={
        list.rows.length > 1 && (
          <Button variant="default" onClick={askForAll}>
            Log out all others
          </Button>
        )
      }
    >
      <DataTable
        label="Where you are logged in"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={null}
      />
    </Section>
  )
}

function Browser({ session: { is_current, user_agent, ip_address } }: { session: OwnSession }) {
  return (
    <>
      <Group gap={8}>
        <Text size="sm" fw={550} className="foreign">
          {describeBrowser(user_agent)}
        </Text>
        {is_current && <Badge color="green">This browser</Badge>}
      </Group>
      <Text size="xs" c="dimmed" className="code">
        {ip_address}
      </Text>
    </>
  )
}
