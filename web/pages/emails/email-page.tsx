import { Skeleton, Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { EmailWhole } from '../../api/records.ts'
import { useGet, useTeam } from '../../api/team.ts'
import { CapturedState, wasCaptured } from '../../ui/email-status.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Content } from './content.tsx'
import { Delivery } from './delivery.tsx'
import { EmailActions } from './email-actions.tsx'
import { EmailFacts } from './email-facts.tsx'

/** Stands for an empty subject. */
const NO_SUBJECT = '(no subject)'

/** One email: its delivery to each recipient, and its content. */
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
      actions={<EmailActions email={email} />}
    >
      <EmailFacts email={email} />
      <Delivery email={email} />
      <Content email={email} />
    </Page>
  )
}

function WholeStatus({ email: { status, recipients } }: { email: EmailWhole }) {
  const isCaptured = recipients.every((each) => wasCaptured(each.status, each.mx_host))
  return isCaptured ? <CapturedState /> : <StatusBadge status={status} />
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
