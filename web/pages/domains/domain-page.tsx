import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { DomainWhole } from '../../api/records.ts'
import { useChange, useGet, useMay, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/confirm.tsx'
import { Moment } from '../../ui/moment.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { PendingPage } from '../../ui/pending-page.tsx'
import { Section } from '../../ui/section.tsx'
import { DmarcNote } from './dmarc-note.tsx'
import { DomainSettings } from './domain-settings.tsx'
import { DomainStatus } from './domain-status.tsx'
import { RecordCard } from './record-card.tsx'

/** While records are awaited, the job that asks DNS may have seen them. */
const PENDING_REFRESH_MS = 15_000

/** One domain: what to publish, what DNS has, what is wrong. */
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
            'DNS was not asked yet.'
          ) : (
            <>
              DNS was last asked <Moment at={data.checked_at} isRelative />.
            </>
          )}
        </>
      }
      actions={<DomainActions domain={data} />}
    >
      <StateNote domain={data} />
      <Section
        title="Records to publish"
        description="At whoever keeps the DNS of your domain. It may take minutes until they are seen; they are looked for again and again."
      >
        {data.records.map((record) => (
          <RecordCard key={`${record.type} ${record.name}`} record={record} zone={data.name} />
        ))}
      </Section>
      <DmarcNote domain={data} />
      <DomainSettings domain={data} />
    </Page>
  )
}

function StateNote({ domain: { status, status_reason: reason, captured } }: { domain: DomainWhole }) {
  if (captured)
    return (
      <Alert color="gray" mb="md" icon={<IconCircleCheck size={18} />} title="Verified for capture mode">
        Nothing leaves this installation, so no record is needed. To deliver for real, publish the records
        below.
      </Alert>
    )
  if (status === 'verified') return null
  const color = status === 'failed' ? 'red' : status === 'pending' ? 'yellow' : 'orange'
  return (
    <Alert color={color} mb="md" icon={<IconAlertTriangle size={18} />} title={STATE_TITLES[status]}>
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
  pending: 'Waiting for the records',
  failed: 'Not verified',
  temporary_failure: 'The records are not all seen any more',
}
const STATE_ADVICE: Readonly<Record<string, string>> = {
  pending:
    'Publish the records below. DNS is asked every five minutes for three days; “Check now” asks at once.',
  failed: 'Nothing can be sent from it. Publish the records below, then check again.',
  temporary_failure: 'It still sends. If the records stay away for seven days, it stops.',
}

function DomainActions({ domain }: { domain: DomainWhole }) {
  const team = useTeam()
  const mayChange = useMay().change('Domains')
  const navigate = useNavigate()
  const check = useChange<DomainWhole>({
    touches: ['/attention'],
    onDone: ({ status }) =>
      tellDone(
        status === 'verified'
          ? 'All needed records are there.'
          : 'DNS was asked: something is still missing.',
      ),
  })
  const remove = useChange({
    touches: ['/attention'],
    onDone: () => {
      tellDone(`${domain.name} is removed.`)
      void navigate({ to: `/${team.id}/domains` })
    },
  })
  if (!mayChange) return null
  const ask = () =>
    confirm({
      title: `Remove ${domain.name}?`,
      children:
        'Nothing can be sent from it any more, and its DKIM keys are lost: adding it again means publishing new records.',
      action: 'Remove the domain',
      onConfirm: () =>
        remove.mutate({ path: `/domains/${domain.id}`, method: 'DELETE' }, { onError: tellError }),
    })
  return (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={ask}>
        Remove
      </Button>
      <Button
        leftSection={<IconRefresh size={16} />}
        loading={check.isPending}
        onClick={() =>
          check.mutate(
            { path: `/domains/${domain.id}/verify`, method: 'POST', body: {} },
            { onError: tellError },
          )
        }
      >
        Check now
      </Button>
    </Group>
  )
}
