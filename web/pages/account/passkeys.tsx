import { ActionIcon, Badge, Button, Group, Menu, Text } from '@mantine/core'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '../../api/account-records.ts'
import { knowsPasskeys } from '../../api/passkeys.ts'
import { ask } from '../../api/request.ts'
import { sessionQuery } from '../../api/session.ts'
import { keyOf } from '../../api/team.ts'
import { useWholeList } from '../../api/whole-lists.ts'
import { confirm } from '../../ui/confirm.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { tellDone } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { RenamePasskey } from './rename-passkey.tsx'
import { useProof } from './use-proof.tsx'

/** Devices and keys that log a person in. */
export function Passkeys() {
  const client = useQueryClient()
  const proof = useProof()
  const list = useWholeList<Passkey>('/account/passkeys', { isTeamless: true })
  const [isAdding, setIsAdding] = useState(false)
  const [renamed, setRenamed] = useState<Passkey | null>(null)
  const remove = ({ id, name }: Passkey) =>
    confirm({
      title: `Remove “${name}”?`,
      children:
        'It logs nobody in any more. Remove it from the device as well, or the device goes on to offer it.',
      action: 'Remove the passkey',
      onConfirm: () =>
        void proof.run(async (body) => {
          await ask(`/account/passkeys/${id}`, { method: 'DELETE', body, teamId: null })
          void client.invalidateQueries({ queryKey: keyOf(null, '/account') })
          void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
          tellDone(`“${name}” is removed.`)
        }),
    })
  const columns: readonly Column<Passkey>[] = [
    { header: 'Passkey', render: (passkey) => <Name passkey={passkey} /> },
    {
      header: 'Used last',
      render: ({ last_used_at }) => <Moment at={last_used_at} isRelative none="Never" />,
      width: 140,
      isWide: true,
    },
    {
      header: 'Added',
      render: ({ created_at }) => <Moment at={created_at} isRelative />,
      width: 140,
      isWide: true,
    },
    {
      header: 'Actions',
      hasActions: true,
      align: 'right',
      width: 60,
      render: (passkey) => (
        <Actions passkey={passkey} onRename={() => setRenamed(passkey)} onRemove={() => remove(passkey)} />
      ),
    },
  ]
  return (
    <Section
      title="Passkeys"
      description="A fingerprint, a face, a PIN or a security key: in place of the password, or after it. They cannot be phished."
      isFlush
      actions={
        knowsPasskeys() && (
          <Button variant="default" onClick={() => setIsAdding(true)}>
            Add a passkey
          </Button>
        )
      }
    >
      <DataTable
        label="Passkeys"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <Text size="sm" c="dimmed" px="md" pb="md">
            You have none yet.
          </Text>
        }
      />
      {proof.dialog}
      <AddPasskey isOpen={isAdding} onClose={() => setIsAdding(false)} />
      <RenamePasskey passkey={renamed} onClose={() => setRenamed(null)} />
    </Section>
  )
}

function Name({ passkey: { name, is_backed_up } }: { passkey: Passkey }) {
  return (
    <Group gap={8}>
      <Text size="sm" fw={550} className="foreign">
        {name}
      </Text>
      <Badge color="gray">{is_backed_up ? 'Synced' : 'On one device'}</Badge>
    </Group>
  )
}

function Actions({ passkey, onRename, onRemove }: { passkey: Passkey; onRename(): void; onRemove(): void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={`What can be done with ${passkey.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={onRename}>
          Rename
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={onRemove}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
