import './go-live.css'
import { Anchor, Progress, Text } from '@mantine/core'
import type { GoLive } from '../../api/records.ts'
import { useSession } from '../../api/session.ts'
import { useGet } from '../../api/team.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { Check, Checklist } from '../../ui/page/checklist.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { DomainStep } from './domain-step.tsx'
import { EmailStep } from './email-step.tsx'
import { ServerStep } from './server-step.tsx'

/** The first real email may arrive from a program. */
const REFRESH_MS = 5_000

/** The steps from capture mode to an email in a real inbox, each with its state and what to do. */
export function GoLivePage() {
  const { is_operator: isOperator } = useSession().user
  const { data, error, refetch } = useGet<GoLive>('/go-live', {
    refetchIntervalMs: REFRESH_MS,
    refetchWhile: (email) => !isDelivered(email),
  })
  if (data === undefined)
    return <PendingPage title="Go live" trail={[]} error={error} onRetry={() => void refetch()} />
  const doneCount = [
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
        <Progress value={doneCount * 25} aria-label={`${doneCount} of ${4} steps done`} size="sm" mb="xs" />
        <Text size="sm" c="dimmed" role="status">
          {doneCount === 4 ? 'You are live. Recipients get your email.' : `${doneCount} of ${4} steps done`}
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

const SETTINGS = `SENDWRIGHT_DELIVERY=direct
SENDWRIGHT_HOSTNAME=mail.example.com
PUBLIC_URL=https://mail.example.com
SENDWRIGHT_HTTPS_PORT=443
SENDWRIGHT_ACME=letsencrypt
SENDWRIGHT_SMTP_HOST=0.0.0.0
SENDWRIGHT_INBOUND_PORT=25`

const DELIVERIES: Readonly<Record<GoLive['delivery'], string>> = {
  capture: 'Capture mode is on: every email stays in the mailbox of this server.',
  direct: 'Email goes directly to the servers of the recipients.',
  relay: 'Email goes through the relay of this installation.',
}

/** How to leave capture mode, which only the settings of the server can do. */
function ModeStep({ delivery, isOperator }: { delivery: GoLive['delivery']; isOperator: boolean }) {
  const isCapturing = delivery === 'capture'
  return (
    <Section title="2. Leave capture mode">
      <Checklist label="2. Leave capture mode">
        <Check
          title="Delivery"
          state={isCapturing ? 'open' : 'passed'}
          word={isCapturing ? 'Capture mode' : 'Live'}
        >
          {DELIVERIES[delivery]}
          {isCapturing && !isOperator && ' An operator of this installation switches it off.'}
          {isCapturing && isOperator && (
            <>
              <span>
                Put these settings into the file or environment of the installation, and restart the server:
              </span>
              <CodeBlock text={SETTINGS} label="Copy the settings" />
              <Text size="sm">
                Emails that still wait go out for real after the switch. Verify your domains again: capture
                mode accepts any.
              </Text>
            </>
          )}
        </Check>
      </Checklist>
    </Section>
  )
}
