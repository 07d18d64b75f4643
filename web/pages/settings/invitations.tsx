import { ActionIcon, Badge, Button, Group, Menu, Modal, Text } from '@mantine/core'
import { IconDots, IconSend, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Invitation, SentInvitation } from '../../api/account-records.ts'
import { useChange, useList } from '../../api/team.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { useDialog } from '../../ui/dialog.ts'
import { Moment } from '../../ui/moment.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { ROLE_TEXTS } from '../../ui/role-words.ts'
import { Section } from '../../ui/section.tsx'
import { SentNote } from '../../ui/sent-invitation.tsx'

/** Who was invited and has not come yet. */
export function Invitations() {
  const list = useList<Invitation>('/team/invitations')
  const inviting = useDialog('invite')
  const [sent, setSent] = useState<SentInvitation | null>(null)
  const columns: readonly Column<Invitation>[] = [
    { header: 'Invited', render: (invitation) => <Invited invitation={invitation} /> },
    { header: 'Role', render: ({ role }) => ROLE_TEXTS[role].label, width: 110 },
    {
      header: 'Link works until',
      render: ({ expires_at }) => <Moment at={expires_at} isRelative />,
      width: 150,
      isWide: true,
    },
    {
      header: 'Actions',
      hasActions: true,
      align: 'right',
      width: 56,
      render: (invitation) => <Actions invitation={invitation} onSent={setSent} />,
    },
  ]
  return (
    <Section title="Open invitations" isFlush>
      <DataTable
        label="Open invitations"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <Group px="md" pb="md" gap="xs">
            <Text size="sm" c="dimmed">
              None is open.
            </Text>
            <Button variant="subtle" size="compact-sm" onClick={() => inviting.open()}>
              Invite a person
            </Button>
          </Group>
        }
      />
      <Modal opened={sent !== null} onClose={() => setSent(null)} title="The invitation is ready">
        {sent !== null && <SentNote sent={sent} onClose={() => setSent(null)} />}
      </Modal>
    </Section>
  )
}

function Invited({ invitation: { email, status } }: { invitation: Invitation }) {
  return (
    <Group gap={8}>
      <Text size="sm" fw={550} className="foreign">
        {email}
      </Text>
      {status === 'expired' ? <Badge color="orange">Expired</Badge> : <Badge color="yellow">Pending</Badge>}
    </Group>
  )
}

function Actions({ invitation, onSent }: { invitation: Invitation; onSent(sent: SentInvitation): void }) {
  const resend = useChange<SentInvitation>({ onDone: onSent })
  const withdraw = useChange({
    onDone: () => tellDone(`The invitation of ${invitation.email} is withdrawn.`),
  })
  const path = `/team/invitations/${invitation.id}`
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={`What can be done with the invitation of ${invitation.email}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconSend size={15} />}
          onClick={() => resend.mutate({ path: `${path}/resend`, method: 'POST' }, { onError: tellError })}
        >
          Send again with a new link
        </Menu.Item>
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={15} />}
          onClick={() => withdraw.mutate({ path, method: 'DELETE' }, { onError: tellError })}
        >
          Withdraw
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
