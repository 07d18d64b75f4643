import { Badge, Box, Group, NavLink, ScrollArea, SimpleGrid, Text, Title } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import type { Attempt, EmailWhole } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import { DeliveryState, wasCaptured } from '../../ui/email-status.tsx'
import { Link } from '../../ui/link.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { StatusBadge, showWord } from '../../ui/status-badge.tsx'
import { readTime, showLocal } from '../../ui/times.ts'
import { Attempts } from './attempts.tsx'
import { Timeline } from './timeline.tsx'

export type Recipient = EmailWhole['recipients'][number]

const WELL = new Set(['delivered', 'sent'])

/** The delivery to each recipient. The page's address names the chosen one. */
export function Delivery({ email }: { email: EmailWhole }) {
  const { recipient: wanted } = useSearch({ strict: false }) as { recipient?: string }
  const attempts = useGet<{ data: Attempt[] }>(`/emails/${email.id}/attempts`)
  const { recipients } = email
  const chosen = chooseRecipient(recipients, wanted)
  if (chosen === null) return null
  const detail = (
    <>
      <ErrorNote error={attempts.error} onRetry={() => void attempts.refetch()} />
      <RecipientDetail email={email} recipient={chosen} attempts={attempts.data?.data ?? null} />
    </>
  )
  if (recipients.length === 1) return <Section title="Delivery">{detail}</Section>
  return (
    <Section title="Delivery" description={countStates(recipients)}>
      <div className="side-by-side">
        <Choices recipients={recipients} chosen={chosen} />
        <div style={{ minWidth: 0 }}>{detail}</div>
      </div>
    </Section>
  )
}

/** Returns the recipient that the address names, else the first one without a successful delivery. */
function chooseRecipient(recipients: readonly Recipient[], wanted: string | undefined): Recipient | null {
  const byName = recipients.find(({ email }) => email === wanted)
  return byName ?? recipients.find(({ status }) => !WELL.has(status)) ?? recipients[0] ?? null
}

function countStates(recipients: readonly Recipient[]): string {
  const counts = new Map<string, number>()
  for (const { status } of recipients) counts.set(status, (counts.get(status) ?? 0) + 1)
  const parts = [...counts].map(([status, count]) => `${count} ${showWord(status).toLowerCase()}`)
  return `${recipients.length} recipients: ${parts.join(', ')}`
}

function Choices({ recipients, chosen }: { recipients: readonly Recipient[]; chosen: Recipient }) {
  return (
    <ScrollArea.Autosize mah={420} component="nav" aria-label="Recipients" type="auto">
      {recipients.map(({ email, status, type, mx_host }) => (
        <NavLink
          key={`${type} ${email}`}
          component={Link}
          to="."
          search={(before: object) => ({ ...before, recipient: email }) as never}
          replace
          resetScroll={false}
          active={email === chosen.email}
          aria-current={email === chosen.email ? 'true' : undefined}
          label={
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <span className="one-line" style={{ minWidth: 0 }}>
                <bdi>{email}</bdi>
              </span>
              <span style={{ flex: 'none' }}>
                <DeliveryState status={status} host={mx_host} />
              </span>
            </Group>
          }
        />
      ))}
    </ScrollArea.Autosize>
  )
}

interface DetailProps {
  email: EmailWhole
  recipient: Recipient
  attempts: readonly Attempt[] | null
}

function RecipientDetail({ email, recipient, attempts }: DetailProps) {
  const own = attempts?.filter((attempt) => attempt.recipient === recipient.email) ?? null
  return (
    <Box>
      <Group gap="xs" mb="xxs">
        <Title order={3} className="foreign">
          {recipient.email}
        </Title>
        {recipient.type !== 'to' && <Badge>{recipient.type}</Badge>}
        <DeliveryState status={recipient.status} host={recipient.mx_host} />
        {hasComplained(email, recipient) && <StatusBadge status="complained" />}
      </Group>
      <Text size="sm" mb="md" maw={720} className="foreign">
        {adviceFor(recipient)}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Timeline email={email} recipient={recipient} />
        <Attempts attempts={own} />
      </SimpleGrid>
    </Box>
  )
}

/** A complaint follows a delivery and does not change its status. */
function hasComplained({ events }: EmailWhole, { email }: Recipient): boolean {
  return events.some(({ type, data }) => type === 'email.complained' && data.recipient === email)
}

/** Returns the API's advice about the recipient. Times in it are converted from UTC to the user's time zone. */
function adviceFor({ advice, response, category, status, mx_host }: Recipient): string {
  if (wasCaptured(status, mx_host)) return 'Captured in test mode. It was not sent.'
  const words = advice ?? response ?? (category === null ? null : category.replaceAll('_', ' '))
  if (words === null) return status === 'queued' ? 'Waiting in the queue.' : 'No details yet.'
  return words.replace(/(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC/g, (written, at: string) => {
    const date = readTime(at)
    return date === null ? written : showLocal(date)
  })
}
