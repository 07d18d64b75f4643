import { Anchor, Badge, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import type { EmailWhole } from '../../api/records.ts'
import { useTeam } from '../../api/team.ts'
import { CopyValue } from '../../ui/copy.tsx'
import { Fact } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showWord } from '../../ui/status-badge.tsx'
import { showTag, tagFilter } from '../../ui/tags.ts'

/** The list of recipients shows all of them. */
const NAMED_MAX = 3

/** The sender and recipients of the email, its time, and how it was created. */
export function EmailHead({ email }: { email: EmailWhole }) {
  const { from, recipients, created_at, scheduled_at, tags, template } = email
  const team = useTeam()
  const first = recipients.slice(0, NAMED_MAX)
  return (
    <>
      <div className="email-line">
        <span>
          To{' '}
          {first.map(({ email: address }, index) => (
            <span key={address}>
              {index > 0 && ', '}
              <EmailsLink search={{ to: address }}>{address}</EmailsLink>
            </span>
          ))}
          {recipients.length > first.length && ` and ${recipients.length - first.length} more`}
        </span>
        <span>
          From <EmailsLink search={{ from: addressOf(from) }}>{from}</EmailsLink>
        </span>
        <span>
          <Moment at={created_at} />
        </span>
        {scheduled_at !== null && (
          <span>
            Scheduled for <Moment at={scheduled_at} />
          </span>
        )}
        {template !== null && (
          <span>
            Template{' '}
            <Anchor component={Link} to={`/${team.id}/templates/${template.id}`} inherit>
              <span className="foreign">{template.name}</span>
            </Anchor>
          </span>
        )}
      </div>
      {tags.length > 0 && <Tags tags={tags} />}
    </>
  )
}

/** Returns the address of `Ann <ann@example.com>`. */
const addressOf = (text: string): string => (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim()

function EmailsLink({ search, children }: { search: Readonly<Record<string, string>>; children: string }) {
  const team = useTeam()
  return (
    <Anchor component={Link} to={`/${team.id}/emails`} search={search as never} inherit>
      <bdi className="foreign">{children}</bdi>
    </Anchor>
  )
}

/** Each tag links to the emails that have it. */
function Tags({ tags }: { tags: EmailWhole['tags'] }) {
  const team = useTeam()
  return (
    <Group gap="xxs" mt="xs">
      {tags.map((tag) => (
        <Badge
          key={`${tag.name}:${tag.value}`}
          component={Link}
          to={`/${team.id}/emails`}
          search={tagFilter(tag) as never}
          color="gray"
          fw={500}
          style={{ cursor: 'pointer' }}
        >
          {showTag(tag)}
        </Badge>
      ))}
    </Group>
  )
}

/** Rarely needed facts: ids, and addresses other than the recipients. */
export function EmailDetails({ email }: { email: EmailWhole }) {
  const { cc, bcc, reply_to, domain } = email
  const team = useTeam()
  return (
    <details className="email-details">
      <summary>Details</summary>
      <dl>
        <Fact label="ID">
          <CopyValue text={email.id} label="Copy ID" />
        </Fact>
        <Fact label="Message-ID">
          <CopyValue text={email.message_id} label="Copy Message-ID" />
        </Fact>
        <Fact label="Class">{showWord(email.class)}</Fact>
        <Fact label="Domain">
          {domain.name === null ? (
            'Deleted'
          ) : (
            <Anchor component={Link} to={`/${team.id}/domains/${domain.id}`} inherit>
              {domain.name}
            </Anchor>
          )}
        </Fact>
        <Addresses label="Cc" of={cc} />
        <Addresses label="Bcc" of={bcc} />
        <Addresses label="Reply-To" of={reply_to} />
      </dl>
    </details>
  )
}

function Addresses({ label, of }: { label: string; of: readonly string[] }): ReactNode {
  if (of.length === 0) return null
  return (
    <Fact label={label}>
      {of.map((address) => (
        <div key={address} className="foreign">
          {address}
        </div>
      ))}
    </Fact>
  )
}
