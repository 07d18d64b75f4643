import { Button, Group, Text } from '@mantine/core'
import { IconForbid2, IconListSearch, IconPencil, IconWorldCog } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { EmailWhole } from '../../api/records.ts'
import { useMay, useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { type Tone, toneOf } from '../../ui/status-badge.tsx'
import { readTime, showLocal } from '../../ui/times.ts'
import { wasCaptured } from '../../ui/was-captured.ts'
import { useSuppress } from './use-suppress.ts'

type Recipient = EmailWhole['recipients'][number]

/** The result of the email for one recipient, its cause, and the next step. */
export function Verdict({ email, recipient }: { email: EmailWhole; recipient: Recipient }) {
  const isCaptured = wasCaptured(recipient.status, recipient.mx_host)
  const tone: Tone = isCaptured ? 'gray' : toneOf(recipient.status)
  const advice = adviceFor(recipient)
  const [sentence, rest] = isCaptured ? [advice, ''] : splitAdvice(advice)
  const reply = isCaptured ? null : replyOf(recipient)
  return (
    <section className="verdict" data-tone={tone} aria-label="Result">
      <Text fw={600} className="foreign">
        {sentence}
      </Text>
      {rest !== '' && (
        <Text size="sm" className="foreign">
          {rest}
        </Text>
      )}
      {reply !== null && (
        <p className="verdict-reply">
          <code className="code foreign">{reply}</code>
          {recipient.mx_host !== null && (
            <Text span size="xs" c="dimmed" className="foreign">
              {recipient.mx_host}
            </Text>
          )}
        </p>
      )}
      <NextActions email={email} recipient={recipient} />
    </section>
  )
}

/** Returns the server's reply as it was received. */
function replyOf({ smtp_code, enhanced_code, response }: Recipient): string | null {
  if (response === null) return null
  return [smtp_code, enhanced_code, response].filter((each) => each !== null).join(' ')
}

/** Returns the API's advice about the recipient. Times in it are converted from UTC to the user's time zone. */
function adviceFor({ advice, response, category, status, mx_host }: Recipient): string {
  if (wasCaptured(status, mx_host)) return 'Captured, not sent: this server is in capture mode.'
  const words = advice ?? response ?? (category === null ? null : category.replaceAll('_', ' '))
  if (words === null) return status === 'queued' ? 'Waiting in the queue.' : 'No details yet.'
  return words.replace(/(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC/g, (timestamp, at: string) => {
    const date = readTime(at)
    return date === null ? timestamp : showLocal(date)
  })
}

/** Splits the advice into its first sentence, which states the cause, and the rest. */
function splitAdvice(advice: string): [first: string, rest: string] {
  const end = /[.!?](?=\s+[A-Z])/.exec(advice)
  if (end === null) return [advice, '']
  return [advice.slice(0, end.index + 1), advice.slice(end.index + 1).trim()]
}

/** Reasons for which Sendwright suppresses the address itself. */
const DEAD = new Set(['no_such_address', 'address_moved', 'address_disabled', 'no_such_domain', 'null_mx'])
const CONTENT = new Set(['spam', 'virus', 'content_refused', 'malformed_message'])

function NextActions({
  email,
  recipient: { email: address, status, category },
}: {
  email: EmailWhole
  recipient: Recipient
}) {
  const team = useTeam()
  const may = useMay()
  const suppress = useSuppress()
  const actions: ReactNode[] = []
  const isDead = status === 'bounced' && DEAD.has(category ?? '')
  if ((isDead || status === 'suppressed') && may.read('Suppressions'))
    actions.push(
      <NextLink key="view" to={`/${team.id}/suppressions`} search={{ q: address }} icon={<IconListSearch />}>
        View suppression
      </NextLink>,
    )
  if (status === 'bounced' && !isDead && may.change('Suppressions'))
    actions.push(
      <Button
        key="suppress"
        variant="default"
        leftSection={<IconForbid2 />}
        onClick={() => suppress(address)}
      >
        Suppress address
      </Button>,
    )
  if (category === 'authentication_failed' && may.read('Domains'))
    actions.push(
      <NextLink key="dns" to={`/${team.id}/domains/${email.domain.id}`} icon={<IconWorldCog />}>
        Fix DNS
      </NextLink>,
    )
  if (CONTENT.has(category ?? '') && email.template !== null && may.read('Templates'))
    actions.push(
      <NextLink key="edit" to={`/${team.id}/templates/${email.template.id}`} icon={<IconPencil />}>
        Edit template
      </NextLink>,
    )
  if (actions.length === 0) return null
  return (
    <Group gap="xs" mt="sm">
      {actions}
    </Group>
  )
}

function NextLink({
  to,
  search = {},
  icon,
  children,
}: {
  to: string
  search?: Readonly<Record<string, string>>
  icon: ReactNode
  children: ReactNode
}) {
  return (
    <Button component={Link} to={to} search={search as never} variant="default" leftSection={icon}>
      {children}
    </Button>
  )
}
