import './start.css'
import { Anchor, Button, Group, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck, IconRocket } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { EmailWhole } from '../../api/records.ts'
import { useSendDomain } from '../../api/send-domains.ts'
import { useSession } from '../../api/session.ts'
import { useNewestEmail, useSkippedStart } from '../../api/start.ts'
import { useGet, useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { MailFrame } from '../../ui/mail/mail-frame.tsx'
import { Waiting } from '../../ui/page/checklist.tsx'
import { Page } from '../../ui/page/page.tsx'
import { BounceStep } from './bounce-step.tsx'
import { SendStep } from './send-step.tsx'

/** The first steps of a new team, on one page: send, see the email, see a bounce, go live. */
export function StartPage() {
  const team = useTeam()
  const navigate = useNavigate()
  const { delivery } = useSession().installation
  const [, skip] = useSkippedStart()
  const [bouncedId, setBouncedId] = useState<string | null>(null)
  const newest = useNewestEmail()
  const domain = useSendDomain()
  // The bounce must not replace the first email in step 2.
  const [firstId, setFirstId] = useState<string | null>(null)
  if (firstId === null && newest != null && newest.id !== bouncedId) setFirstId(newest.id)
  const { data: email } = useGet<EmailWhole>(`/emails/${firstId}`, { enabled: firstId !== null })
  const leave = () => {
    skip()
    void navigate({ to: `/${team.id}` })
  }
  return (
    <Page
      title="Get started"
      description="Four steps to an email that works. Each is checked off when it happens."
      actions={
        <Button variant={firstId === null ? 'subtle' : 'filled'} onClick={leave}>
          {firstId === null ? 'Skip for now' : 'Done'}
        </Button>
      }
    >
      <ol className="start" aria-label="First steps">
        <Step number={1} title="Send your first email" isDone={firstId !== null}>
          <SendStep domain={domain} email={email ?? null} />
        </Step>
        <Step number={2} title="See it as its recipient" isDone={email !== undefined}>
          <ViewStep email={email ?? null} />
        </Step>
        <Step number={3} title="Try a bounce" isDone={bouncedId !== null}>
          <BounceStep domain={domain ?? null} sentId={bouncedId} onSent={setBouncedId} />
        </Step>
        <Step number={4} title="Go live" isDone={false}>
          <Text size="sm" c="dimmed" mb="sm">
            {delivery === 'capture'
              ? 'This server captures email and sends none. The page shows what is missing until real recipients get it.'
              : 'This server sends for real. The page shows whether receivers will accept your mail.'}
          </Text>
          <Button component={Link} to={`/${team.id}/go-live`} variant="default" leftSection={<IconRocket />}>
            Open the checklist
          </Button>
        </Step>
      </ol>
    </Page>
  )
}

interface StepProps {
  number: number
  title: string
  isDone: boolean
  children: ReactNode
}

function Step({ number, title, isDone, children }: StepProps) {
  return (
    <li>
      <div className="start-head">
        <ThemeIcon
          radius="xl"
          size={26}
          variant={isDone ? 'filled' : 'default'}
          aria-label={isDone ? `Step ${number}: done` : `Step ${number}: to do`}
          role="img"
        >
          {isDone ? <IconCheck /> : <span>{number}</span>}
        </ThemeIcon>
        <Title order={2}>{title}</Title>
      </div>
      {children}
    </li>
  )
}

/** The first email, rendered as in a mail program. */
function ViewStep({ email }: { email: EmailWhole | null }) {
  const team = useTeam()
  const isCapturing = useSession().installation.delivery === 'capture'
  if (email === null)
    return (
      <>
        <Text size="sm" c="dimmed" mb="sm">
          The email appears here a moment after you send it.
        </Text>
        <div className="start-wait">
          <Waiting>Waiting…</Waiting>
        </div>
      </>
    )
  return (
    <>
      {isCapturing && (
        <Text size="sm" c="dimmed" mb="sm">
          Captured by this server. It was not sent.
        </Text>
      )}
      <EmailContent email={email} />
      <Group gap="md" mt="sm">
        <Anchor component={Link} to={`/${team.id}/emails/${email.id}`} size="sm" underline="always">
          View the email
        </Anchor>
        {isCapturing && (
          <Anchor component={Link} to={`/${team.id}/captured`} size="sm" underline="always">
            Open the mailbox
          </Anchor>
        )}
      </Group>
    </>
  )
}

function EmailContent({ email: { html, text, content_expired } }: { email: EmailWhole }) {
  if (content_expired) return <Text size="sm">The content of this email is no longer stored.</Text>
  if (html !== null) return <MailFrame html={html} title="Preview of your first email" height="18rem" />
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        This email has only text.
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus (WCAG 2.1.1) */}
      <section className="reading foreign" aria-label="Preview of your first email" tabIndex={0}>
        {text}
      </section>
    </>
  )
}
