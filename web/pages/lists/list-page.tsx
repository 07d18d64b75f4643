import { ActionIcon, Button, Modal, Stack, TextInput, Tooltip } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconUserMinus, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { Contact, ContactList } from '../../api/records.ts'
import { useChange, useGet, useList, useMay, useTeam } from '../../api/team.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { useDialog } from '../../ui/dialog.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Moment } from '../../ui/moment.tsx'
import { NameForm } from '../../ui/name-form.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { PendingPage } from '../../ui/pending-page.tsx'
import { Section } from '../../ui/section.tsx'
import { ListMenu } from './list-menu.tsx'

/** One list and who is in it. */
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
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => adding.open()}>
      Add a contact
    </Button>
  )
  return (
    <Page
      title={data.name}
      trail={trail}
      description={data.contact_count === 1 ? '1 contact' : `${data.contact_count.toLocaleString()} contacts`}
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
        title="Rename the list"
        given={data}
        path="/lists"
        onDone={editing.close}
      />
      <Modal opened={adding.isOpen} onClose={adding.close} title="Add a contact">
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
    { header: 'Added', render: ({ created_at }) => <Moment at={created_at} />, width: 200, isWide: true },
    {
      header: 'Actions',
      hasActions: true,
      align: 'right',
      width: 56,
      render: (contact) => mayChange && <TakeOut list={list} contact={contact} />,
    },
  ]
  return (
    <Section isFlush>
      <DataTable
        label="Contacts of the list"
        columns={columns}
        list={contacts}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/${team.id}/contacts/${id}`}
        empty={
          <EmptyState icon={IconUsers} title="Nobody is in this list" action={add}>
            Contacts join by the API, by an import, or by hand.
          </EmptyState>
        }
      />
    </Section>
  )
}

function TakeOut({ list, contact }: { list: ContactList; contact: Contact }) {
  const restore = useChange({ touches: ['/lists'] })
  const change = useChange({
    touches: ['/lists'],
    onDone: () =>
      tellDone(`${contact.email} is taken out.`, () =>
        restore.mutate(
          { path: `/contacts/${contact.id}/lists`, method: 'POST', body: { list_ids: [list.id] } },
          { onError: tellError },
        ),
      ),
  })
  return (
    <Tooltip label="Take out of the list">
      <ActionIcon
        aria-label={`Take ${contact.email} out of the list`}
        onClick={() =>
          change.mutate(
            { path: `/contacts/${contact.id}/lists/${list.id}`, method: 'DELETE' },
            { onError: tellError },
          )
        }
      >
        <IconUserMinus size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

function AddMember({ list, onClose }: { list: ContactList; onClose: () => void }) {
  const form = useForm({ initialValues: { email: '' } })
  const change = useChange({
    touches: ['/lists'],
    onRefused: (error) => form.setErrors({ email: error.message }),
    onDone: () => {
      tellDone(`${form.values.email} is in the list.`)
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
          description="Of one that is there already."
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
