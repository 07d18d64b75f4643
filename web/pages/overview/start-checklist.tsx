import { Anchor, Button, Group, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck, IconSend } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { NewApiKey } from '../../api/records.ts'
import { useSession } from '../../api/session.ts'
import { useChange, useMay, useTeam } from '../../api/team.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { EmailStatus } from '../../ui/email-status.tsx'
import { Link } from '../../ui/link.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { Snippets } from './snippets.tsx'
import { texts } from './texts.ts'
import type { Start } from './use-start.ts'

interface ChecklistProps {
  start: Start
  openSend(): void
}

/** The steps from a new team to its first email. */
export function StartChecklist({ start, openSend }: ChecklistProps) {
  const may = useMay()
  const [key, setKey] = useState<NewApiKey | null>(null)
  const { domain, hasKey, email, isDone } = start
  return (
    <Section
      title={texts.startChecklist.firstSteps}
      description={texts.startChecklist.fourStepsFirstEmail}
      actions={
        <Button variant="subtle" size="compact-sm" onClick={start.dismiss}>
          {isDone ? texts.startChecklist.done : texts.startChecklist.notNow}
        </Button>
      }
    >
      <ol className="steps">
        <Step number={1} title={texts.startChecklist.addASendingDomain} isDone={domain !== null}>
          <DomainStep start={start} />
        </Step>
        <Step number={2} title={texts.startChecklist.createAnApiKey} isDone={hasKey || key !== null}>
          <KeyStep created={key} onCreated={setKey} hasKey={hasKey} />
        </Step>
        <Step number={3} title={texts.startChecklist.sendFromYourProgram} isDone={isDone}>
          <Snippets token={key?.token ?? null} domain={domain?.name ?? 'example.com'} />
          {may.change('Emails') && (
            <Group gap="xs" mt="sm">
              <Text size="sm">{texts.startChecklist.orWithoutCode}</Text>
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconSend />}
                onClick={openSend}
                disabled={domain === null}
              >
                {texts.startChecklist.sendATestEmail}
              </Button>
            </Group>
          )}
        </Step>
        <Step number={4} title={texts.startChecklist.seeTheEmailArrive} isDone={email !== null}>
          <Arrival start={start} />
        </Step>
      </ol>
    </Section>
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
      <ThemeIcon
        radius="xl"
        size={26}
        variant={isDone ? 'filled' : 'default'}
        aria-label={isDone ? texts.startChecklist.stepDone(number) : texts.startChecklist.stepToDo(number)}
        role="img"
      >
        {isDone ? <IconCheck /> : <span>{number}</span>}
      </ThemeIcon>
      <div style={{ minWidth: 0 }}>
        <Title order={3} mb="xxs">
          {title}
        </Title>
        {children}
      </div>
    </li>
  )
}

function DomainStep({ start: { domain } }: Pick<ChecklistProps, 'start'>) {
  const team = useTeam()
  const may = useMay()
  const isCapturing = useSession().installation.delivery === 'capture'
  if (domain !== null)
    return (
      <Text size="sm" c="dimmed">
        <Anchor component={Link} to={`/${team.id}/domains/${domain.id}`} size="sm" underline="always">
          {domain.name}
        </Anchor>{' '}
        {domain.captured ? texts.startChecklist.sendCaptureModeEvery : texts.startChecklist.verifiedSend}
      </Text>
    )
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {isCapturing
          ? texts.startChecklist.captureModeAnyDomain
          : texts.startChecklist.publishDnsRecordsProve}
      </Text>
      {may.change('Domains') ? (
        <Button
          size="compact-sm"
          variant="default"
          component={Link}
          to={`/${team.id}/domains`}
          search={{ new: 'true' } as never}
        >
          {texts.startChecklist.addADomain}
        </Button>
      ) : (
        <Text size="sm">{texts.startChecklist.askAdminTeamAdd}</Text>
      )}
    </>
  )
}

interface KeyStepProps {
  created: NewApiKey | null
  onCreated(key: NewApiKey): void
  hasKey: boolean
}

function KeyStep({ created, onCreated, hasKey }: KeyStepProps) {
  const may = useMay()
  const create = useChange<NewApiKey>({ onDone: onCreated })
  if (created !== null)
    return (
      <>
        <Text size="sm" mb="xs">
          {texts.startChecklist.copyKeyNowShown}
        </Text>
        <CodeBlock text={created.token} label={texts.startChecklist.copyTheKey} />
      </>
    )
  if (!may.change('API keys')) return <Text size="sm">{texts.startChecklist.askAdminTeamCreate}</Text>
  const body = { name: texts.startChecklist.firstSteps, permission: 'full' }
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {hasKey ? texts.startChecklist.teamAlreadyKeyCreate : texts.startChecklist.programAuthenticatesKey}
      </Text>
      <ErrorNote error={create.error} />
      <Button
        size="compact-sm"
        variant="default"
        loading={create.isPending}
        onClick={() => create.mutate({ path: '/api-keys', method: 'POST', body })}
      >
        {texts.startChecklist.createApiKey}
      </Button>
    </>
  )
}

function Arrival({ start: { email } }: Pick<ChecklistProps, 'start'>) {
  const team = useTeam()
  const { delivery } = useSession().installation
  if (email === null)
    return (
      <Text size="sm" c="dimmed" role="status">
        {texts.startChecklist.waitingFirstEmailAppears}
      </Text>
    )
  return (
    <Group gap="sm" role="status">
      <Anchor component={Link} to={`/${team.id}/emails/${email.id}`} size="sm" fw={500}>
        <span className="foreign">
          {email.subject === '' ? texts.startChecklist.noSubject : email.subject}
        </span>
      </Anchor>
      <EmailStatus email={email} />
      {delivery === 'capture' && (
        <Anchor component={Link} to={`/${team.id}/captured`} size="sm">
          {texts.startChecklist.openTheMailbox}
        </Anchor>
      )}
    </Group>
  )
}
