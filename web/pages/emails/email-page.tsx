import './emails.css'
import { Skeleton, Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Attempt, EmailWhole } from '../../api/records.ts'
import { useGet, useTeam } from '../../api/team.ts'
import { CapturedState, SimulatedBadge } from '../../ui/email-status.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { WidgetBoundary } from '../../ui/page/widget-boundary.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { wasCaptured } from '../../ui/was-captured.ts'
import { Attempts } from './attempts.tsx'
import { Content } from './content.tsx'
import { Delivery, hasComplained, type Recipient, useChosenRecipient } from './delivery.tsx'
import { EmailActions } from './email-actions.tsx'
import { EmailDetails, EmailHead } from './email-facts.tsx'
import { Timeline } from './timeline.tsx'

/** Stands for an empty subject. */
const NO_SUBJECT = '(no subject)'

/** One email: its result for each recipient, and its content. */
export function EmailPage() {
  const team = useTeam()
  const { emailId = '' } = useParams({ strict: false })
  const { data: email, error, refetch } = useGet<EmailWhole>(`/emails/${emailId}`)
  const trail = [{ label: 'Emails', to: `/${team.id}/emails` }]
  if (email === undefined)
    return (
      <PendingPage title="Email" trail={trail} error={error} onRetry={() => void refetch()}>
        <Placeholder />
      </PendingPage>
    )
  return (
    <Page
      title={email.subject === '' ? NO_SUBJECT : email.subject}
      trail={trail}
      badge={<WholeStatus email={email} />}
      description={<EmailHead email={email} />}
      actions={<EmailActions email={email} />}
    >
      <Parts email={email} />
    </Page>
  )
}

function Parts({ email }: { email: EmailWhole }) {
  const recipient = useChosenRecipient(email)
  return (
    <>
      {recipient !== null && (
        <WidgetBoundary>
          <Delivery email={email} recipient={recipient} />
        </WidgetBoundary>
      )}
      <div className="email-columns">
        <Content email={email} />
        <div>
          {recipient !== null && (
            <WidgetBoundary>
              <Activity email={email} recipient={recipient} />
            </WidgetBoundary>
          )}
          <EmailDetails email={email} />
        </div>
      </div>
    </>
  )
}

function Activity({ email, recipient }: { email: EmailWhole; recipient: Recipient }) {
  const attempts = useGet<{ data: Attempt[] }>(`/emails/${email.id}/attempts`)
  const ofRecipient = attempts.data?.data.filter((attempt) => attempt.recipient === recipient.email) ?? null
  return (
    <Section title="Activity">
      <Timeline email={email} recipient={recipient} />
      <ErrorNote error={attempts.error} onRetry={() => void attempts.refetch()} />
      <Attempts attempts={ofRecipient} />
    </Section>
  )
}

function WholeStatus({ email }: { email: EmailWhole }) {
  const { status, recipients } = email
  const [only] = recipients
  const isCaptured = recipients.every((each) => wasCaptured(each.status, each.mx_host))
  return (
    <>
      {isCaptured ? <CapturedState /> : <StatusBadge status={status} />}
      {recipients.length === 1 && only !== undefined && hasComplained(email, only) && (
        <StatusBadge status="complained" />
      )}
      <SimulatedBadge email={email} />
    </>
  )
}

function Placeholder() {
  return (
    <Stack gap="md" aria-busy="true">
      {[90, 220, 380].map((height) => (
        <Section key={height}>
          <Skeleton height={14} width="40%" mb="sm" />
          <Skeleton height={height} />
        </Section>
      ))}
    </Stack>
  )
}
