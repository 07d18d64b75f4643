import { Badge, Group, NavLink, ScrollArea, Title } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import type { EmailWhole } from '../../api/records.ts'
import { DeliveryState } from '../../ui/email-status.tsx'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { StatusBadge, showWord } from '../../ui/status-badge.tsx'
import { showDuration } from '../../ui/times.ts'
import { concerns, type Stage, trackOf } from './stages.ts'
import { Verdict } from './verdict.tsx'

export type Recipient = EmailWhole['recipients'][number]

const WELL = new Set(['delivered', 'sent'])

/** Returns the recipient that the page's address names, else the first one without a successful delivery. */
export function useChosenRecipient({ recipients }: EmailWhole): Recipient | null {
  const { recipient: address } = useSearch({ strict: false }) as { recipient?: string }
  const byName = recipients.find(({ email }) => email === address)
  return byName ?? recipients.find(({ status }) => !WELL.has(status)) ?? recipients[0] ?? null
}

/** The result for each recipient. */
export function Delivery({ email, recipient }: { email: EmailWhole; recipient: Recipient }) {
  const { recipients } = email
  const detail = <RecipientDetail email={email} recipient={recipient} />
  if (recipients.length === 1) return <div className="section">{detail}</div>
  return (
    <div className="section side-by-side">
      <div>
        <Title order={2} mb="xs">
          {recipients.length} recipients
        </Title>
        <p className="recipient-counts">{countStates(recipients)}</p>
        <Choices recipients={recipients} current={recipient} />
      </div>
      <div style={{ minWidth: 0 }}>{detail}</div>
    </div>
  )
}

function countStates(recipients: readonly Recipient[]): string {
  const counts = new Map<string, number>()
  for (const { status } of recipients) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} ${showWord(status).toLowerCase()}`).join(' · ')
}

function Choices({ recipients, current }: { recipients: readonly Recipient[]; current: Recipient }) {
  return (
    <ScrollArea.Autosize mah={320} component="nav" aria-label="Recipients" type="auto">
      {recipients.map(({ email, status, type, mx_host }) => (
        <NavLink
          key={`${type} ${email}`}
          component={Link}
          to="."
          search={(before: object) => ({ ...before, recipient: email }) as never}
          replace
          resetScroll={false}
          active={email === current.email}
          aria-current={email === current.email ? 'true' : undefined}
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

function RecipientDetail({ email, recipient }: { email: EmailWhole; recipient: Recipient }) {
  return (
    <>
      {email.recipients.length > 1 && (
        <Group gap="xs" mb="sm">
          <Title order={3} className="foreign">
            {recipient.email}
          </Title>
          {recipient.type !== 'to' && <Badge>{recipient.type}</Badge>}
          <DeliveryState status={recipient.status} host={recipient.mx_host} />
          {hasComplained(email, recipient) && <StatusBadge status="complained" />}
        </Group>
      )}
      <Verdict email={email} recipient={recipient} />
      <Track stages={trackOf(email, recipient)} />
    </>
  )
}

/** A complaint follows a delivery and does not change its status. */
export function hasComplained({ events }: EmailWhole, { email }: Recipient): boolean {
  return events.some((event) => event.type === 'email.complained' && concerns(event, email))
}

/** The way of an email to one recipient, from left to right, with the time between its stages. */
function Track({ stages }: { stages: readonly Stage[] }) {
  return (
    <ol className="track" aria-label="Progress">
      {stages.map(({ label, tone, at, sinceMs, isReached }, index) => (
        <li key={String(index)} data-tone={tone} data-ahead={!isReached || undefined}>
          {index > 0 && (
            <span className="track-line">
              <span>{sinceMs === null ? '' : showGap(sinceMs)}</span>
            </span>
          )}
          <span className="track-stage">
            <span className="dot" aria-hidden />
            <span>{label}</span>
            <span className="track-time">
              <Moment at={at} isRelative={!isReached} hasSeconds none="" />
            </span>
          </span>
        </li>
      ))}
    </ol>
  )
}

/** The API's times are in whole seconds. */
const showGap = (ms: number): string => (ms < 1_000 ? '< 1 s' : showDuration(ms))
