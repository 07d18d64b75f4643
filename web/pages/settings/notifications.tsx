import { Skeleton, Stack, Table, Text } from '@mantine/core'
import type { AlertMessage, Notifications as Settings } from '../../api/account-records.ts'
import { useGet, useMay } from '../../api/team.ts'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { plural } from '../../ui/plural.ts'
import { State } from '../../ui/status-badge.tsx'
import { AlertEmails } from './alert-emails.tsx'
import { AlertWebhook } from './alert-webhook.tsx'

const REASONS = { summary: 'Summary', change: 'Alerts', test: 'Test' }
const CHANNELS = { email: 'email', webhook: 'webhook' }
const STATUSES = { waiting: 'Queued', sent: 'Sent', failed: 'Failed' }

const REFRESH_MS = 2_000
const TONES = { waiting: 'blue', sent: 'green', failed: 'red' } as const

/** Alerts by email to the user, and to the team's webhook. */
export function Notifications() {
  const mayChange = useMay().change('Team')
  const { data, error, refetch } = useGet<Settings>('/team/notifications', {
    refetchIntervalMs: REFRESH_MS,
    refetchWhile: ({ recent }) => recent.some(({ status }) => status === 'waiting'),
  })
  if (data === undefined)
    return (
      <Section title="Alert emails">
        {error === null ? (
          <Skeleton height={200} />
        ) : (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        )}
      </Section>
    )
  const { email, webhook, recent } = data
  return (
    <>
      <Section
        title="Alert emails"
        description="For you alone. One email when alerts begin or end; the first one lists those that are open."
      >
        <AlertEmails key={JSON.stringify(email)} email={email} />
      </Section>
      {mayChange && (
        <Section
          title="Alert webhook"
          description="Posts the alerts of the team to a Slack channel or any URL."
        >
          <AlertWebhook key={webhook?.url ?? ''} webhook={webhook} />
        </Section>
      )}
      {recent.length > 0 && (
        <Section title="Recent alert messages" isFlush>
          <Recent messages={recent} />
        </Section>
      )}
    </>
  )
}

function Recent({ messages }: { messages: readonly AlertMessage[] }) {
  return (
    <Table aria-label="Recent alert messages">
      <Table.Tbody>
        {messages.map(({ id, channel, reason, alert_count: count, status, error, created_at: at }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <Stack gap={0}>
                <Text size="sm">
                  {REASONS[reason]} by {CHANNELS[channel]}: {count} {plural(count, 'alert', 'alerts')}
                </Text>
                {error !== null && (
                  <Text size="xs" c="dimmed" className="foreign">
                    {error}
                  </Text>
                )}
              </Stack>
            </Table.Td>
            <Table.Td>
              <State tone={TONES[status]}>{STATUSES[status]}</State>
            </Table.Td>
            <Table.Td>
              <Moment at={at} isRelative />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
