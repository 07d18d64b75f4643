import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconDots, IconDownload, IconPencil, IconTrash, IconUpload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ContactList } from '../../api/records.ts'
import { saveFile } from '../../api/request.ts'
import { useChange, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { Link } from '../../ui/link.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { texts } from './texts.ts'

/** The less common actions on a list. */
export function ListMenu({ list, onEdit }: { list: ContactList; onEdit: () => void }) {
  const team = useTeam()
  const navigate = useNavigate()
  const change = useChange({
    touches: ['/contacts'],
    onDone: () => {
      notifyDone(texts.menu.listRemoved(list.name))
      void navigate({ to: `/${team.id}/lists` })
    },
  })
  const save = () =>
    void saveFile('/contacts/export', { teamId: team.id, query: { list_id: list.id } }, 'contacts.csv').catch(
      notifyError,
    )
  const ask = () =>
    confirm({
      title: texts.menu.removeQuestion(list.name),
      children: <Text size="sm">{texts.menu.contactsThemselvesKeptCannot}</Text>,
      action: texts.menu.removeTheList,
      onConfirm: () =>
        change.mutate({ path: `/lists/${list.id}`, method: 'DELETE' }, { onError: notifyError }),
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={texts.menu.more}>
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil />} onClick={onEdit}>
          {texts.menu.rename}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconUpload />}
          component={Link}
          to={`/${team.id}/imports/contacts`}
          search={{ list_id: list.id } as never}
        >
          {texts.menu.importContacts}
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload />} onClick={save}>
          {texts.menu.exportContacts}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash />} onClick={ask}>
          {texts.menu.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
