import { Button, Group, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import type { Campaign } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { NameSelect } from '../../ui/forms/name-select.tsx'
import { MailFrame } from '../../ui/mail/mail-frame.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { notifyDone } from '../../ui/page/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import { bodyOf, type CampaignDraft, draftOf } from './draft.ts'

interface CampaignFormProps {
  campaign: Campaign
  /** Whether only the name can still change. */
  isFixed: boolean
}

const FIELDS = [
  ...['name', 'sender_id', 'template_id', 'subject', 'html', 'text'],
  ...['list_id', 'segment_id', 'scheduled_at'],
]

/** Edits a campaign. While it is a draft, fields may be empty. */
export function CampaignForm({ campaign, isFixed }: CampaignFormProps) {
  const form = useForm<CampaignDraft>({ initialValues: draftOf(campaign) })
  const change = useChange<Campaign>({
    onError: (error) => showFieldErrors(form, error),
    onDone: (saved) => {
      form.setInitialValues(draftOf(saved))
      form.setValues(draftOf(saved))
      notifyDone('Campaign saved.')
    },
  })
  const submit = form.onSubmit((draft) =>
    change.mutate({ path: `/campaigns/${campaign.id}`, method: 'PATCH', body: bodyOf(draft) }),
  )
  return (
    <form onSubmit={submit} noValidate>
      <fieldset disabled={isFixed} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
        <Section>
          <Stack gap="sm">
            <TextInput
              label="Name"
              description="For you and your team; recipients do not see it."
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
        <Audience form={form} isFixed={isFixed} />
        <Content form={form} isFixed={isFixed} />
      </fieldset>
      <ErrorNote error={change.error} shownFields={FIELDS} />
      {!isFixed && (
        // Room for the notifications, which appear below.
        <Group justify="flex-end" mb="xl">
          <Button type="submit" loading={change.isPending}>
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

function selectProps(form: PartProps['form'], field: 'sender_id' | 'template_id' | 'list_id' | 'segment_id') {
  return {
    value: form.values[field],
    onChange: (id: string) => form.setFieldValue(field, id),
    error: form.errors[field],
  }
}

function Audience({ form, isFixed }: PartProps) {
  const isList = form.values.audience === 'list'
  return (
    <Section title="Recipients" description="Unsubscribed and suppressed contacts are skipped.">
      <Stack gap="sm" align="flex-start">
        <SegmentedControl
          aria-label="Recipients"
          disabled={isFixed}
          data={[
            { value: 'list', label: 'A list' },
            { value: 'segment', label: 'A segment' },
          ]}
          {...form.getInputProps('audience')}
        />
        <div style={{ width: '100%' }}>
          {isList ? (
            <NameSelect
              key="list"
              label="List"
              placeholder="None yet"
              path="/lists"
              disabled={isFixed}
              {...selectProps(form, 'list_id')}
            />
          ) : (
            <NameSelect
              key="segment"
              label="Segment"
              placeholder="None yet"
              path="/segments"
              disabled={isFixed}
              {...selectProps(form, 'segment_id')}
            />
          )}
        </div>
      </Stack>
    </Section>
  )
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
            { value: 'own', label: 'Custom content' },
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
            <OwnContent form={form} />
          )}
        </Stack>
      </Stack>
    </Section>
  )
}

function OwnContent({ form }: Pick<PartProps, 'form'>) {
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
      {html.trim() !== '' && (
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
