import { Menu, Text } from '@mantine/core'
import { IconDownload, IconPencil, IconTrash, IconUpload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ContactList } from '../../api/records.ts'
import { saveFile } from '../../api/request.ts'
import { useChange, useTeam } from '../../api/team.ts'
import { DotsMenu } from '../../ui/dots-menu.tsx'
import { confirm } from '../../ui/forms/confirm.tsx'
import { Link } from '../../ui/link.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'

/** The less common actions on a list. */
export function ListMenu({ list, onEdit }: { list: ContactList; onEdit: () => void }) {
  const team = useTeam()
  const navigate = useNavigate()
  const change = useChange({
    touches: ['/contacts'],
    onDone: () => {
      notifyDone(`List “${list.name}” deleted.`)
      void navigate({ to: `/${team.id}/lists` })
    },
  })
  const save = () =>
    void saveFile('/contacts/export', { teamId: team.id, query: { list_id: list.id } }, 'contacts.csv').catch(
      notifyError,
    )
  const ask = () =>
    confirm({
      title: `Delete “${list.name}”?`,
      children: (
        <Text size="sm">
          The contacts themselves are kept. You cannot delete a list that a running campaign or automation
          uses.
        </Text>
      ),
      action: 'Delete list',
      onConfirm: () =>
        change.mutate({ path: `/lists/${list.id}`, method: 'DELETE' }, { onError: notifyError }),
    })
  return (
    <DotsMenu label="More" isFramed>
      <Menu.Item leftSection={<IconPencil />} onClick={onEdit}>
        Rename
      </Menu.Item>
      <Menu.Item
        leftSection={<IconUpload />}
        component={Link}
        to={`/${team.id}/imports/contacts`}
        search={{ list_id: list.id } as never}
      >
        Import contacts
      </Menu.Item>
      <Menu.Item leftSection={<IconDownload />} onClick={save}>
        Export contacts
      </Menu.Item>
      <Menu.Item color="red" leftSection={<IconTrash />} onClick={ask}>
        Delete
      </Menu.Item>
    </DotsMenu>
  )
}
