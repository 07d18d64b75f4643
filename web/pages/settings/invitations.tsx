import { Button, Group, Menu, Modal, Text } from '@mantine/core'
import { IconSend, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Invitation, SentInvitation } from '../../api/account-records.ts'
import { useChange, useList } from '../../api/team.ts'
import { DotsMenu } from '../../ui/dots-menu.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ROLE_TEXTS } from '../../ui/role-words.ts'
import { SentNote } from '../../ui/sent-invitation.tsx'
import { State } from '../../ui/status-badge.tsx'
import { actionsColumn, type Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { momentColumn } from '../../ui/tables/moment-column.tsx'

/** Pending invitations. */
export function Invitations() {
  const list = useList<Invitation>('/team/invitations')
  const inviting = useDialog('invite')
  const [sentInvitation, setSentInvitation] = useState<SentInvitation | null>(null)
  const columns: readonly Column<Invitation>[] = [
    { header: 'Invited', render: (invitation) => <Invited invitation={invitation} /> },
    { header: 'Role', render: ({ role }) => ROLE_TEXTS[role].label, width: 110 },
    momentColumn('Expires', ({ expires_at: at }) => at, { isRelative: true, width: 150 }),
    actionsColumn((invitation) => <Actions invitation={invitation} onSent={setSentInvitation} />),
  ]
  return (
    <Section title="Pending invitations" isFlush>
      <DataTable
        label="Pending invitations"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <Group px="md" pb="md" gap="xs">
            <Text size="sm" c="dimmed">
              No pending invitations.
            </Text>
            <Button variant="subtle" size="compact-sm" onClick={() => inviting.open()}>
              Invite member
            </Button>
          </Group>
        }
      />
      <Modal
        opened={sentInvitation !== null}
        onClose={() => setSentInvitation(null)}
        title="The invitation is ready"
      >
        {sentInvitation !== null && (
          <SentNote invitation={sentInvitation} onClose={() => setSentInvitation(null)} />
        )}
      </Modal>
    </Section>
  )
}

function Invited({ invitation: { email, status } }: { invitation: Invitation }) {
  return (
    <Group gap="xs">
      <Text size="sm" fw={500} className="foreign">
        {email}
      </Text>
      {status === 'expired' ? <State tone="amber">Expired</State> : <State tone="amber">Pending</State>}
    </Group>
  )
}

function Actions({ invitation, onSent }: { invitation: Invitation; onSent(sent: SentInvitation): void }) {
  const resend = useChange<SentInvitation>({ onDone: onSent, onError: notifyError })
  const withdraw = useChange({
    onDone: () => notifyDone(`Invitation of ${invitation.email} withdrawn.`),
    onError: notifyError,
  })
  const path = `/team/invitations/${invitation.id}`
  return (
    <DotsMenu label={`Actions for the invitation of ${invitation.email}`}>
      <Menu.Item
        leftSection={<IconSend />}
        onClick={() => resend.mutate({ path: `${path}/resend`, method: 'POST' })}
      >
        Send again with a new link
      </Menu.Item>
      <Menu.Item
        color="red"
        leftSection={<IconTrash />}
        onClick={() => withdraw.mutate({ path, method: 'DELETE' })}
      >
        Withdraw
      </Menu.Item>
    </DotsMenu>
  )
}
