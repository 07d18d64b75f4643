import { Anchor, Text } from '@mantine/core'
import { useTeam } from '../api/team.ts'
import { fullName } from './full-name.ts'
import { Link } from './link.tsx'

interface ContactExamplesProps {
  contacts: readonly { id: string; email: string; first_name: string; last_name: string }[]
}

/** A few contacts of many, each with a link to its page. */
export function ContactExamples({ contacts }: ContactExamplesProps) {
  const team = useTeam()
  return (
    <ul className="contact-examples">
      {contacts.map((contact) => (
        <li key={contact.id}>
          <Anchor
            component={Link}
            to={`/${team.id}/contacts/${contact.id}`}
            size="sm"
            className="one-line"
            c="inherit"
          >
            <bdi>{contact.email}</bdi>
          </Anchor>
          <Text size="xs" c="dimmed" className="one-line">
            <bdi>{fullName(contact)}</bdi>
          </Text>
        </li>
      ))}
    </ul>
  )
}
