import { Alert, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconVariable } from '@tabler/icons-react'
import type { Campaign, CampaignPreview as Preview } from '../../api/records.ts'
import { useSettled } from '../../api/settled.ts'
import { ContactSelect } from '../../ui/forms/contact-select.tsx'
import { MailPreview } from '../../ui/mail/mail-preview.tsx'
import { Section } from '../../ui/page/section.tsx'
import { useFilters } from '../../ui/tables/filters.ts'

const PARTS = { subject: 'Subject', html: 'HTML', text: 'Text' }

/** The campaign as a contact of the team would get it, who need not belong to the audience. */
export function CampaignPreview({ campaign: { id, preview_text: previewText } }: { campaign: Campaign }) {
  const { filters, draft, setFilter } = useFilters(['contact'])
  const body = filters.contact === undefined ? {} : { contact_id: filters.contact }
  const { data, error, isBehind } = useSettled<Preview>(`/campaigns/${id}/preview`, body)
  return (
    <Section
      title="Preview"
      description="The saved campaign, as a contact gets it. Its unsubscribe links change nothing."
    >
      <Stack gap="sm">
        <ContactSelect
          label="Preview as"
          description="Any contact of your team, even outside the audience."
          placeholder="No contact, fallbacks only"
          value={draft.contact === '' ? undefined : draft.contact}
          onChange={(contact) => setFilter('contact', contact)}
        />
        {data !== undefined && <Head preview={data} previewText={previewText} />}
        <MailPreview
          preview={data ?? null}
          error={error}
          isStale={isBehind}
          follows={data?.html === null && data.text !== null ? 'text' : 'html'}
          height="480px"
        >
          {data !== undefined && <Problems preview={data} isOfContact={filters.contact !== undefined} />}
        </MailPreview>
      </Stack>
    </Section>
  )
}

function Head({
  preview: { from, reply_to },
  previewText,
}: {
  preview: Preview
  previewText: string | null
}) {
  const lines = [
    ['From', from ?? '–'],
    ['Replies go to', reply_to],
    ['Preview text', previewText],
  ] as const
  return (
    <div>
      {lines.map(
        ([label, value]) =>
          value !== null && (
            <Group key={label} gap="xs" wrap="nowrap" align="baseline">
              <Text size="sm" c="dimmed" span style={{ flex: 'none' }}>
                {label}
              </Text>
              <Text size="sm" span className="foreign" style={{ minWidth: 0 }}>
                {value}
              </Text>
            </Group>
          ),
      )}
    </div>
  )
}

function Problems({
  preview: { missing, warnings },
  isOfContact,
}: {
  preview: Preview
  isOfContact: boolean
}) {
  return (
    <>
      {missing.length > 0 && (
        <Alert
          color="yellow"
          icon={<IconVariable />}
          mb="xs"
          title={isOfContact ? 'This contact gets no email' : 'Some contacts may lack a value'}
        >
          {isOfContact ? 'Variables without a value or a fallback:' : 'Variables without a fallback:'}{' '}
          <span className="code foreign">{missing.join(', ')}</span>
        </Alert>
      )}
      {warnings.map(({ part, line, column, message }) => (
        <Group key={`${part} ${line} ${column}`} gap="xs" mb="xs" wrap="nowrap" align="flex-start">
          <IconAlertTriangle color="var(--app-amber)" aria-hidden style={{ flex: 'none' }} />
          <Text size="sm" className="foreign">
            {PARTS[part]}, line {line}: {message}
          </Text>
        </Group>
      ))}
    </>
  )
}
