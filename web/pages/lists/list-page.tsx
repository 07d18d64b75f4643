import { ActionIcon, Button, Modal, Stack, TextInput, Tooltip } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconUserMinus, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { Contact, ContactList } from '../../api/records.ts'
import { useChange, useGet, useList, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { NameForm } from '../../ui/forms/name-form.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { plural } from '../../ui/plural.ts'
import { actionsColumn, type Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { ListMenu } from './list-menu.tsx'

/** One list and its contacts. */
export function ListPage() {
  const { listId } = useParams({ from: '/inside/$teamId/lists/$listId' })
  const team = useTeam()
  const { data, error, refetch } = useGet<ContactList>(`/lists/${listId}`)
  const mayChange = useMay().change('Lists')
  const editing = useDialog('edit', mayChange)
  const adding = useDialog('add', mayChange)
  const trail = [{ label: 'Lists', to: `/${team.id}/lists` }]
  if (data === undefined)
    return <PendingPage title="List" trail={trail} error={error} onRetry={() => void refetch()} />
  const add = (
    <Button leftSection={<IconUserPlus />} onClick={() => adding.open()}>
      Add contact
    </Button>
  )
  return (
    <Page
      title={data.name}
      trail={trail}
      description={plural(data.contact_count, '1 contact', `${data.contact_count.toLocaleString()} contacts`)}
      actions={
        mayChange && (
          <>
            {add}
            <ListMenu list={data} onEdit={() => editing.open()} />
          </>
        )
      }
    >
      <Members list={data} mayChange={mayChange} add={mayChange && add} />
      <NameForm
        isOpen={editing.isOpen}
        onClose={editing.close}
        title="Rename list"
        record={data}
        path="/lists"
        onDone={editing.close}
      />
      <Modal opened={adding.isOpen} onClose={adding.close} title="Add contact">
        <AddMember list={data} onClose={adding.close} />
      </Modal>
    </Page>
  )
}

interface MembersProps {
  list: ContactList
  mayChange: boolean
  add: React.ReactNode
}

function Members({ list, mayChange, add }: MembersProps) {
  const team = useTeam()
  const contacts = useList<Contact>(`/lists/${list.id}/contacts`)
  const columns: readonly Column<Contact>[] = [
    { header: 'Address', render: ({ email }) => <span className="foreign">{email}</span> },
    {
      header: 'Name',
      render: ({ first_name: first, last_name: last }) => (
        <span className="foreign">{[first, last].filter(Boolean).join(' ')}</span>
      ),
      isWide: true,
    },
    momentColumn('Added', ({ created_at: at }) => at, { width: 200 }),
    actionsColumn((contact) => mayChange && <TakeOut list={list} contact={contact} />),
  ]
  return (
    <Section isFlush>
      <DataTable
        label="Contacts in the list"
        columns={columns}
        list={contacts}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/${team.id}/contacts/${id}`}
        empty={
          <EmptyState icon={IconUsers} title="No contacts yet" action={add}>
            Add contacts here, over the API, or with an import.
          </EmptyState>
        }
      />
    </Section>
  )
}

function TakeOut({ list, contact }: { list: ContactList; contact: Contact }) {
  const restore = useChange({ touches: ['/lists'], onError: notifyError })
  const change = useChange({
    touches: ['/lists'],
    onError: notifyError,
    onDone: () =>
      notifyDone(`${contact.email} removed.`, () =>
        restore.mutate({
          path: `/contacts/${contact.id}/lists`,
          method: 'POST',
          body: { list_ids: [list.id] },
        }),
      ),
  })
  return (
    <Tooltip label="Remove from the list">
      <ActionIcon
        aria-label={`Remove ${contact.email} from the list`}
        onClick={() => change.mutate({ path: `/contacts/${contact.id}/lists/${list.id}`, method: 'DELETE' })}
      >
        <IconUserMinus />
      </ActionIcon>
    </Tooltip>
  )
}

function AddMember({ list, onClose }: { list: ContactList; onClose: () => void }) {
  const form = useForm({ initialValues: { email: '' } })
  const change = useChange({
    touches: ['/lists'],
    onError: (error) => form.setErrors({ email: error.message }),
    onDone: () => {
      notifyDone(`${form.values.email} added to the list.`)
      onClose()
    },
  })
  const submit = form.onSubmit(({ email }) =>
    change.mutate({
      path: `/contacts/${encodeURIComponent(email.trim())}/lists`,
      method: 'POST',
      body: { list_ids: [list.id] },
    }),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="Address of the contact"
          description="The contact must already exist."
          type="email"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-end' }}>
          Add to the list
        </Button>
      </Stack>
    </form>
  )
}
