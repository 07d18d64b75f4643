import { Anchor, Badge, Group, SimpleGrid, Text } from '@mantine/core'
import type { EmailWhole } from '../../api/records.ts'
import { useTeam } from '../../api/team.ts'
import { CopyValue } from '../../ui/copy.tsx'
import { Fact } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Section } from '../../ui/page/section.tsx'
import { showWord } from '../../ui/status-badge.tsx'

/** The addresses, times and ids of an email. */
export function EmailFacts({ email }: { email: EmailWhole }) {
  const { from, to, cc, bcc, reply_to, created_at, scheduled_at, tags, template, id, message_id } = email
  const team = useTeam()
  return (
    <Section>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="lg" verticalSpacing="md" component="dl" m={0}>
        <Fact label="From">
          <span className="foreign">{from}</span>
        </Fact>
        <Fact label="To">
          <Addresses of={to} />
        </Fact>
        <OptionalAddresses label="Cc" of={cc} />
        <OptionalAddresses label="Bcc" of={bcc} />
        <OptionalAddresses label="Reply-To" of={reply_to} />
        <Fact label="Accepted">
          <Moment at={created_at} />
        </Fact>
        {scheduled_at !== null && (
          <Fact label="Scheduled for">
            <Moment at={scheduled_at} />
          </Fact>
        )}
        {template !== null && (
          <Fact label="Template">
            <Anchor component={Link} to={`/${team.id}/templates/${template.id}`} size="sm">
              <span className="foreign">{template.name}</span>
            </Anchor>
          </Fact>
        )}
        <Fact label="Class">{showWord(email.class)}</Fact>
        {tags.length > 0 && (
          <Fact label="Tags">
            <Tags tags={tags} />
          </Fact>
        )}
        <Fact label="Id">
          <CopyValue text={id} label="Copy the id" />
        </Fact>
        <Fact label="Message-ID">
          <CopyValue text={message_id} label="Copy the Message-ID" />
        </Fact>
      </SimpleGrid>
    </Section>
  )
}

/** Each tag links to the emails that have it. */
function Tags({ tags }: { tags: EmailWhole['tags'] }) {
  const team = useTeam()
  return (
    <Group gap="xxs">
      {tags.map(({ name, value }) => (
        <Badge
          key={`${name}:${value}`}
          component={Link}
          to={`/${team.id}/emails`}
          search={{ tag: `${name}:${value}` } as never}
          color="gray"
          fw={500}
          style={{ cursor: 'pointer' }}
        >
          {name}: {value}
        </Badge>
      ))}
    </Group>
  )
}

function OptionalAddresses({ label, of }: { label: string; of: readonly string[] }) {
  if (of.length === 0) return null
  return (
    <Fact label={label}>
      <Addresses of={of} />
    </Fact>
  )
}

/** The list of recipients further down shows all of them. */
const SHOWN_MAX = 4

function Addresses({ of }: { of: readonly string[] }) {
  return (
    <>
      {of.slice(0, SHOWN_MAX).map((address) => (
        <div key={address} className="foreign">
          {address}
        </div>
      ))}
      {of.length > SHOWN_MAX && (
        <Text size="sm" c="dimmed">
          and {of.length - SHOWN_MAX} more
        </Text>
      )}
    </>
  )
}
