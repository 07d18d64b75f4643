import { Anchor, Button, Grid, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProperties } from '../../api/properties.ts'
import type { Contact, Property } from '../../api/records.ts'
import { useGet, useMay, useTeam } from '../../api/team.ts'
import { CopyValue } from '../../ui/copy.tsx'
import { Fact } from '../../ui/facts.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { fullName } from '../../ui/full-name.ts'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { State } from '../../ui/status-badge.tsx'
import { ContactEmails } from './contact-emails.tsx'
import { ContactLists } from './contact-lists.tsx'
import { ContactMenu } from './contact-menu.tsx'
import { EditContact } from './edit-contact.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { showValue } from './property-values.ts'
import { Reachability } from './reachability.tsx'
import { Unsubscriptions } from './unsubscriptions.tsx'

/** One contact: its data, and the emails to its address. */
export function ContactPage() {
  const team = useTeam()
  const { contactId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useGet<Contact>(`/contacts/${encodeURIComponent(contactId)}`)
  const trail = [{ label: 'Contacts', to: `/${team.id}/contacts` }]
  if (data === undefined)
    return <PendingPage title="Contact" trail={trail} error={error} onRetry={() => void refetch()} />
  return <Whole contact={data} trail={trail} />
}

function Whole({ contact, trail }: { contact: Contact; trail: { label: string; to: string }[] }) {
  const may = useMay()
  const editing = useDialog('edit')
  const erasing = useDialog('erase')
  const name = fullName(contact)
  const mayChange = may.change('Contacts')
  return (
    <Page
      title={contact.email}
      {...(name === '' ? {} : { description: <span className="foreign">{name}</span> })}
      trail={trail}
      badge={contact.unsubscribed ? <State tone="amber">Unsubscribed</State> : undefined}
      actions={
        <>
          {mayChange && (
            <Button leftSection={<IconPencil />} onClick={() => editing.open()}>
              Edit
            </Button>
          )}
          <ContactMenu contact={contact} onErase={() => erasing.open()} />
        </>
      }
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <ContactFacts contact={contact} />
          <ContactProperties contact={contact} />
          <ContactEmails contact={contact} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Reachability contact={contact} />
          <ContactLists contact={contact} />
          <Unsubscriptions contact={contact} />
        </Grid.Col>
      </Grid>
      {mayChange && <EditContact contact={contact} isOpen={editing.isOpen} onClose={editing.close} />}
      {may.change('Personal data') && (
        <EraseDialog contact={contact} isOpen={erasing.isOpen} onClose={erasing.close} />
      )}
    </Page>
  )
}

/** The contact's names, ids and dates. */
function ContactFacts({ contact }: { contact: Contact }) {
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

/** The contact's values, and the fallbacks of properties without one. */
function ContactProperties({ contact }: { contact: Contact }) {
  const team = useTeam()
  const properties = useProperties()
  return (
    <Section title="Properties">
      {properties === undefined && <Skeleton height={48} aria-busy />}
      {properties?.length === 0 && (
        <Text size="sm" c="dimmed">
          This team has no properties yet.{' '}
          <Anchor component={Link} to={`/${team.id}/properties`} size="sm">
            Properties
          </Anchor>{' '}
          are custom fields, such as a plan, a birthday or a count.
        </Text>
      )}
      {properties !== undefined && properties.length > 0 && (
        <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="lg" verticalSpacing="md" component="dl" m={0}>
          {properties.map((property) => (
            <Fact key={property.id} label={<span className="code">{property.key}</span>}>
              <Value property={property} values={contact.properties} />
            </Fact>
          ))}
        </SimpleGrid>
      )}
    </Section>
  )
}

function Value({ property, values }: { property: Property; values: Contact['properties'] }) {
  const text = showValue(property, values)
  if (text === '')
    return (
      <Text span inherit c="dimmed">
        {property.fallback_value === null ? '–' : `${property.fallback_value} (fallback)`}
      </Text>
    )
  // A day has no time zone. A time is shown in the user's.
  if (property.type === 'date' && text.includes(' ')) return <Moment at={text} />
  return <span className="foreign">{text}</span>
}
