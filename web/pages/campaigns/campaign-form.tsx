import { Button, Group, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import type { Campaign } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { MailFrame } from '../../ui/mail-frame.tsx'
import { NameSelect } from '../../ui/name-select.tsx'
import { tellDone } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'
import { bodyOf, type CampaignDraft, draftOf } from './draft.ts'

interface CampaignFormProps {
  campaign: Campaign
  /** Only its name may change. */
  isFixed: boolean
}

const FIELDS = [
  ...['name', 'sender_id', 'template_id', 'subject', 'html', 'text'],
  ...['list_id', 'segment_id', 'scheduled_at'],
]

/** What a campaign is. Whatever is missing may be, as long as it is a draft. */
export function CampaignForm({ campaign, isFixed }: CampaignFormProps) {
  const form = useForm<CampaignDraft>({ initialValues: draftOf(campaign) })
  const change = useChange<Campaign>({
    onRefused: (error) => showFieldErrors(form, error),
    onDone: (saved) => {
      form.setInitialValues(draftOf(saved))
      form.setValues(draftOf(saved))
      tellDone('The campaign is saved.')
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
              description="Whom it is from."
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
        // Dsns come below it.
        <Group justify="flex-end" mb={72}>
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
    <Section title="Whom it goes to" description="Who is unsubscribed or suppressed is left out.">
      <Stack gap="sm" align="flex-start">
        <SegmentedControl
          aria-label="Whom it goes to"
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
    <Section title="What it says">
      <Stack gap="sm" align="flex-start">
        <SegmentedControl
          aria-label="What it says"
          disabled={isFixed}
          data={[
            { value: 'template', label: 'A template' },
            { value: 'own', label: 'Words of its own' },
          ]}
          {...form.getInputProps('content')}
        />
        <Stack gap="sm" w="100%">
          {isTemplate ? (
            <NameSelect
              label="Template"
              description="To be scheduled it must be published."
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
          <Text size="sm" fw={500} mb={4}>
            Preview
          </Text>
          <MailFrame html={html} title="Preview of the html" height="360px" />
        </div>
      )}
    </>
  )
}
