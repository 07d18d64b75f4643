import { Menu, Text } from '@mantine/core'
import { IconDownload, IconPencil, IconTrash, IconUpload } from '@tabler/icons-react'
import type { ContactList } from '../../api/records.ts'
import { saveFile } from '../../api/request.ts'
import { useTeam } from '../../api/team.ts'
import { DotsMenu } from '../../ui/dots-menu.tsx'
import { useDelete } from '../../ui/forms/use-delete.ts'
import { Link } from '../../ui/link.tsx'
import { notifyError } from '../../ui/notifications.tsx'

/** The less common actions on a list. */
export function ListMenu({ list, onEdit }: { list: ContactList; onEdit: () => void }) {
  const team = useTeam()
  const save = () =>
    void saveFile('/contacts/export', { teamId: team.id, query: { list_id: list.id } }, 'contacts.csv').catch(
      notifyError,
    )
  const ask = useDelete({
    path: `/lists/${list.id}`,
    touches: ['/contacts'],
    title: `Delete “${list.name}”?`,
    children: (
      <Text size="sm">
        The contacts themselves are kept. You cannot delete a list that a running campaign or automation uses.
      </Text>
    ),
    action: 'Delete list',
    done: `List “${list.name}” deleted.`,
    leaveTo: '/lists',
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
