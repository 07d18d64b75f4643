import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus, IconWorld } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Domain, DomainWhole } from '../../api/records.ts'
import { useChange, useList, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { ListTools } from '../../ui/tables/list-tools.tsx'
import { useListView } from '../../ui/tables/list-view.ts'
import { DomainStatus } from './domain-status.tsx'

const COLUMNS: readonly Column<Domain>[] = [
  {
    header: 'Domain',
    render: ({ name }) => <span className="foreign">{name}</span>,
    sortOf: ({ name }) => name,
  },
  {
    header: 'Status',
    render: (domain) => <DomainStatus domain={domain} />,
    width: 190,
    sortOf: ({ status }) => status,
  },
  {
    header: 'Tracking',
    render: (domain) => describeTracking(domain),
    isWide: true,
    width: 160,
  },
  {
    header: 'Last checked',
    render: ({ checked_at }) => <Moment at={checked_at} none="never" isRelative />,
    isWide: true,
    width: 150,
    sortOf: ({ checked_at: at }) => at,
  },
]

function describeTracking({ open_tracking: opens, click_tracking: clicks }: Domain): string {
  if (opens && clicks) return 'Opens and clicks'
  return opens ? 'Opens' : clicks ? 'Clicks' : 'Off'
}

/** The team's sending domains. */
export function DomainsPage() {
  const team = useTeam()
  const mayChange = useMay().change('Domains')
  const creating = useDialog('new', mayChange)
  const view = useListView('domains', COLUMNS, [])
  const list = useList<Domain>('/domains')
  const add = (
    <Button leftSection={<IconPlus />} onClick={() => creating.open()}>
      Add a domain
    </Button>
  )
  return (
    <Page
      title="Domains"
      description="You send from domains that you own and prove with DNS records. Receivers judge your mail by its domain."
      actions={mayChange && add}
    >
      <Section isFlush>
        <Group p="xs">
          <ListTools view={view} />
        </Group>
        <DataTable
          label="Domains"
          view={view}
          list={list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/${team.id}/domains/${id}`}
          empty={
            <EmptyState icon={IconWorld} title="No domains yet" action={mayChange && add}>
              Add the domain that you send from, for example mail.example.com. Sendwright shows the DNS
              records to publish and checks them for you.
            </EmptyState>
          }
        />
      </Section>
      <Modal opened={creating.isOpen} onClose={creating.close} title="Add a domain">
        <AddForm onClose={creating.close} />
      </Modal>
    </Page>
  )
}

function AddForm({ onClose }: { onClose: () => void }) {
  const team = useTeam()
  const navigate = useNavigate()
  const form = useForm({ initialValues: { name: '' } })
  const change = useChange<DomainWhole>({
    onError: (error) => showFieldErrors(form, error),
    touches: ['/attention'],
    onDone: ({ id }) => void navigate({ to: `/${team.id}/domains/${id}` }),
  })
  return (
    <form
      onSubmit={form.onSubmit((body) => change.mutate({ path: '/domains', method: 'POST', body }))}
      noValidate
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          description="A subdomain only for mail keeps its reputation separate from your main domain."
          placeholder="mail.example.com"
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <ErrorNote error={change.error} shownFields={['name']} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          Add the domain
        </FormFooter>
      </Stack>
    </form>
  )
}
