import {
  Anchor,
  Button,
  Group,
  Menu,
  Modal,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlayerPause, IconPlayerPlay, IconSearch, IconWorld } from '@tabler/icons-react'
import type { Site } from '../../api/records.ts'
import { useChange, useList } from '../../api/team.ts'
import { DotsMenu } from '../../ui/dots-menu.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { StatusBadge, showWord } from '../../ui/status-badge.tsx'
import { actionsColumn, type Column, numberColumn } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { type Filters, useFilters } from '../../ui/tables/filters.ts'

const REFRESH_MS = 5_000
const STATES = ['open', 'paused', 'probing', 'stopped'].map((value) => ({
  value,
  label: showWord(value),
}))

/** The sites that mail goes to, and their limits. */
export function SitesPage() {
  const filters = useFilters(['site', 'state'])
  const pausing = useDialog('pause')
  const list = useList<Site & { id?: string }>('/sites', {
    isTeamless: true,
    query: filters.filters,
    refetchIntervalMs: REFRESH_MS,
    cursorOf: ({ name }) => name,
  })
  const columns: readonly Column<Site>[] = [
    ...FACTS,
    actionsColumn((site) => <Actions site={site} onPause={() => pausing.open(site.name)} />),
  ]
  return (
    <Page
      title="Sites"
      description="A site is a set of mail servers as seen from one source address. All domains of a provider share it."
      actions={
        <Button component={Link} to="/operator/shaping" variant="default">
          Shaping rules
        </Button>
      }
    >
      <Section isFlush>
        <FilterBar filters={filters} />
        <DataTable
          label="Sites"
          columns={columns}
          list={list}
          keyOf={({ name }) => name}
          empty={
            <EmptyState icon={IconWorld} title={filters.isFiltered ? 'No matching sites' : 'No sites yet'}>
              {filters.isFiltered
                ? 'Clear a filter to see more.'
                : 'A site appears here with the first email for it.'}
            </EmptyState>
          }
        />
      </Section>
      <Modal opened={pausing.isOpen} onClose={pausing.close} title="Pause site">
        {pausing.value !== null && <PauseForm name={pausing.value} onClose={pausing.close} />}
      </Modal>
    </Page>
  )
}

const FACTS: readonly Column<Site>[] = [
  { header: 'Site', render: (site) => <Name site={site} /> },
  { header: 'State', render: (site) => <SiteState site={site} />, width: '26%' },
  numberColumn('Waiting', ({ waiting }) => waiting.toLocaleString()),
  numberColumn('Connections', ({ connections: count, connections_limit: max }) => `${count} of ${max}`, 120),
  { header: 'Rate', render: ({ rate }) => rate ?? '–', width: 90, isWide: true },
]

function FilterBar({ filters: { field, choice } }: { filters: Filters<'site' | 'state'> }) {
  return (
    <Group p="sm" gap="sm">
      <TextInput
        aria-label="Name"
        placeholder="Part of a name"
        leftSection={<IconSearch />}
        {...field('site')}
      />
      <Select aria-label="State" placeholder="Any state" data={STATES} {...choice('state')} />
    </Group>
  )
}

function Name({ site: { site, source, tls, relay, rules } }: { site: Site }) {
  return (
    <>
      <Text size="sm" fw={500} className="foreign">
        {site}
      </Text>
      <Text size="xs" c="dimmed" className="foreign">
        {relay ? 'relay' : `from ${source}`}
        {tls === 'opportunistic' ? '' : `, TLS ${tls}`} · {rules}
      </Text>
    </>
  )
}

function SiteState({ site: { state, reason, paused_until: until } }: { site: Site }) {
  return (
    <>
      <StatusBadge status={state} />
      {until !== null && (
        <Text size="xs" c="dimmed">
          until <Moment at={until} />
        </Text>
      )}
      {reason !== null && state !== 'open' && (
        <Text size="xs" c="dimmed" className="foreign">
          {reason}
        </Text>
      )}
    </>
  )
}

function Actions({ site, onPause }: { site: Site; onPause: () => void }) {
  const change = useChange({
    isTeamless: true,
    onDone: () => notifyDone('Delivery resumes within seconds.'),
    onError: notifyError,
  })
  const path = `/sites/${encodeURIComponent(site.name)}/resume`
  return (
    <DotsMenu label={`Actions for ${site.site}`}>
      <Menu.Item
        leftSection={<IconPlayerPlay />}
        disabled={site.state === 'open'}
        onClick={() => change.mutate({ path, method: 'POST', body: {} })}
      >
        Resume delivery
      </Menu.Item>
      <Menu.Item leftSection={<IconPlayerPause />} onClick={onPause}>
        Pause site
      </Menu.Item>
    </DotsMenu>
  )
}

function PauseForm({ name, onClose }: { name: string; onClose: () => void }) {
  const form = useForm({ initialValues: { minutes: 60, reason: '' } })
  const change = useChange({
    isTeamless: true,
    onError: (error) => showFieldErrors(form, error),
    onDone: () => {
      notifyDone('Delivery pauses within seconds.')
      onClose()
    },
  })
  const submit = form.onSubmit((body) =>
    change.mutate({ path: `/sites/${encodeURIComponent(name)}/pause`, method: 'POST', body }),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm" className="foreign">
          {name}
        </Text>
        <NumberInput label="Minutes" min={1} required data-autofocus {...form.getInputProps('minutes')} />
        <TextInput
          label="Reason"
          description="Shown to teams whose mail is waiting."
          required
          {...form.getInputProps('reason')}
        />
        <ErrorNote error={change.error} shownFields={['minutes', 'reason']} />
        <Group justify="space-between">
          <Anchor component={Link} to="/operator/shaping" size="sm">
            For lasting limits, add a shaping rule
          </Anchor>
          <Button type="submit" loading={change.isPending}>
            Pause site
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
