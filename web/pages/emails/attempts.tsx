import { Accordion, Box, Button, Group, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Attempt } from '../../api/records.ts'
import { DeliveryState } from '../../ui/email-status.tsx'
import { Moment } from '../../ui/moment.tsx'
import { plural } from '../../ui/plural.ts'
import { showDuration } from '../../ui/times.ts'
import { joinRuns, type Run } from './stages.ts'

const SHOWN_MAX = 5

/** Every attempt for one recipient, with its SMTP transcript. Null while they are loading. */
export function Attempts({ attempts }: { attempts: readonly Attempt[] | null }) {
  const [isWhole, { open: showAll }] = useDisclosure()
  const newest = attempts?.toReversed() ?? []
  const runs = isWhole ? newest.map(aloneInRun) : joinRuns(newest, nameOfAnswer)
  const runsShown = isWhole ? runs : runs.slice(0, SHOWN_MAX)
  const failed = runsShown.find(({ first }) => first.outcome !== 'delivered')
  return (
    <Box component="section" aria-label="Delivery attempts" style={{ minWidth: 0 }}>
      <Title order={3} mb="sm">
        Delivery attempts
      </Title>
      {attempts === null && <Skeleton height={90} />}
      {attempts?.length === 0 && (
        <Text size="sm" c="dimmed">
          No attempts yet.
        </Text>
      )}
      {attempts !== null && attempts.length > 0 && (
        <Accordion
          // Another recipient begins with its own attempts open.
          key={attempts[0]?.recipient}
          variant="contained"
          chevronPosition="left"
          multiple
          order={4}
          defaultValue={failed === runsShown[0] && failed !== undefined ? [nameOfRun(failed)] : []}
        >
          {runsShown.map((run) => (
            <AttemptRow key={nameOfRun(run)} run={run} />
          ))}
        </Accordion>
      )}
      {attempts !== null && attempts.length > runsShown.length && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={showAll}>
          Show all {attempts.length} attempts
        </Button>
      )}
    </Box>
  )
}

const aloneInRun = (attempt: Attempt): Run<Attempt> => ({ first: attempt, last: attempt, all: [attempt] })

/** Attempts in a row with the same answer are one row. */
const nameOfAnswer = ({ outcome, category, response, mx_host }: Attempt): string =>
  JSON.stringify([outcome, category, response, mx_host])

/** Part of an element's id, which has no spaces. */
const nameOfRun = ({ first }: Run<Attempt>): string =>
  `${first.attempt}-${first.started_at}`.replaceAll(/\W/g, '-')

/** Attempts with the same answer, of which the newest is shown. */
function AttemptRow({ run }: { run: Run<Attempt> }) {
  const attempt = run.first
  return (
    <Accordion.Item value={nameOfRun(run)}>
      <Accordion.Control>
        <Group gap="xs" justify="space-between" pr="xs">
          <Text size="sm" fw={500}>
            {plural(
              run.all.length,
              `Attempt ${attempt.attempt}`,
              `Attempts ${run.last.attempt} to ${attempt.attempt}`,
            )}
          </Text>
          <DeliveryState status={attempt.outcome} host={attempt.mx_host} />
        </Group>
        <Text size="xs" c="dimmed" className="foreign">
          {[attempt.mx_host, showDuration(attempt.duration_ms)].filter((each) => each !== null).join(' · ')}
        </Text>
      </Accordion.Control>
      <Accordion.Panel>
        {attempt.advice !== null && (
          <Text size="sm" mb="xs" className="foreign">
            {attempt.advice}
          </Text>
        )}
        <Facts attempt={attempt} />
        <Transcript lines={attempt.conversation} />
      </Accordion.Panel>
    </Accordion.Item>
  )
}

function Facts({ attempt }: { attempt: Attempt }) {
  const { started_at, mx_address, source_address, tls } = attempt
  return (
    <dl className="facts">
      <dt>Started</dt>
      <dd>
        <Moment at={started_at} hasSeconds />
      </dd>
      {mx_address !== null && (
        <>
          <dt>Server</dt>
          <dd className="foreign">{mx_address}</dd>
        </>
      )}
      {source_address !== null && (
        <>
          <dt>From</dt>
          <dd className="foreign">{source_address}</dd>
        </>
      )}
      {tls !== null && (
        <>
          <dt>TLS</dt>
          <dd className="foreign">{tls}</dd>
        </>
      )}
    </dl>
  )
}

const SIGNS: Readonly<Record<string, [sign: string, who: string]>> = {
  client: ['→', 'We'],
  server: ['←', 'The server'],
  note: ['·', 'Note'],
}

/** The transcript, line by line, with the speaker of each line. */
function Transcript({ lines }: { lines: Attempt['conversation'] }) {
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No transcript: there was no SMTP session.
      </Text>
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus (WCAG 2.1.1)
    <section className="conversation code" aria-label="SMTP transcript" tabIndex={0}>
      <table>
        <tbody>
          {lines.map(({ at_ms, who, text }, index) => (
            <tr key={String(index)} data-who={who}>
              <td>{at_ms} ms</td>
              <td title={SIGNS[who]?.[1]}>
                <span aria-hidden>{SIGNS[who]?.[0]}</span>
                <VisuallyHidden>{SIGNS[who]?.[1]}:</VisuallyHidden>
              </td>
              <td className="foreign">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
