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
import { texts } from './texts.ts'

const COLUMNS: readonly Column<Domain>[] = [
  {
    header: texts.list.domain,
    render: ({ name }) => <span className="foreign">{name}</span>,
    sortOf: ({ name }) => name,
  },
  {
    header: texts.list.status,
    render: (domain) => <DomainStatus domain={domain} />,
    width: 190,
    sortOf: ({ status }) => status,
  },
  {
    header: texts.list.tracking,
    render: (domain) => describeTracking(domain),
    isWide: true,
    width: 160,
  },
  {
    header: texts.list.lastChecked,
    render: ({ checked_at }) => <Moment at={checked_at} none={texts.list.never} isRelative />,
    isWide: true,
    width: 150,
    sortOf: ({ checked_at: at }) => at,
  },
]

function describeTracking({ open_tracking: opens, click_tracking: clicks }: Domain): string {
  if (opens && clicks) return texts.list.opensAndClicks
  return opens ? texts.list.opens : clicks ? texts.list.clicks : texts.list.off
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
      {texts.list.addADomain}
    </Button>
  )
  return (
    <Page title={texts.list.domains} description={texts.list.sendFromDomainsOwn} actions={mayChange && add}>
      <Section isFlush>
        <Group p="xs">
          <ListTools view={view} />
        </Group>
        <DataTable
          label={texts.list.domains}
          view={view}
          list={list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/${team.id}/domains/${id}`}
          empty={
            <EmptyState icon={IconWorld} title={texts.list.noDomainsYet} action={mayChange && add}>
              {texts.list.addDomainSendFrom}
            </EmptyState>
          }
        />
      </Section>
      <Modal opened={creating.isOpen} onClose={creating.close} title={texts.list.addADomain}>
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
          label={texts.list.name}
          description={texts.list.subdomainOnlyMailKeeps}
          placeholder="mail.example.com"
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <ErrorNote error={change.error} shownFields={['name']} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          {texts.list.addTheDomain}
        </FormFooter>
      </Stack>
    </form>
  )
}
