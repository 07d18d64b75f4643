import { Box, Button, Timeline as Line, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  type Icon,
  IconAlertTriangle,
  IconCalendarClock,
  IconCheck,
  IconClick,
  IconClock,
  IconDots,
  IconEye,
  IconInbox,
  IconMessageReport,
  IconSend,
  IconX,
} from '@tabler/icons-react'
import type { EmailWhole } from '../../api/records.ts'
import { Moment } from '../../ui/moment.tsx'
import { showWord } from '../../ui/status-badge.tsx'
import { wasCaptured } from '../../ui/was-captured.ts'
import type { Recipient } from './delivery.tsx'
import { concerns, joinRuns, nextStageOf, type Run } from './stages.ts'

type Event = EmailWhole['events'][number]
type Fields = Readonly<Record<string, unknown>>

const STYLES: Readonly<Record<string, { title: string; color: string; icon: Icon }>> = {
  'email.queued': { title: 'Queued', color: 'gray', icon: IconInbox },
  'email.scheduled': { title: 'Scheduled', color: 'blue', icon: IconCalendarClock },
  'email.canceled': { title: 'Canceled', color: 'gray', icon: IconX },
  'email.sent': { title: 'Handed to relay', color: 'blue', icon: IconSend },
  'email.delivered': { title: 'Delivered', color: 'green', icon: IconCheck },
  'email.delivery_delayed': { title: 'Deferred', color: 'orange', icon: IconClock },
  'email.bounced': { title: 'Bounced', color: 'red', icon: IconX },
  'email.failed': { title: 'Failed', color: 'red', icon: IconX },
  'email.rejected': { title: 'Rejected for its content', color: 'red', icon: IconX },
  'email.suppressed': { title: 'Not sent: suppressed', color: 'grape', icon: IconAlertTriangle },
  'email.complained': { title: 'Reported as spam', color: 'red', icon: IconMessageReport },
  'email.opened': { title: 'Opened', color: 'sea', icon: IconEye },
  'email.clicked': { title: 'Clicked', color: 'sea', icon: IconClick },
}

const CAPTURED = { title: 'Captured', color: 'gray', icon: IconInbox }

/** A long timeline shows its first and last events. */
const FIRST_SHOWN = 2
const LAST_SHOWN = 4

/** The events of one recipient, oldest first, and the next attempt. */
export function Timeline({ email, recipient }: { email: EmailWhole; recipient: Recipient }) {
  const events = joinRuns(
    email.events.filter((event) => concerns(event, recipient.email)),
    nameOfEvent,
  )
  const [isWhole, { open: showAll }] = useDisclosure()
  const isLong = !isWhole && events.length > FIRST_SHOWN + LAST_SHOWN + 1
  const first = isLong ? events.slice(0, FIRST_SHOWN) : events
  const last = isLong ? events.slice(-LAST_SHOWN) : []
  const hiddenCount = events.length - first.length - last.length
  const next = nextStageOf(recipient)
  return (
    <Box component="section" aria-label="Timeline" mb="xl">
      <Line bulletSize={24} lineWidth={2}>
        {first.map((run) => (
          <Step key={run.first.id} run={run} />
        ))}
        {hiddenCount > 0 && (
          <Line.Item bullet={<IconDots />} lineVariant="dashed">
            <Button variant="subtle" size="compact-sm" ml="-xs" onClick={showAll}>
              Show {hiddenCount} more
            </Button>
          </Line.Item>
        )}
        {last.map((run) => (
          <Step key={run.first.id} run={run} />
        ))}
        {next !== null && (
          <Line.Item bullet={<IconClock />} lineVariant="dashed" color="gray">
            <Text size="sm" c="dimmed">
              {next.label} <Moment at={next.at} isRelative none="" />
            </Text>
          </Line.Item>
        )}
      </Line>
    </Box>
  )
}

/** Equal events in a row, such as deferrals, are one step. */
const nameOfEvent = ({ id, type, data }: Event): string =>
  type === 'email.delivery_delayed'
    ? JSON.stringify([type, data.smtp_code, data.response, data.mx_host])
    : type === 'email.opened' || type === 'email.clicked'
      ? JSON.stringify([type, data.is_machine, data.link, data.user_agent])
      : id

function Step({ run }: { run: Run<Event> }) {
  const { type, data } = run.last
  const count = run.all.length
  const isCaptured = type === 'email.delivered' && wasCaptured('delivered', String(data.mx_host))
  const style = (isCaptured ? CAPTURED : STYLES[type]) ?? {
    title: showWord(type.replace('email.', '')),
    color: 'gray',
    icon: IconInbox,
  }
  const { title, color, icon: Glyph } = style
  return (
    <Line.Item
      bullet={
        <Box c={`var(--mantine-color-${color}-light-color)`} style={{ display: 'flex' }}>
          <Glyph />
        </Box>
      }
    >
      <Text size="sm" fw={500}>
        {data.is_machine === true ? `${title} by a machine` : title}
        {count > 1 && ` ${count}×`}
      </Text>
      <Text size="xs" c="dimmed">
        <Moment at={run.first.created_at} hasSeconds />
        {count > 1 && (
          <>
            {' '}
            to <Moment at={run.last.created_at} hasSeconds />
          </>
        )}
      </Text>
      <Details data={data} />
    </Line.Item>
  )
}

/** The details of an event, with other servers' replies as received. */
function Details({ data }: { data: Fields }) {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : null)
  const code = [data.smtp_code, data.enhanced_code].filter((each) => each != null).join(' ')
  const reply = text('response')
  const visit = text('link') ?? text('user_agent')
  return (
    <>
      {reply !== null && (
        <Text size="sm" className="code foreign" mt="xxs">
          {[code, reply].filter((each) => each !== '').join(' ')}
        </Text>
      )}
      {text('mx_host') !== null && (
        <Text size="xs" c="dimmed" className="foreign">
          {text('mx_host')}
        </Text>
      )}
      {visit !== null && (
        <Text size="xs" c="dimmed" className="foreign">
          {visit}
        </Text>
      )}
    </>
  )
}
