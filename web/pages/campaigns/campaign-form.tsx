import { Button, Group, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import type { Campaign } from '../../api/records.ts'
import { NameSelect } from '../../ui/forms/name-select.tsx'
import { MailFrame } from '../../ui/mail/mail-frame.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { audienceFields } from './audience-draft.ts'
import { AudienceFields } from './audience-fields.tsx'
import { type CampaignEdits, useCampaignSaving } from './campaign-edits.ts'
import { bodyOf, type CampaignDraft, draftOf } from './draft.ts'

interface CampaignFormProps {
  campaign: Campaign
  /** Whether only the name can still change. */
  isFixed: boolean
  edits: CampaignEdits
}

const FIELDS = [
  ...['name', 'sender_id', 'template_id', 'subject', 'html', 'text'],
  ...['preview_text', 'reply_to', 'scheduled_at'],
]

/** Edits a campaign. While it is a draft, fields may be empty. */
export function CampaignForm({ campaign, isFixed, edits }: CampaignFormProps) {
  const form = useForm<CampaignDraft>({ initialValues: draftOf(campaign) })
  const hasBegun = campaign.started_at !== null
  const { error, isPending, save } = useCampaignSaving<CampaignDraft>(form, {
    campaign,
    edits,
    part: 'content',
    isFixed,
    draftOf,
    bodyOf: (draft, before) => bodyOf(draft, before, hasBegun),
    namesOf: audienceFields,
    done: 'Campaign saved.',
  })
  return (
    <form onSubmit={form.onSubmit(() => void save())} noValidate>
      <fieldset disabled={isFixed} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
        <Section>
          <Stack gap="sm">
            <TextInput
              label="Name"
              description="For your team. Recipients don’t see it."
              required
              {...form.getInputProps('name')}
            />
            <NameSelect
              label="Sender"
              description="The sender that recipients see."
              placeholder="None yet"
              path="/senders"
              disabled={isFixed}
              {...selectProps(form, 'sender_id')}
            />
          </Stack>
        </Section>
        <fieldset disabled={hasBegun} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
          <AudienceFields form={form} isFixed={isFixed || hasBegun} />
        </fieldset>
        <Content form={form} isFixed={isFixed} />
      </fieldset>
      <ErrorNote error={error} shownFields={[...FIELDS, ...Object.keys(audienceFields(error))]} />
      {!isFixed && (
        // Room for the notifications, which appear below.
        <Group justify="flex-end" mb="xl">
          <Button type="submit" loading={isPending}>
            Save
          </Button>
        </Group>
      )}
    </form>
  )
}

interface PartProps {
  form: UseFormReturnType<CampaignDraft>
  isFixed: boolean
}

function selectProps(form: PartProps['form'], field: 'sender_id' | 'template_id') {
  return {
    value: form.values[field],
    onChange: (id: string) => form.setFieldValue(field, id),
    error: form.errors[field],
  }
}

function Content({ form, isFixed }: PartProps) {
  const isTemplate = form.values.content === 'template'
  return (
    <Section title="Content">
      <Stack gap="sm" align="flex-start">
        <SegmentedControl
          aria-label="Content"
          disabled={isFixed}
          data={[
            { value: 'template', label: 'A template' },
            { value: 'own', label: 'Custom HTML' },
          ]}
          {...form.getInputProps('content')}
        />
        <Stack gap="sm" w="100%">
          {isTemplate ? (
            <NameSelect
              label="Template"
              description="Publish the template before you schedule the campaign."
              placeholder="None yet"
              path="/templates"
              disabled={isFixed}
              {...selectProps(form, 'template_id')}
            />
          ) : (
            <OwnContent form={form} isFixed={isFixed} />
          )}
          <TextInput
            label="Preview text"
            description="Mail clients show it after the subject. Leave empty to show the beginning of the email."
            {...form.getInputProps('preview_text')}
          />
          <TextInput
            label="Replies go to"
            description="Leave empty for the address of the template or the sender."
            type="email"
            {...form.getInputProps('reply_to')}
          />
        </Stack>
      </Stack>
    </Section>
  )
}

function OwnContent({ form, isFixed }: PartProps) {
  const { html } = form.values
  return (
    <>
      <TextInput label="Subject" {...form.getInputProps('subject')} />
      <Textarea
        label="HTML"
        autosize
        minRows={5}
        maxRows={18}
        spellCheck={false}
        classNames={{ input: 'code' }}
        {...form.getInputProps('html')}
      />
      <Textarea label="Text" autosize minRows={3} maxRows={18} {...form.getInputProps('text')} />
      {/* What is saved has a preview of its own, with the values of a contact. */}
      {!isFixed && html.trim() !== '' && (
        <div>
          <Text size="sm" fw={500} mb="xxs">
            Preview
          </Text>
          <MailFrame html={html} title="HTML preview" height="360px" />
        </div>
      )}
    </>
  )
}
