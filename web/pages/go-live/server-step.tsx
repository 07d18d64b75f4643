import { Button, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { GoLive, ServerChecks } from '../../api/records.ts'
import { useChange, useGet } from '../../api/team.ts'
import { Moment } from '../../ui/moment.tsx'
import { notifyError } from '../../ui/notifications.tsx'
import { Check, Checklist, type CheckState, RecordLine } from '../../ui/page/checklist.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { readTime } from '../../ui/times.ts'

const STEPS = {
  hostname: { title: 'Server name', purpose: 'The name in SENDWRIGHT_HOSTNAME must resolve.' },
  public_url: {
    title: 'Public URL with TLS',
    purpose: 'Links in emails and API clients use PUBLIC_URL.',
  },
  reverse_dns: {
    title: 'Reverse DNS',
    purpose: 'Large receivers reject mail from addresses without a PTR record.',
  },
  spf: { title: 'SPF', purpose: 'Allows the address of this server to send for its name.' },
  outbound_port: {
    title: 'Outgoing port 25',
    purpose: 'Many hosting providers block it until you ask.',
  },
  bounce_host: { title: 'MX record', purpose: 'Bounces return to the name of the server.' },
  inbound_port: { title: 'Incoming port 25', purpose: 'Bounces and complaints arrive here.' },
}
const RESULTS = {
  ok: 'The server passed its last check.',
  note: 'The server passed its last check.',
  warning: 'The last check of the server found warnings.',
  problem: 'The last check of the server found problems.',
}

type Step = keyof typeof STEPS
type Finding = ServerChecks['findings'][number]

const RUNNING_MS = 700
const PATH = '/operator/server-checks'
const ALL_STEPS = Object.keys(STEPS) as Step[]
/** A relay is responsible for the others. */
const RELAY_STEPS: readonly Step[] = ['hostname', 'public_url', 'bounce_host', 'inbound_port']

interface ServerStepProps {
  isOperator: boolean
  level: GoLive['server']
  onDone(): void
}

/** The checks of the server: operators run them, and others see the worst result. */
export function ServerStep({ isOperator, level, onDone }: ServerStepProps) {
  if (isOperator) return <OperatorChecks onDone={onDone} />
  return (
    <Section title="1. Prepare the server">
      <Checklist label="Checks of the server">
        <Check
          title={level === null ? 'The server was not checked yet.' : RESULTS[level]}
          state={stateOfLevel(level)}
        >
          An operator of this installation checks the server.
        </Check>
      </Checklist>
    </Section>
  )
}

function OperatorChecks({ onDone }: Pick<ServerStepProps, 'onDone'>) {
  const { data, error, refetch } = useGet<ServerChecks>(PATH, {
    isTeamless: true,
    refetchIntervalMs: RUNNING_MS,
    refetchWhile: ({ state }) => state === 'running',
  })
  const run = useChange({ isTeamless: true, onDone: () => void refetch(), onError: notifyError })
  const state = data?.state
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of a run changes the page around
  useEffect(() => {
    if (state === 'done') onDone()
  }, [state])
  const waitSeconds = useSecondsUntil(data?.next_at ?? null)
  const isRunning = state === 'running' || run.isPending
  return (
    <Section
      title="1. Prepare the server"
      description="Receivers check who sends to them. These checks contact DNS and other servers, and send no mail."
      actions={
        <Button
          leftSection={<IconRefresh />}
          variant={state === 'done' ? 'default' : 'filled'}
          loading={isRunning}
          disabled={waitSeconds > 0}
          onClick={() => run.mutate({ path: PATH, method: 'POST', body: {} })}
        >
          {state === undefined || state === 'never' ? 'Check the server' : 'Check again'}
        </Button>
      }
    >
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data !== undefined && (
        <>
          <Checklist label="Checks of the server">
            {(data.delivery === 'relay' ? RELAY_STEPS : ALL_STEPS).map((step) => (
              <ServerCheck key={step} step={step} checks={data} />
            ))}
          </Checklist>
          <Text size="xs" c="dimmed" mt="xs" role="status">
            {data.state === 'running' && 'Checking…'}
            {data.state === 'interrupted' && 'The last run was interrupted. Check again.'}
            {data.checked_at !== null && (
              <>
                Checked <Moment at={data.checked_at} isRelative />.{' '}
                {waitSeconds > 0 && `You can check again in ${waitSeconds} s.`}
              </>
            )}
            {data.delivery === 'relay' &&
              ' A relay delivers your mail. It is responsible for reverse DNS, SPF and port 25.'}
          </Text>
        </>
      )}
    </Section>
  )
}

function ServerCheck({ step, checks }: { step: Step; checks: ServerChecks }) {
  const findings = checks.findings.filter((each) => each.step === step)
  const { title, purpose } = STEPS[step]
  if (findings.length === 0) {
    const state = checks.state === 'running' ? 'running' : 'open'
    return (
      <Check title={title} state={state} {...(state === 'open' ? { word: 'Not checked' } : {})}>
        {checks.state === 'done' ? missingReason(step) : purpose}
      </Check>
    )
  }
  return (
    <Check title={title} state={worstOf(findings)}>
      {findings.map((finding) => (
        <FindingText key={finding.check} finding={finding} isOne={findings.length === 1} />
      ))}
    </Check>
  )
}

function FindingText({ finding, isOne }: { finding: Finding; isOne: boolean }) {
  const { check, found, advice, level, record } = finding
  return (
    <>
      <span className="foreign">
        {!isOne && `${check}: `}
        {found}
        {level !== 'ok' && advice !== null && (
          <>
            {' '}
            <strong>{advice}</strong>
          </>
        )}
      </span>
      {record !== null && level !== 'ok' && <RecordLine {...record} />}
    </>
  )
}

const missingReason = (step: Step) =>
  step === 'inbound_port'
    ? 'SENDWRIGHT_INBOUND_PORT is not set, so bounces cannot arrive.'
    : 'This needs the name of the server first.'

const STATES = { ok: 'passed', note: 'note', warning: 'warning', problem: 'failed' } as const
const LEVELS = ['ok', 'note', 'warning', 'problem'] as const

function worstOf(findings: readonly Finding[]): CheckState {
  const worst = Math.max(...findings.map(({ level }) => LEVELS.indexOf(level)))
  return STATES[LEVELS[worst] ?? 'ok']
}

function stateOfLevel(level: GoLive['server']): CheckState {
  if (level === null) return 'open'
  return level === 'note' ? 'passed' : STATES[level]
}

/** Returns the seconds until a time of the API, and counts down; 0 when it has passed. */
function useSecondsUntil(at: string | null): number {
  const [nowMs, setNow] = useState(() => Date.now())
  const leftMs = (at === null ? 0 : (readTime(at)?.getTime() ?? 0)) - nowMs
  useEffect(() => {
    if (leftMs <= 0) return
    const timer = window.setTimeout(() => setNow(Date.now()), 1000)
    return () => window.clearTimeout(timer)
  }, [leftMs])
  // A clock that is behind the server's must not lock the button for longer than the server does.
  return Math.min(60, Math.max(0, Math.ceil(leftMs / 1000)))
}
