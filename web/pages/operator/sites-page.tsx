import {
  ActionIcon,
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
import { IconDots, IconPlayerPause, IconPlayerPlay, IconSearch, IconWorld } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Site } from '../../api/records.ts'
import { useChange, useList } from '../../api/team.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { useDialog } from '../../ui/dialog.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { type Filters, useFilters } from '../../ui/filters.ts'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { Moment } from '../../ui/moment.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge, showWord } from '../../ui/status-badge.tsx'

const REFRESH_MS = 5_000
const STATES = ['open', 'paused', 'probing', 'stopped'].map((value) => ({
  value,
  label: showWord(value),
}))

/** The sets of mail servers that mail goes to, and what holds it back. */
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
    { header: 'Site', render: (site) => <Name site={site} /> },
    { header: 'State', render: (site) => <State site={site} />, width: '26%' },
    {
      header: 'Waiting',
      render: ({ waiting }) => waiting.toLocaleString(),
      width: 90,
      align: 'right',
      isWide: true,
    },
    {
      header: 'Connections',
      render: ({ connections, connections_limit: limit }) => `${connections} of ${limit}`,
      width: 120,
      align: 'right',
      isWide: true,
    },
    { header: 'Rate', render: ({ rate }) => rate ?? '–', width: 90, isWide: true },
    {
      header: 'Actions',
      hasActions: true,
      align: 'right',
      width: 56,
      render: (site) => <Actions site={site} onPause={() => pausing.open(site.name)} />,
    },
  ]
  return (
    <Page
      title="Sites"
      description="A site is a set of mail servers as seen from one source address: all domains of one provider share it."
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
            <EmptyState icon={IconWorld} title={filters.isFiltered ? 'No site fits' : 'No mail went out yet'}>
              {filters.isFiltered
                ? 'Take a filter away to see more.'
                : 'As soon as an email is for a server, its site appears here.'}
            </EmptyState>
          }
        />
      </Section>
      <Modal opened={pausing.isOpen} onClose={pausing.close} title="Pause a site">
        {pausing.value !== null && <PauseForm name={pausing.value} onClose={pausing.close} />}
      </Modal>
    </Page>
  )
}

function FilterBar({ filters: { filters, draft, setFilter } }: { filters: Filters<'site' | 'state'> }) {
  return (
    <Group p="sm" gap="sm">
      <TextInput
        aria-label="Name"
        placeholder="Part of a name"
        leftSection={<IconSearch size={15} />}
        value={draft.site ?? ''}
        onChange={(event) => setFilter('site', event.currentTarget.value)}
      />
      <Select
        aria-label="State"
        placeholder="Any state"
        clearable
        data={STATES}
        value={filters.state ?? null}
        onChange={(value) => setFilter('state', value ?? '')}
      />
    </Group>
  )
}

function Name({ site: { site, source, tls, relay, rules } }: { site: Site }) {
  return (
    <>
      <Text size="sm" fw={550} className="foreign">
        {site}
      </Text>
      <Text size="xs" c="dimmed" className="foreign">
        {relay ? 'relay' : `from ${source}`}
        {tls === 'opportunistic' ? '' : `, TLS ${tls}`} · {rules}
      </Text>
    </>
  )
}

function State({ site: { state, reason, paused_until: until } }: { site: Site }) {
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
  const change = useChange({ isTeamless: true, onDone: () => tellDone('It opens within seconds.') })
  const path = `/sites/${encodeURIComponent(site.name)}/resume`
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={`What can be done with ${site.site}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPlayerPlay size={15} />}
          disabled={site.state === 'open'}
          onClick={() => change.mutate({ path, method: 'POST', body: {} }, { onError: tellError })}
        >
          Open it
        </Menu.Item>
        <Menu.Item leftSection={<IconPlayerPause size={15} />} onClick={onPause}>
          Pause it
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function PauseForm({ name, onClose }: { name: string; onClose: () => void }) {
  const form = useForm({ initialValues: { minutes: 60, reason: '' } })
  const change = useChange({
    isTeamless: true,
    onRefused: (error) => showFieldErrors(form, error),
    onDone: () => {
      tellDone('It is paused within seconds.')
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
          description="Teams whose mail waits see it."
          required
          {...form.getInputProps('reason')}
        />
        <ErrorNote error={change.error} shownFields={['minutes', 'reason']} />
        <Group justify="space-between">
          <Anchor component={Link} to="/operator/shaping" size="sm">
            Lasting limits are rules
          </Anchor>
          <Button type="submit" loading={change.isPending}>
            Pause the site
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
