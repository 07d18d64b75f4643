import './start.css'
import { Button, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck, IconRocket } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { EmailWhole } from '../../api/records.ts'
import { useSendDomain } from '../../api/send-domains.ts'
import { useSession } from '../../api/session.ts'
import { useNewestEmail, useSkippedStart } from '../../api/start.ts'
import { useGet, useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { Page } from '../../ui/page/page.tsx'
import { BounceStep } from './bounce-step.tsx'
import { SendStep } from './send-step.tsx'
import { texts } from './texts.ts'
import { ViewStep } from './view-step.tsx'

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
      title={texts.page.title}
      description={texts.page.description}
      actions={
        <Button variant={firstId === null ? 'subtle' : 'filled'} onClick={leave}>
          {firstId === null ? texts.page.skip : texts.page.done}
        </Button>
      }
    >
      <ol className="start" aria-label={texts.page.steps}>
        <Step number={1} title={texts.send.title} isDone={firstId !== null}>
          <SendStep domain={domain} email={email ?? null} />
        </Step>
        <Step number={2} title={texts.view.title} isDone={email !== undefined}>
          <ViewStep email={email ?? null} />
        </Step>
        <Step number={3} title={texts.bounce.title} isDone={bouncedId !== null}>
          <BounceStep domain={domain ?? null} sentId={bouncedId} onSent={setBouncedId} />
        </Step>
        <Step number={4} title={texts.live.title} isDone={false}>
          <Text size="sm" c="dimmed" mb="sm">
            {delivery === 'capture' ? texts.live.capture : texts.live.direct}
          </Text>
          <Button component={Link} to={`/${team.id}/go-live`} variant="default" leftSection={<IconRocket />}>
            {texts.live.open}
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
          aria-label={isDone ? texts.page.stepDone(number) : texts.page.stepToDo(number)}
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
