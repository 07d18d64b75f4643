import { Menu } from '@mantine/core'
import { IconDownload, IconEraser, IconTrash } from '@tabler/icons-react'
import type { Contact } from '../../api/records.ts'
import { saveFile } from '../../api/request.ts'
import { useMay, useTeam } from '../../api/team.ts'
import { DotsMenu } from '../../ui/dots-menu.tsx'
import { useDelete } from '../../ui/forms/use-delete.ts'
import { notifyError } from '../../ui/notifications.tsx'

/** The less common actions on a contact. */
export function ContactMenu({ contact, onErase }: { contact: Contact; onErase: () => void }) {
  const team = useTeam()
  const may = useMay()
  const remove = useRemove(contact)
  const save = () =>
    void saveFile(`/contacts/${contact.id}/export`, { teamId: team.id }, 'person.json').catch(notifyError)
  const mayChange = may.change('Contacts')
  const mayErase = may.change('Personal data')
  return (
    <DotsMenu label="More" isFramed width={270}>
      <Menu.Item leftSection={<IconDownload />} onClick={save}>
        Export all data
      </Menu.Item>
      {(mayChange || mayErase) && <Menu.Divider />}
      {mayChange && (
        <Menu.Item color="red" leftSection={<IconTrash />} onClick={remove}>
          Delete contact
        </Menu.Item>
      )}
      {mayErase && (
        <Menu.Item color="red" leftSection={<IconEraser />} onClick={onErase}>
          Erase person everywhere
        </Menu.Item>
      )}
    </DotsMenu>
  )
}

function useRemove(contact: Contact): () => void {
  return useDelete({
    path: `/contacts/${contact.id}`,
    touches: ['/lists', '/segments'],
    title: 'Delete this contact?',
    children: (
      <>
        <b className="foreign">{contact.email}</b> is removed from every list and segment, with all property
        values. This can’t be undone. Emails that were sent to the address are kept; to delete those too,
        erase the person.
      </>
    ),
    action: 'Delete contact',
    done: `${contact.email} deleted.`,
    leaveTo: '/contacts',
  })
}
