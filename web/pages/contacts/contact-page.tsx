import { Button, Grid } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { Contact } from '../../api/records.ts'
import { useGet, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { fullName } from '../../ui/full-name.ts'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { State } from '../../ui/status-badge.tsx'
import { ContactEmails } from './contact-emails.tsx'
import { ContactFacts } from './contact-facts.tsx'
import { ContactLists } from './contact-lists.tsx'
import { ContactMenu } from './contact-menu.tsx'
import { ContactProperties } from './contact-properties.tsx'
import { EditContact } from './edit-contact.tsx'
import { EraseDialog } from './erase-dialog.tsx'
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
