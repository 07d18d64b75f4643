import { Button, Menu } from '@mantine/core'
import { IconListDetails, IconTrash } from '@tabler/icons-react'
import type { Contact, ContactList } from '../../api/records.ts'
import { useAll } from '../../api/whole-lists.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { plural } from '../../ui/plural.ts'
import { useEach } from '../../ui/tables/use-each.ts'

interface ContactBulkProps {
  contacts: readonly Contact[]
  /** Called with the contacts that an action has changed. */
  onDone(contacts: readonly Contact[]): void
}

/** The actions on the chosen contacts: adds them to a list, or deletes them. */
export function ContactBulk({ contacts, onDone }: ContactBulkProps) {
  const each = useEach()
  const lists = useAll<ContactList>('/lists')
  const askDelete = () =>
    confirm({
      title: plural(contacts.length, 'Delete 1 contact?', `Delete ${contacts.length} contacts?`),
      children: 'Removes them from every list and segment. This can’t be undone. Their emails stay.',
      action: 'Delete contacts',
      onConfirm: () =>
        each.run(contacts, {
          changeOf: ({ id }) => ({ path: `/contacts/${id}`, method: 'DELETE' }),
          describe: (count) => plural(count, '1 contact deleted.', `${count} contacts deleted.`),
          onDone,
        }),
    })
  const add = (listId: string) =>
    each.run(contacts, {
      changeOf: ({ id }) => ({
        path: `/contacts/${id}/lists`,
        method: 'POST',
        body: { list_ids: [listId] },
      }),
      describe: (count) => plural(count, '1 contact added.', `${count} contacts added.`),
      onDone,
    })
  return (
    <>
      {lists.data !== undefined && lists.data.length > 0 && (
        <Menu position="top" shadow="md" width={240}>
          <Menu.Target>
            <Button variant="default" leftSection={<IconListDetails />} loading={each.isRunning}>
              Add to list
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
            {lists.data.map(({ id, name }) => (
              <Menu.Item key={id} onClick={() => add(id)}>
                <span className="foreign">{name}</span>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Button variant="default" leftSection={<IconTrash />} loading={each.isRunning} onClick={askDelete}>
        Delete {contacts.length.toLocaleString()}
      </Button>
    </>
  )
}
