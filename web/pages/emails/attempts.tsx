import { Accordion, Box, Button, Group, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Attempt } from '../../api/records.ts'
import { DeliveryState } from '../../ui/email-status.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showDuration } from '../../ui/times.ts'

const SHOWN_MAX = 5

/** Every attempt for one recipient, with its SMTP transcript. Null while they are loading. */
export function Attempts({ attempts }: { attempts: readonly Attempt[] | null }) {
  const [isWhole, { open: showAll }] = useDisclosure()
  const newest = attempts?.toReversed() ?? []
  const shown = isWhole ? newest : newest.slice(0, SHOWN_MAX)
  return (
    <Box component="section" aria-label="Attempts" style={{ minWidth: 0 }}>
      <Title order={4} size="sm" mb="sm">
        Attempts
      </Title>
      {attempts === null && <Skeleton height={90} />}
      {attempts?.length === 0 && (
        <Text size="sm" c="dimmed">
          No attempts yet.
        </Text>
      )}
      {attempts !== null && attempts.length > 0 && (
        <Accordion variant="contained" chevronPosition="left" multiple order={5}>
          {shown.map((attempt) => (
            <AttemptRow key={`${attempt.attempt} ${attempt.started_at}`} attempt={attempt} />
          ))}
        </Accordion>
      )}
      {attempts !== null && attempts.length > shown.length && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={showAll}>
          Show all {attempts.length} attempts
        </Button>
      )}
    </Box>
  )
}

function AttemptRow({ attempt }: { attempt: Attempt }) {
  return (
    <Accordion.Item value={`${attempt.attempt} ${attempt.started_at}`}>
      <Accordion.Control>
        <Group gap="xs" justify="space-between" pr="xs">
          <Text size="sm" fw={500}>
            Attempt {attempt.attempt}
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
        <Moment at={started_at} />
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
