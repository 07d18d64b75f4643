import { Modal, TextInput } from '@mantine/core'
import { IconWorld } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Domain, DomainWhole } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { DialogForm, useDialogForm } from '../../ui/forms/dialog-form.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { useListView } from '../../ui/tables/list-view.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { AddButton, ResourcePage } from '../../ui/tables/resource-page.tsx'
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
  momentColumn('Last checked', ({ checked_at: at }) => at, {
    none: 'never',
    isRelative: true,
    width: 150,
    sortOf: ({ checked_at: at }) => at,
  }),
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
  return (
    <ResourcePage
      title="Domains"
      description="You send from domains that you own and prove with DNS records. Receivers judge your mail by its domain."
      add={mayChange && <AddButton dialog={creating}>Add a domain</AddButton>}
      view={view}
      list={list}
      linkOf={({ id }) => `/${team.id}/domains/${id}`}
      empty={{
        icon: IconWorld,
        title: 'No domains yet',
        children:
          'Add the domain that you send from, for example mail.example.com. Sendwright shows the DNS records to publish and checks them for you.',
      }}
    >
      <Modal opened={creating.isOpen} onClose={creating.close} title="Add a domain">
        <AddForm onClose={creating.close} />
      </Modal>
    </ResourcePage>
  )
}

function AddForm({ onClose }: { onClose: () => void }) {
  const team = useTeam()
  const navigate = useNavigate()
  const { form, frame } = useDialogForm({
    initialValues: { name: '' },
    requestOf: (body) => ({ path: '/domains', method: 'POST', body }),
    touches: ['/attention'],
    onDone: ({ id }: DomainWhole) => void navigate({ to: `/${team.id}/domains/${id}` }),
    onClose,
  })
  return (
    <DialogForm {...frame} action="Add the domain">
      <TextInput
        label="Name"
        description="A subdomain only for mail keeps its reputation separate from your main domain."
        placeholder="mail.example.com"
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
    </DialogForm>
  )
}
