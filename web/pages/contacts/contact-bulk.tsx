import { Button, Menu } from '@mantine/core'
import { IconListDetails, IconTrash } from '@tabler/icons-react'
import type { Contact, ContactList } from '../../api/records.ts'
import { useAll } from '../../api/whole-lists.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { useEach } from '../../ui/tables/use-each.ts'
import { texts } from './texts.ts'

/** The actions on the chosen contacts: adds them to a list, or deletes them. */
export function ContactBulk({ chosen, onDone }: { chosen: readonly Contact[]; onDone(): void }) {
  const each = useEach()
  const lists = useAll<ContactList>('/lists')
  const askDelete = () =>
    confirm({
      title: texts.bulk.deleteTitle(chosen.length),
      children: texts.bulk.deleteNote,
      action: texts.bulk.deleteAction,
      onConfirm: () =>
        each.run(
          chosen.map(({ id }) => ({ path: `/contacts/${id}`, method: 'DELETE' })),
          texts.bulk.deleted,
          onDone,
        ),
    })
  const add = (listId: string) =>
    each.run(
      chosen.map(({ id }) => ({
        path: `/contacts/${id}/lists`,
        method: 'POST',
        body: { list_ids: [listId] },
      })),
      texts.bulk.addedToList,
      onDone,
    )
  return (
    <>
      {lists.data !== undefined && lists.data.length > 0 && (
        <Menu position="top" shadow="md" width={240}>
          <Menu.Target>
            <Button variant="default" leftSection={<IconListDetails />} loading={each.isRunning}>
              {texts.bulk.addToList}
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
        {texts.bulk.delete(chosen.length)}
      </Button>
    </>
  )
}
