import './domains.css'
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { DomainWhole } from '../../api/records.ts'
import { useChange, useGet, useMay, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { DomainSettings } from './domain-settings.tsx'
import { DomainStatus } from './domain-status.tsx'
import { ProviderLine } from './provider-line.tsx'
import { RecordExport } from './record-export.tsx'
import { RecordGroups } from './record-groups.tsx'
import { texts } from './texts.ts'

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
  const trail = [{ label: texts.page.domains, to: `/${team.id}/domains` }]
  if (data === undefined)
    return (
      <PendingPage title={texts.page.domain} trail={trail} error={error} onRetry={() => void refetch()} />
    )
  return (
    <Page
      title={data.name}
      trail={trail}
      badge={<DomainStatus domain={data} />}
      description={
        <>
          {texts.page.added} <Moment at={data.created_at} />.{' '}
          {data.checked_at === null ? (
            texts.page.dnsNotBeenChecked
          ) : (
            <>
              {texts.page.dnsWasLastChecked} <Moment at={data.checked_at} isRelative />.
            </>
          )}
        </>
      }
      actions={<DomainActions domain={data} />}
    >
      <StateNote domain={data} />
      <Section title={texts.page.recordsToPublish} description={texts.page.addRecordsDnsProvider}>
        <ProviderLine domainId={data.id} />
        <RecordGroups domain={data} />
      </Section>
      <RecordExport domain={data} />
      <DomainSettings domain={data} />
    </Page>
  )
}

function StateNote({ domain: { status, status_reason: reason, captured } }: { domain: DomainWhole }) {
  if (captured)
    return (
      <Alert color="gray" mb="md" icon={<IconCircleCheck />} title={texts.page.verifiedForCaptureMode}>
        {texts.page.noEmailLeavesInstallation}
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

const STATE_TITLES: Readonly<Record<string, string>> = texts.page.stateTitles
const STATE_ADVICE: Readonly<Record<string, string>> = texts.page.stateAdvice

function DomainActions({ domain }: { domain: DomainWhole }) {
  const team = useTeam()
  const mayChange = useMay().change('Domains')
  const navigate = useNavigate()
  const check = useChange<DomainWhole>({
    touches: ['/attention'],
    onDone: ({ status }) =>
      notifyDone(
        status === 'verified' ? texts.page.allRequiredRecordsPublished : texts.page.dnsCheckedSomeRecords,
      ),
  })
  const remove = useChange({
    touches: ['/attention'],
    onDone: () => {
      notifyDone(texts.page.removed(domain.name))
      void navigate({ to: `/${team.id}/domains` })
    },
  })
  if (!mayChange) return null
  const ask = () =>
    confirm({
      title: texts.page.removeQuestion(domain.name),
      children: texts.page.noLongerSendFrom,
      action: texts.page.removeTheDomain,
      onConfirm: () =>
        remove.mutate({ path: `/domains/${domain.id}`, method: 'DELETE' }, { onError: notifyError }),
    })
  return (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconTrash />} onClick={ask}>
        {texts.page.remove}
      </Button>
      <Button
        leftSection={<IconRefresh />}
        loading={check.isPending}
        onClick={() =>
          check.mutate(
            { path: `/domains/${domain.id}/verify`, method: 'POST', body: {} },
            { onError: notifyError },
          )
        }
      >
        {texts.page.checkNow}
      </Button>
    </Group>
  )
}
