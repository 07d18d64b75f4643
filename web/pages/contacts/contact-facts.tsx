import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Contact } from '../../api/records.ts'
import { CopyValue } from '../../ui/copy.tsx'
import { Fact } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Section } from '../../ui/page/section.tsx'
import { texts } from './texts.ts'

/** The contact's names, ids and dates. */
export function ContactFacts({ contact }: { contact: Contact }) {
  return (
    <Section>
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="lg" verticalSpacing="md" component="dl" m={0}>
        <Fact label={texts.facts.firstName}>
          <Given text={contact.first_name} />
        </Fact>
        <Fact label={texts.facts.lastName}>
          <Given text={contact.last_name} />
        </Fact>
        <Fact label={texts.facts.userId}>
          {contact.user_id === '' ? (
            '–'
          ) : (
            <CopyValue text={contact.user_id} label={texts.facts.copyTheUserId} />
          )}
        </Fact>
        <Fact label={texts.facts.timeZone}>{contact.time_zone === '' ? '–' : contact.time_zone}</Fact>
        <Fact label={texts.facts.added}>
          <Moment at={contact.created_at} />
        </Fact>
        <Fact label={texts.facts.lastChanged}>
          <Moment at={contact.updated_at} isRelative />
        </Fact>
        <Fact label={texts.facts.id}>
          <CopyValue text={contact.id} label={texts.facts.copyTheId} />
        </Fact>
      </SimpleGrid>
    </Section>
  )
}

const Given = ({ text }: { text: string }): ReactNode =>
  text === '' ? '–' : <span className="foreign">{text}</span>
