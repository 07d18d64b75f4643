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
import type { Site } from '../../api/records.ts'
import { useChange, useList } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { StatusBadge, showWord } from '../../ui/status-badge.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { type Filters, useFilters } from '../../ui/tables/filters.ts'
import { texts } from './texts.ts'

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
    {
      header: texts.sitesPage.actions,
      hasActions: true,
      align: 'right',
      width: 56,
      render: (site) => <Actions site={site} onPause={() => pausing.open(site.name)} />,
    },
  ]
  return (
    <Page
      title={texts.sitesPage.sites}
      description={texts.sitesPage.siteSetMailServers}
      actions={
        <Button component={Link} to="/operator/shaping" variant="default">
          {texts.sitesPage.shapingRules}
        </Button>
      }
    >
      <Section isFlush>
        <FilterBar filters={filters} />
        <DataTable
          label={texts.sitesPage.sites}
          columns={columns}
          list={list}
          keyOf={({ name }) => name}
          empty={
            <EmptyState
              icon={IconWorld}
              title={filters.isFiltered ? texts.sitesPage.noMatchingSites : texts.sitesPage.noSitesYet}
            >
              {filters.isFiltered ? texts.sitesPage.clearFilterSeeMore : texts.sitesPage.siteAppearsHereFirst}
            </EmptyState>
          }
        />
      </Section>
      <Modal opened={pausing.isOpen} onClose={pausing.close} title={texts.sitesPage.pauseASite}>
        {pausing.value !== null && <PauseForm name={pausing.value} onClose={pausing.close} />}
      </Modal>
    </Page>
  )
}

const FACTS: readonly Column<Site>[] = [
  { header: texts.sitesPage.site, render: (site) => <Name site={site} /> },
  { header: texts.sitesPage.state, render: (site) => <SiteState site={site} />, width: '26%' },
  {
    header: texts.sitesPage.waiting,
    render: ({ waiting }) => waiting.toLocaleString(),
    width: 90,
    align: 'right',
    isWide: true,
  },
  {
    header: texts.sitesPage.connections,
    render: ({ connections, connections_limit: limit }) =>
      texts.sitesPage.connectionsOfLimit(connections, limit),
    width: 120,
    align: 'right',
    isWide: true,
  },
  { header: texts.sitesPage.rate, render: ({ rate }) => rate ?? '–', width: 90, isWide: true },
]

function FilterBar({ filters: { filters, draft, setFilter } }: { filters: Filters<'site' | 'state'> }) {
  return (
    <Group p="sm" gap="sm">
      <TextInput
        aria-label={texts.sitesPage.name}
        placeholder={texts.sitesPage.partOfAName}
        leftSection={<IconSearch />}
        value={draft.site ?? ''}
        onChange={(event) => setFilter('site', event.currentTarget.value)}
      />
      <Select
        aria-label={texts.sitesPage.state}
        placeholder={texts.sitesPage.anyState}
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
      <Text size="sm" fw={500} className="foreign">
        {site}
      </Text>
      <Text size="xs" c="dimmed" className="foreign">
        {relay ? texts.sitesPage.relay : texts.sitesPage.fromSource(source)}
        {tls === 'opportunistic' ? '' : texts.sitesPage.tls(tls)} · {rules}
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
          {texts.sitesPage.until} <Moment at={until} />
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
    onDone: () => notifyDone(texts.sitesPage.deliveryResumesWithinSeconds),
  })
  const path = `/sites/${encodeURIComponent(site.name)}/resume`
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={texts.sitesPage.actionsFor(site.site)}>
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPlayerPlay />}
          disabled={site.state === 'open'}
          onClick={() => change.mutate({ path, method: 'POST', body: {} }, { onError: notifyError })}
        >
          {texts.sitesPage.resumeDelivery}
        </Menu.Item>
        <Menu.Item leftSection={<IconPlayerPause />} onClick={onPause}>
          {texts.sitesPage.pauseSite}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function PauseForm({ name, onClose }: { name: string; onClose: () => void }) {
  const form = useForm({ initialValues: { minutes: 60, reason: '' } })
  const change = useChange({
    isTeamless: true,
    onError: (error) => showFieldErrors(form, error),
    onDone: () => {
      notifyDone(texts.sitesPage.deliveryPausesWithinSeconds)
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
        <NumberInput
          label={texts.sitesPage.minutes}
          min={1}
          required
          data-autofocus
          {...form.getInputProps('minutes')}
        />
        <TextInput
          label={texts.sitesPage.reason}
          description={texts.sitesPage.shownTeamsWhoseMail}
          required
          {...form.getInputProps('reason')}
        />
        <ErrorNote error={change.error} shownFields={['minutes', 'reason']} />
        <Group justify="space-between">
          <Anchor component={Link} to="/operator/shaping" size="sm">
            {texts.sitesPage.lastingLimitsAddShaping}
          </Anchor>
          <Button type="submit" loading={change.isPending}>
            {texts.sitesPage.pauseTheSite}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
