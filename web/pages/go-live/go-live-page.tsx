import './go-live.css'
import { Anchor, Progress, Text } from '@mantine/core'
import type { GoLive } from '../../api/records.ts'
import { useSession } from '../../api/session.ts'
import { useGet } from '../../api/team.ts'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { DomainStep } from './domain-step.tsx'
import { EmailStep } from './email-step.tsx'
import { ModeStep } from './mode-step.tsx'
import { ServerStep } from './server-step.tsx'

/** The first real email may arrive from a program. */
const REFRESH_MS = 5_000

/** The steps from capture mode to an email in a real inbox, each with its state and what to do. */
export function GoLivePage() {
  const { is_operator: isOperator } = useSession().user
  const { data, error, refetch } = useGet<GoLive>('/go-live', {
    refetchIntervalMs: REFRESH_MS,
    refetchWhile: (found) => !isDelivered(found),
  })
  if (data === undefined)
    return <PendingPage title="Go live" trail={[]} error={error} onRetry={() => void refetch()} />
  const done = [
    data.server === 'ok' || data.server === 'note',
    data.delivery !== 'capture',
    data.domain !== null && canSend(data.domain),
    isDelivered(data),
  ].filter(Boolean).length
  return (
    <Page
      title="Go live"
      isNarrow
      description={
        <>
          From a server that only captures email to the first one in a real inbox.{' '}
          <Anchor href="/docs/go-live" size="sm" inherit>
            Read the guide
          </Anchor>
        </>
      }
    >
      <div className="go-live-progress">
        <Progress value={done * 25} aria-label={`${done} of ${4} steps done`} size="sm" mb="xs" />
        <Text size="sm" c="dimmed" role="status">
          {done === 4 ? 'You are live. Recipients get your email.' : `${done} of ${4} steps done`}
        </Text>
      </div>
      <ServerStep isOperator={isOperator} level={data.server} onDone={() => void refetch()} />
      <ModeStep delivery={data.delivery} isOperator={isOperator} />
      <DomainStep domain={data.domain} />
      <EmailStep state={data} onChange={() => void refetch()} />
    </Page>
  )
}

const canSend = ({ status, captured }: NonNullable<GoLive['domain']>) =>
  !captured && (status === 'verified' || status === 'temporary_failure')

const isDelivered = ({ email }: GoLive) => email?.status === 'delivered' || email?.status === 'sent'
