import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconDots, IconDownload, IconPencil, IconTrash, IconUpload } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ContactList } from '../../api/records.ts'
import { saveFile } from '../../api/request.ts'
import { useChange, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/confirm.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'

/** What is done with a list less often. */
export function ListMenu({ list, onEdit }: { list: ContactList; onEdit: () => void }) {
  const team = useTeam()
  const navigate = useNavigate()
  const change = useChange({
    touches: ['/contacts'],
    onDone: () => {
      tellDone(`The list “${list.name}” is removed.`)
      void navigate({ to: `/${team.id}/lists` })
    },
  })
  const save = () =>
    void saveFile('/contacts/export', { teamId: team.id, query: { list_id: list.id } }, 'contacts.csv').catch(
      tellError,
    )
  const ask = () =>
    confirm({
      title: `Remove “${list.name}”?`,
      children: (
        <Text size="sm">
          Its contacts stay; who was in it is forgotten. A list that a running campaign or automation uses
          cannot be removed.
        </Text>
      ),
      action: 'Remove the list',
      onConfirm: () => change.mutate({ path: `/lists/${list.id}`, method: 'DELETE' }, { onError: tellError }),
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More">
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={onEdit}>
          Rename
        </Menu.Item>
        <Menu.Item
          leftSection={<IconUpload size={15} />}
          component={Link}
          to={`/${team.id}/imports/contacts`}
          search={{ list_id: list.id } as never}
        >
          Import contacts into it
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={15} />} onClick={save}>
          Export its contacts
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={ask}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
