import { Anchor, Group, Text } from '@mantine/core'
import type { EmailWhole } from '../../api/records.ts'
import { useSession } from '../../api/session.ts'
import { useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { MailFrame } from '../../ui/mail/mail-frame.tsx'
import { Waiting } from '../../ui/page/checklist.tsx'

/** The first email, rendered as in a mail program. */
export function ViewStep({ email }: { email: EmailWhole | null }) {
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
