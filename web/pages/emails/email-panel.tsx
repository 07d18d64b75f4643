import './emails.css'
import { Badge, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { EmailSummary, EmailWhole } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import { DeliveryState, EmailStatus, SimulatedBadge } from '../../ui/email-status.tsx'
import { Fact } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { showTag } from '../../ui/tags.ts'
import { Verdict } from './verdict.tsx'

/** Further recipients are on the page of the email. */
const RECIPIENTS_SHOWN = 5
const WELL = new Set(['delivered', 'sent'])

/** The essential facts of one email: its recipients, their state, and the cause. */
export function EmailPanel({ id, summary }: { id: string; summary: EmailSummary | null }) {
  const { data, error, refetch } = useGet<EmailWhole>(`/emails/${id}`)
  const email = data ?? summary
  if (email === null)
    return error === null ? (
      <Skeleton height={240} aria-busy />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    )
  return (
    <Stack gap="md">
      <Group gap="sm">
        <EmailStatus email={email} />
        <SimulatedBadge email={email} />
        <Text size="xs" c="dimmed">
          <Moment at={email.created_at} hasSeconds />
        </Text>
      </Group>
      {data === undefined ? (
        error === null ? (
          <Skeleton height={96} aria-busy />
        ) : (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Recipients email={data} />
      )}
      <Stack component="dl" gap="sm" m={0}>
        <Fact label="From">
          <span className="foreign">{email.from}</span>
        </Fact>
        {email.tags.length > 0 && (
          <Fact label="Tags">
            <Group gap="xxs">
              {email.tags.map((tag) => (
                <Badge key={`${tag.name}:${tag.value}`}>{showTag(tag)}</Badge>
              ))}
            </Group>
          </Fact>
        )}
        <Fact label="ID">
          <span className="code foreign">{id}</span>
        </Fact>
      </Stack>
    </Stack>
  )
}

/** The recipients without a delivery first, with the cause of the first one. */
function Recipients({ email }: { email: EmailWhole }) {
  const ordered = [...email.recipients].sort(
    (one, other) => Number(WELL.has(one.status)) - Number(WELL.has(other.status)),
  )
  const [first] = ordered
  const hidden = ordered.length - RECIPIENTS_SHOWN
  return (
    <>
      <ul className="panel-recipients">
        {ordered.slice(0, RECIPIENTS_SHOWN).map(({ email: address, type, status, mx_host }) => (
          <li key={`${type} ${address}`}>
            <span className="one-line" title={address}>
              <bdi>{address}</bdi>
            </span>
            <DeliveryState status={status} host={mx_host} />
          </li>
        ))}
        {hidden > 0 && (
          <Text component="li" size="xs" c="dimmed">
            and {hidden} more
          </Text>
        )}
      </ul>
      {first !== undefined && <Verdict email={email} recipient={first} />}
    </>
  )
}
