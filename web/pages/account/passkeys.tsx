import { Badge, Button, Group, Menu, Modal, Text, TextInput } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '../../api/account-records.ts'
import { knowsPasskeys } from '../../api/passkeys.ts'
import { keyOf } from '../../api/query-keys.ts'
import { requestJson } from '../../api/request.ts'
import { sessionQuery } from '../../api/session.ts'
import { useWholeList } from '../../api/whole-lists.ts'
import { DotsMenu } from '../../ui/dots-menu.tsx'
import { confirm } from '../../ui/forms/confirm.tsx'
import { DialogForm, useDialogForm } from '../../ui/forms/dialog-form.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import { actionsColumn, type Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { useProof } from './use-proof.tsx'

/** The user's passkeys. */
export function Passkeys() {
  const { remove, dialog } = useRemove()
  const list = useWholeList<Passkey>('/account/passkeys', { isTeamless: true })
  const [isAdding, setIsAdding] = useState(false)
  const [renamed, setRenamed] = useState<Passkey | null>(null)
  const columns: readonly Column<Passkey>[] = [
    ...FACTS,
    actionsColumn(
      (passkey) => (
        <Actions passkey={passkey} onRename={() => setRenamed(passkey)} onRemove={() => remove(passkey)} />
      ),
      60,
    ),
  ]
  return (
    <Section
      title="Passkeys"
      description="Log in with a fingerprint, face, PIN or security key, instead of your password or after it. Passkeys resist phishing."
      isFlush
      actions={
        knowsPasskeys() && (
          <Button variant="default" onClick={() => setIsAdding(true)}>
            Add passkey
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
            You have no passkeys yet.
          </Text>
        }
      />
      {dialog}
      <AddPasskey isOpen={isAdding} onClose={() => setIsAdding(false)} />
      <RenamePasskey passkey={renamed} onClose={() => setRenamed(null)} />
    </Section>
  )
}

const FACTS: readonly Column<Passkey>[] = [
  { header: 'Passkey', render: (passkey) => <Name passkey={passkey} /> },
  momentColumn('Last used', ({ last_used_at: at }) => at, { isRelative: true, none: 'Never', width: 140 }),
  momentColumn('Added', ({ created_at: at }) => at, { isRelative: true, width: 140 }),
]

/** Returns a function that removes a passkey after confirmation, and the dialog in which the user proves who they are. */
function useRemove() {
  const client = useQueryClient()
  const proof = useProof()
  const remove = ({ id, name }: Passkey) =>
    confirm({
      title: `Remove “${name}”?`,
      children:
        'You can no longer log in with it. Also remove it from your device, which otherwise keeps offering it.',
      action: 'Remove passkey',
      onConfirm: () =>
        void proof.run(async (body) => {
          await requestJson(`/account/passkeys/${id}`, { method: 'DELETE', body, teamId: null })
          void client.invalidateQueries({ queryKey: keyOf(null, '/account') })
          void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
          notifyDone(`Passkey “${name}” removed.`)
        }),
    })
  return { remove, dialog: proof.dialog }
}

function Name({ passkey: { name, is_backed_up } }: { passkey: Passkey }) {
  return (
    <Group gap="xs">
      <Text size="sm" fw={500} className="foreign">
        {name}
      </Text>
      <Badge>{is_backed_up ? 'Synced' : 'On one device'}</Badge>
    </Group>
  )
}

function Actions({ passkey, onRename, onRemove }: { passkey: Passkey; onRename(): void; onRemove(): void }) {
  return (
    <DotsMenu label={`Actions for ${passkey.name}`}>
      <Menu.Item leftSection={<IconPencil />} onClick={onRename}>
        Rename
      </Menu.Item>
      <Menu.Item color="red" leftSection={<IconTrash />} onClick={onRemove}>
        Remove
      </Menu.Item>
    </DotsMenu>
  )
}

/** @param passkey null while the dialog is closed */
function RenamePasskey({ passkey, onClose }: { passkey: Passkey | null; onClose(): void }) {
  return (
    <Modal opened={passkey !== null} onClose={onClose} title="Rename passkey">
      {passkey !== null && <Fields key={passkey.id} passkey={passkey} onClose={onClose} />}
    </Modal>
  )
}

function Fields({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  const { form, frame } = useDialogForm({
    initialValues: { name: passkey.name },
    requestOf: (body) => ({ path: `/account/passkeys/${passkey.id}`, method: 'PATCH', body }),
    isTeamless: true,
    touches: ['/session'],
    onDone: onClose,
    onClose,
  })
  return (
    <DialogForm {...frame} action="Save">
      <TextInput label="Name" data-autofocus maxLength={100} {...form.getInputProps('name')} />
    </DialogForm>
  )
}
