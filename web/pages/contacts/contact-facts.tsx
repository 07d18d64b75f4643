import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Contact } from '../../api/records.ts'
import { CopyValue } from '../../ui/copy.tsx'
import { Fact } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Section } from '../../ui/page/section.tsx'

/** The contact's names, ids and dates. */
export function ContactFacts({ contact }: { contact: Contact }) {
  return (
    <Section>
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="lg" verticalSpacing="md" component="dl" m={0}>
        <Fact label="First name">
          <Given text={contact.first_name} />
        </Fact>
        <Fact label="Last name">
          <Given text={contact.last_name} />
        </Fact>
        <Fact label="User ID">
          {contact.user_id === '' ? '–' : <CopyValue text={contact.user_id} label="Copy user ID" />}
        </Fact>
        <Fact label="Time zone">{contact.time_zone === '' ? '–' : contact.time_zone}</Fact>
        <Fact label="Added">
          <Moment at={contact.created_at} />
        </Fact>
        <Fact label="Last changed">
          <Moment at={contact.updated_at} isRelative />
        </Fact>
        <Fact label="ID">
          <CopyValue text={contact.id} label="Copy ID" />
        </Fact>
      </SimpleGrid>
    </Section>
  )
}

const Given = ({ text }: { text: string }): ReactNode =>
  text === '' ? '–' : <span className="foreign">{text}</span>
