import { ActionIcon, Button, Modal, Stack, TextInput, Tooltip } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconUserMinus, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { Contact, ContactList } from '../../api/records.ts'
import { useChange, useGet, useList, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { NameForm } from '../../ui/forms/name-form.tsx'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { Section } from '../../ui/page/section.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { ListMenu } from './list-menu.tsx'
import { texts } from './texts.ts'

/** One list and its contacts. */
export function ListPage() {
  const { listId } = useParams({ from: '/inside/$teamId/lists/$listId' })
  const team = useTeam()
  const { data, error, refetch } = useGet<ContactList>(`/lists/${listId}`)
  const mayChange = useMay().change('Lists')
  const editing = useDialog('edit', mayChange)
  const adding = useDialog('add', mayChange)
  const trail = [{ label: texts.page.lists, to: `/${team.id}/lists` }]
  if (data === undefined)
    return <PendingPage title={texts.page.list} trail={trail} error={error} onRetry={() => void refetch()} />
  const add = (
    <Button leftSection={<IconUserPlus />} onClick={() => adding.open()}>
      {texts.page.addAContact}
    </Button>
  )
  return (
    <Page
      title={data.name}
      trail={trail}
      description={texts.page.contacts(data.contact_count)}
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
        title={texts.page.renameTheList}
        given={data}
        path="/lists"
        onDone={editing.close}
      />
      <Modal opened={adding.isOpen} onClose={adding.close} title={texts.page.addAContact}>
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
    { header: texts.page.address, render: ({ email }) => <span className="foreign">{email}</span> },
    {
      header: texts.page.name,
      render: ({ first_name: first, last_name: last }) => (
        <span className="foreign">{[first, last].filter(Boolean).join(' ')}</span>
      ),
      isWide: true,
    },
    {
      header: texts.page.added,
      render: ({ created_at }) => <Moment at={created_at} />,
      width: 200,
      isWide: true,
    },
    {
      header: texts.page.actions,
      hasActions: true,
      align: 'right',
      width: 56,
      render: (contact) => mayChange && <TakeOut list={list} contact={contact} />,
    },
  ]
  return (
    <Section isFlush>
      <DataTable
        label={texts.page.contactsOfTheList}
        columns={columns}
        list={contacts}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/${team.id}/contacts/${id}`}
        empty={
          <EmptyState icon={IconUsers} title={texts.page.noContactsYet} action={add}>
            {texts.page.addContactsHereOver}
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
      notifyDone(texts.page.emailRemoved(contact.email), () =>
        restore.mutate(
          { path: `/contacts/${contact.id}/lists`, method: 'POST', body: { list_ids: [list.id] } },
          { onError: notifyError },
        ),
      ),
  })
  return (
    <Tooltip label={texts.page.remove}>
      <ActionIcon
        aria-label={texts.page.removeContact(contact.email)}
        onClick={() =>
          change.mutate(
            { path: `/contacts/${contact.id}/lists/${list.id}`, method: 'DELETE' },
            { onError: notifyError },
          )
        }
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
      notifyDone(texts.page.addedToTheList(form.values.email))
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
          label={texts.page.addressOfTheContact}
          description={texts.page.contactMustAlreadyExist}
          type="email"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-end' }}>
          {texts.page.addToTheList}
        </Button>
      </Stack>
    </form>
  )
}
