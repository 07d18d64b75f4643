import { Anchor, Group, Text } from '@mantine/core'
import type { EmailWhole } from '../../api/records.ts'
import { useSession } from '../../api/session.ts'
import { useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { MailFrame } from '../../ui/mail/mail-frame.tsx'
import { Waiting } from '../../ui/page/checklist.tsx'
import { texts } from './texts.ts'

const { view: words } = texts

/** The first email, rendered as in a mail program. */
export function ViewStep({ email }: { email: EmailWhole | null }) {
  const team = useTeam()
  const isCapturing = useSession().installation.delivery === 'capture'
  if (email === null)
    return (
      <>
        <Text size="sm" c="dimmed" mb="sm">
          {words.description}
        </Text>
        <div className="start-wait">
          <Waiting>{words.waiting}</Waiting>
        </div>
      </>
    )
  return (
    <>
      {isCapturing && (
        <Text size="sm" c="dimmed" mb="sm">
          {words.captured}
        </Text>
      )}
      <EmailContent email={email} />
      <Group gap="md" mt="sm">
        <Anchor component={Link} to={`/${team.id}/emails/${email.id}`} size="sm" underline="always">
          {words.open}
        </Anchor>
        {isCapturing && (
          <Anchor component={Link} to={`/${team.id}/captured`} size="sm" underline="always">
            {words.mailbox}
          </Anchor>
        )}
      </Group>
    </>
  )
}

function EmailContent({ email: { html, text, content_expired } }: { email: EmailWhole }) {
  if (content_expired) return <Text size="sm">{words.expired}</Text>
  if (html !== null) return <MailFrame html={html} title={words.preview} height="18rem" />
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {words.noHtml}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus (WCAG 2.1.1) */}
      <section className="reading foreign" aria-label={words.preview} tabIndex={0}>
        {text}
      </section>
    </>
  )
}
