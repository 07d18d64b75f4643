import './domains.css'
import { Alert, Anchor, Button, Group, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { DnsProvider, DomainWhole } from '../../api/records.ts'
import { useChange, useGet, useMay, useTeam } from '../../api/team.ts'
import { useDelete } from '../../ui/forms/use-delete.ts'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { DmarcNote } from './dmarc-note.tsx'
import { DomainSettings } from './domain-settings.tsx'
import { DomainStatus } from './domain-status.tsx'
import { RecordCard } from './record-card.tsx'
import { RecordExport } from './record-export.tsx'

/** While records are pending, the server checks DNS regularly. */
const PENDING_REFRESH_MS = 15_000

/** One domain: the records to publish, and what DNS has. */
export function DomainPage() {
  const { domainId } = useParams({ from: '/inside/$teamId/domains/$domainId' })
  const team = useTeam()
  const { data, error, refetch } = useGet<DomainWhole>(`/domains/${domainId}`, {
    refetchIntervalMs: PENDING_REFRESH_MS,
    refetchWhile: ({ status }) => status !== 'verified',
  })
  const trail = [{ label: 'Domains', to: `/${team.id}/domains` }]
  if (data === undefined)
    return <PendingPage title="Domain" trail={trail} error={error} onRetry={() => void refetch()} />
  return (
    <Page
      title={data.name}
      trail={trail}
      badge={<DomainStatus domain={data} />}
      description={
        <>
          Added <Moment at={data.created_at} />.{' '}
          {data.checked_at === null ? (
            'DNS has not been checked yet.'
          ) : (
            <>
              DNS was last checked <Moment at={data.checked_at} isRelative />.
            </>
          )}
        </>
      }
      actions={<DomainActions domain={data} />}
    >
      <StateNote domain={data} />
      <Section
        title="Records to publish"
        description="Add these records at your DNS provider. Changes may take minutes to become visible; Sendwright checks again automatically."
      >
        <Records domain={data} />
      </Section>
      <RecordExport domain={data} />
      <DomainSettings domain={data} />
    </Page>
  )
}

function StateNote({ domain: { status, status_reason: reason, captured } }: { domain: DomainWhole }) {
  if (captured)
    return (
      <Alert color="gray" mb="md" icon={<IconCircleCheck />} title="Verified for capture mode">
        No email leaves this installation, so no records are needed. To deliver email, publish the records
        below.
      </Alert>
    )
  if (status === 'verified') return null
  const color = status === 'failed' ? 'red' : status === 'pending' ? 'yellow' : 'orange'
  return (
    <Alert color={color} mb="md" icon={<IconAlertTriangle />} title={STATE_TITLES[status]}>
      {reason !== null && (
        <Text size="sm" className="foreign">
          {reason}
        </Text>
      )}
      <Text size="sm">{STATE_ADVICE[status]}</Text>
    </Alert>
  )
}

const STATE_TITLES: Readonly<Record<string, string>> = {
  pending: 'Waiting for DNS records',
  failed: 'Not verified',
  temporary_failure: 'Some DNS records are missing',
}
const STATE_ADVICE: Readonly<Record<string, string>> = {
  pending:
    'Publish the records below. Sendwright checks DNS every five minutes for three days. To check at once, choose “Check now”.',
  failed: 'You cannot send from this domain. Publish the records below, then check again.',
  temporary_failure:
    'You can still send from this domain. If the records are missing for seven days, sending stops.',
}

function DomainActions({ domain }: { domain: DomainWhole }) {
  const mayChange = useMay().change('Domains')
  const check = useChange<DomainWhole>({
    touches: ['/attention'],
    onError: notifyError,
    onDone: ({ status }) =>
      notifyDone(
        status === 'verified'
          ? 'All required records are published.'
          : 'DNS checked. Some records are still missing.',
      ),
  })
  const ask = useDelete({
    path: `/domains/${domain.id}`,
    touches: ['/attention'],
    title: `Delete ${domain.name}?`,
    children:
      'You can no longer send from this domain, and its DKIM keys are deleted. To add it again, you must publish new records.',
    action: 'Delete domain',
    done: `${domain.name} deleted.`,
    leaveTo: '/domains',
  })
  if (!mayChange) return null
  return (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconTrash />} onClick={ask}>
        Delete
      </Button>
      <Button
        leftSection={<IconRefresh />}
        loading={check.isPending}
        onClick={() => check.mutate({ path: `/domains/${domain.id}/verify`, method: 'POST', body: {} })}
      >
        Check now
      </Button>
    </Group>
  )
}

/** The provider and the records. DNS may take seconds to say which zone they belong to, or not say it at all. */
function Records({ domain }: { domain: DomainWhole }) {
  const { data: provider } = useGet<DnsProvider>(`/domains/${domain.id}/provider`)
  return (
    <>
      {provider !== undefined && <ProviderLine provider={provider} />}
      <RecordGroups domain={domain} zone={provider?.zone ?? null} />
    </>
  )
}

/** Where the records are edited, if the name servers belong to a known provider. */
function ProviderLine({ provider: { zone, name, url, name_servers: servers } }: { provider: DnsProvider }) {
  if (zone === null) return null
  return (
    <Text size="sm" mb="sm">
      The name servers of {zone} belong to{' '}
      {name === null || url === null ? (
        <span className="code">{servers[0]}</span>
      ) : (
        <Anchor href={url} target="_blank" rel="noreferrer" size="sm" underline="always">
          {name}: open its DNS page
        </Anchor>
      )}
    </Text>
  )
}

const RECORD_GROUPS = [
  { purpose: 'DKIM', title: 'Sign your email', note: 'Receivers verify each signature with these keys.' },
  {
    purpose: 'SPF',
    title: 'Receive bounces',
    note: 'Bounces return to a name of your domain, so that SPF passes.',
  },
  {
    purpose: 'DMARC',
    title: 'Protect against forgery',
    note: 'Tells receivers how to treat mail that forges your domain. Large providers require this record from bulk senders.',
  },
  {
    purpose: 'Tracking',
    title: 'Track opens and clicks',
    note: 'Links and the pixel use this host of your domain.',
  },
]

/** The records by what they are for, each group with its state. */
function RecordGroups({ domain, zone }: { domain: DomainWhole; zone: string | null }) {
  return RECORD_GROUPS.map(({ purpose, title, note }) => {
    const records = domain.records.filter(({ record }) => record === purpose)
    if (records.length === 0) return null
    const publishedCount = records.filter(({ status }) => status === 'verified').length
    return (
      <section key={purpose} aria-label={title} className="record-group">
        <Group justify="space-between" gap="xs">
          <Title order={3}>{title}</Title>
          <Text size="sm" c="dimmed">
            {publishedCount} of {records.length} published
          </Text>
        </Group>
        <Text size="sm" c="dimmed" mb="xs">
          {note}
        </Text>
        {records.map((record) => (
          <RecordCard key={`${record.type} ${record.name}`} record={record} zone={zone} />
        ))}
        {purpose === 'DMARC' && <DmarcNote domain={domain} />}
      </section>
    )
  })
}
