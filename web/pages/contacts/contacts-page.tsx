import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconAddressBook, IconDownload, IconPlus, IconUpload } from '@tabler/icons-react'
import type { Contact } from '../../api/records.ts'
import { saveFile } from '../../api/request.ts'
import { useGet, useList, useMay, useTeam } from '../../api/team.ts'
import { Fact } from '../../ui/facts.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { fullName } from '../../ui/full-name.ts'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { notifyError } from '../../ui/notifications.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { State } from '../../ui/status-badge.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { useFilters } from '../../ui/tables/filters.ts'
import { ListCount, NoMatches } from '../../ui/tables/list-count.tsx'
import { ListTools } from '../../ui/tables/list-tools.tsx'
import { useListView } from '../../ui/tables/list-view.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import type { PanelOf } from '../../ui/tables/row-panel.tsx'
import { ContactBulk } from './contact-bulk.tsx'
import { ContactFilterBar, FILTERS } from './contact-filters.tsx'
import { NewContact } from './new-contact.tsx'

const COLUMNS: readonly Column<Contact>[] = [
  { header: 'Address', render: Address },
  {
    header: 'Name',
    render: (contact) => <span className="foreign">{fullName(contact)}</span>,
    isWide: true,
    width: '20%',
  },
  { header: 'Lists', render: Lists, isWide: true, width: '22%' },
  { header: 'Subscription', render: Subscription, width: 130 },
  momentColumn('Added', ({ created_at: at }) => at, { isRelative: true, width: 150, isListOrder: true }),
]

/** The team's contacts. */
export function ContactsPage() {
  const team = useTeam()
  const mayChange = useMay().change('Contacts')
  const filters = useFilters(FILTERS)
  const view = useListView('contacts', COLUMNS, FILTERS)
  const list = useList<Contact>('/contacts', { query: filters.filters, isOldestFirst: view.isOldestFirst })
  const count = (
    <ListCount
      list={list}
      isFiltered={filters.isFiltered}
      noun="contact"
      moreThan={(max) => `${max} contacts or more`}
    />
  )
  const creating = useDialog('new')
  const add = (
    <Button leftSection={<IconPlus />} onClick={() => creating.open()}>
      Add contact
    </Button>
  )
  return (
    <Page
      title="Contacts"
      description="Everyone you can email."
      actions={
        <>
          <Export query={filters.filters} isFiltered={filters.isFiltered} />
          {mayChange && <ImportLink />}
          {mayChange && add}
        </>
      }
    >
      <Section isFlush>
        <ContactFilterBar filters={filters} tools={<ListTools view={view} count={count} />} />
        <DataTable
          label="Contacts"
          view={view}
          list={list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/${team.id}/contacts/${id}`}
          labelOf={({ email }) => email}
          panel={{ ...PANEL, pageOf: (id) => `/${team.id}/contacts/${id}` }}
          bulk={mayChange ? (rows, deselect) => <ContactBulk contacts={rows} onDone={deselect} /> : undefined}
          empty={
            filters.isFiltered ? (
              <NoMatches title="No matching contacts" clear={filters.clear}>
                The search matches the beginning of addresses and names and ignores case.
              </NoMatches>
            ) : (
              <NoContactsYet add={add} />
            )
          }
        />
      </Section>
      {mayChange && <NewContact isOpen={creating.isOpen} onClose={creating.close} />}
    </Page>
  )
}

const PANEL: PanelOf<Contact> = {
  label: 'Contact',
  title: (contact) => contact?.email ?? 'Contact',
  render: (id) => <ContactPanel key={id} id={id} />,
}

function Address({ email, ...contact }: Contact) {
  return (
    <>
      <span className="one-line">
        <bdi>{email}</bdi>
      </span>
      <Text span c="dimmed" fw={400} fz="sm" className="one-line" hiddenFrom="sm">
        <bdi>{fullName(contact)}</bdi>
      </Text>
    </>
  )
}

/** Further lists are only counted. */
const LISTS_SHOWN = 2

function Lists({ lists }: Contact) {
  return (
    <Group gap="xxs">
      {lists.slice(0, LISTS_SHOWN).map(({ id, name }) => (
        <Badge key={id} color="gray" fw={500} maw={160}>
          {name}
        </Badge>
      ))}
      {lists.length > LISTS_SHOWN && (
        <Text span fz="xs" c="dimmed">
          +{lists.length - LISTS_SHOWN}
        </Text>
      )}
    </Group>
  )
}

function Subscription({ unsubscribed }: Contact) {
  return unsubscribed ? <State tone="amber">Unsubscribed</State> : <State tone="green">Subscribed</State>
}

function ImportLink() {
  const team = useTeam()
  return (
    <Button
      variant="default"
      leftSection={<IconUpload />}
      component={Link}
      to={`/${team.id}/imports/contacts`}
    >
      Import
    </Button>
  )
}

function Export({ query, isFiltered }: { query: Record<string, string | undefined>; isFiltered: boolean }) {
  const team = useTeam()
  const save = () =>
    void saveFile('/contacts/export', { teamId: team.id, query }, 'contacts.csv').catch(notifyError)
  return (
    <Button variant="default" leftSection={<IconDownload />} onClick={save}>
      {isFiltered ? 'Export matches' : 'Export'}
    </Button>
  )
}

function NoContactsYet({ add }: { add: React.ReactNode }) {
  const mayChange = useMay().change('Contacts')
  return (
    <EmptyState
      icon={IconAddressBook}
      title="No contacts yet"
      action={
        mayChange && (
          <>
            <ImportLink />
            {add}
          </>
        )
      }
    >
      Add contacts here, over the API, or from a CSV file. Lists, segments and campaigns need contacts;
      transactional email does not.
    </EmptyState>
  )
}

/** The essential facts of one contact, beside the list. */
function ContactPanel({ id }: { id: string }) {
  const { data, error, refetch } = useGet<Contact>(`/contacts/${id}`)
  if (data === undefined)
    return error === null ? (
      <Skeleton height={240} aria-busy />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    )
  const name = fullName(data)
  return (
    <Stack gap="md">
      <Stack component="dl" gap="sm" m={0}>
        {name !== '' && (
          <Fact label="Name">
            <span className="foreign">{name}</span>
          </Fact>
        )}
        {data.lists.length > 0 && (
          <Fact label="Lists">
            <span className="foreign">{data.lists.map((list) => list.name).join(', ')}</span>
          </Fact>
        )}
        <Fact label="Added">
          <Moment at={data.created_at} />
        </Fact>
      </Stack>
    </Stack>
  )
}
