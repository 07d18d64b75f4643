import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus, IconWorld } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Domain, DomainWhole } from '../../api/records.ts'
import { useChange, useList, useMay, useTeam } from '../../api/team.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { useDialog } from '../../ui/dialog.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormFooter } from '../../ui/form-footer.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { DomainStatus } from './domain-status.tsx'

const COLUMNS: readonly Column<Domain>[] = [
  { header: 'Domain', render: ({ name }) => <span className="foreign">{name}</span> },
  { header: 'Status', render: (domain) => <DomainStatus domain={domain} />, width: 190 },
  { header: 'Tracking', render: (domain) => describeTracking(domain), isWide: true, width: 160 },
  {
    header: 'Last checked',
    render: ({ checked_at }) => <Moment at={checked_at} none="never" isRelative />,
    isWide: true,
    width: 150,
  },
]

function describeTracking({ open_tracking: opens, click_tracking: clicks }: Domain): string {
  if (opens && clicks) return 'Opens and clicks'
  return opens ? 'Opens' : clicks ? 'Clicks' : 'Off'
}

/** The domains that this team sends from. */
export function DomainsPage() {
  const team = useTeam()
  const mayChange = useMay().change('Domains')
  const creating = useDialog('new', mayChange)
  const list = useList<Domain>('/domains')
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => creating.open()}>
      Add a domain
    </Button>
  )
  return (
    <Page
      title="Domains"
      description="Emails are sent from domains that are yours, which DNS records prove. Receivers judge mail by them."
      actions={mayChange && add}
    >
      <Section isFlush>
        <DataTable
          label="Domains"
          columns={COLUMNS}
          list={list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/${team.id}/domains/${id}`}
          empty={
            <EmptyState icon={IconWorld} title="No domain yet" action={mayChange && add}>
              Add the domain that your emails come from, for example mail.example.com. You are shown the
              records to publish, and told when they are seen.
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
    onRefused: (error) => showFieldErrors(form, error),
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
          description="A subdomain for mail alone keeps your main domain’s reputation apart."
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
