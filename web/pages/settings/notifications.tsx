import { Skeleton, Stack, Table, Text } from '@mantine/core'
import type { AlertMessage, Notifications as Settings } from '../../api/account-records.ts'
import { useGet, useMay } from '../../api/team.ts'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { State } from '../../ui/status-badge.tsx'
import { AlertEmails } from './alert-emails.tsx'
import { AlertWebhook } from './alert-webhook.tsx'
import { texts } from './texts.ts'

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
      <Section title={texts.notifications.title}>
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
      <Section title={texts.notifications.title} description={texts.notifications.description}>
        <AlertEmails key={JSON.stringify(email)} email={email} />
      </Section>
      {mayChange && (
        <Section title={texts.notifications.webhook} description={texts.notifications.webhookDescription}>
          <AlertWebhook key={webhook?.url ?? ''} webhook={webhook} />
        </Section>
      )}
      {recent.length > 0 && (
        <Section title={texts.notifications.recent} isFlush>
          <Recent messages={recent} />
        </Section>
      )}
    </>
  )
}

function Recent({ messages }: { messages: readonly AlertMessage[] }) {
  const words = texts.notifications
  return (
    <Table aria-label={words.recent}>
      <Table.Tbody>
        {messages.map(({ id, channel, reason, alert_count: count, status, error, created_at: at }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <Stack gap={0}>
                <Text size="sm">{words.message(words.reasons[reason], words.channels[channel], count)}</Text>
                {error !== null && (
                  <Text size="xs" c="dimmed" className="foreign">
                    {error}
                  </Text>
                )}
              </Stack>
            </Table.Td>
            <Table.Td>
              <State tone={TONES[status]}>{words.statuses[status]}</State>
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
