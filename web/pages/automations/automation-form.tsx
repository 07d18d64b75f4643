import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { TriggerType } from '../../../src/automations/automation-steps.ts'
import { ApiError } from '../../api/errors.ts'
import type { Automation } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { type AutomationDraft, bodyOf, draftOf, newTrigger } from './draft.ts'
import { PartFields } from './step-fields.tsx'
import { StepsEditor } from './steps-editor.tsx'
import { TRIGGER_WORDS } from './words.ts'

interface AutomationFormProps {
  automation: Automation
  isFixed: boolean
}

type Status = Automation['status']

const MOVES: Readonly<Record<Status, { to: Status; label: string; done: string }>> = {
  draft: { to: 'active', label: 'Save and activate', done: 'Automation activated.' },
  paused: { to: 'active', label: 'Save and activate', done: 'Automation activated.' },
  active: { to: 'paused', label: 'Save and pause', done: 'Automation paused.' },
}

/** Edits an automation's trigger and steps. Until the automation is active, fields may be empty. */
export function AutomationForm({ automation, isFixed }: AutomationFormProps) {
  const [draft, setDraft] = useState(() => draftOf(automation))
  const change = useChange<Automation>()
  const fields = change.error instanceof ApiError ? change.error.fields : {}
  const errorOf = (field: string) => fields[field]?.join(' ')
  const save = (status: Status, message: string) =>
    change.mutate(
      { path: `/automations/${automation.id}`, method: 'PATCH', body: { ...bodyOf(draft), status } },
      { onSuccess: () => notifyDone(message) },
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save(automation.status, 'Automation saved.')
  }
  const move = MOVES[automation.status]
  return (
    <form onSubmit={submit} noValidate>
      <fieldset disabled={isFixed} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
        <Section>
          <TextInput
            label="Name"
            required
            value={draft.name}
            error={errorOf('name')}
            onChange={({ currentTarget: { value } }) => setDraft((before) => ({ ...before, name: value }))}
          />
        </Section>
        <Section title="Trigger">
          <TriggerFields
            trigger={draft.trigger}
            isFixed={isFixed}
            errorOf={errorOf}
            onChange={(trigger) => setDraft((before) => ({ ...before, trigger }))}
          />
        </Section>
        <Section title="Steps" description="Steps run one after another.">
          <StepsEditor draft={draft} isFixed={isFixed} errorOf={errorOf} onChange={setDraft} />
        </Section>
      </fieldset>
      <ErrorNote error={change.error} shownFields={shownFields(fields)} />
      {!isFixed && (
        // Room for the notifications, which appear below.
        <Group justify="flex-end" gap="xs" mb="xl">
          <Button variant="default" loading={change.isPending} onClick={() => save(move.to, move.done)}>
            {move.label}
          </Button>
          <Button type="submit" loading={change.isPending}>
            Save
          </Button>
        </Group>
      )}
    </form>
  )
}

interface TriggerFieldsProps {
  trigger: AutomationDraft['trigger']
  isFixed: boolean
  /** Returns the API's message about the field at this path. */
  errorOf(field: string): string | undefined
  onChange(trigger: AutomationDraft['trigger']): void
}

function TriggerFields({ trigger, isFixed, errorOf, onChange }: TriggerFieldsProps) {
  return (
    <Stack gap="sm">
      <Select
        label="Event"
        placeholder="Nothing yet"
        clearable
        disabled={isFixed}
        data={Object.entries(TRIGGER_WORDS).map(([value, label]) => ({ value, label }))}
        value={trigger?.type ?? null}
        error={errorOf('trigger')}
        onChange={(type) => onChange(newTrigger(type as TriggerType | null))}
      />
      {trigger !== null && (
        <PartFields
          part={trigger}
          isFixed={isFixed}
          errorOf={(field) => errorOf(`trigger.${field}`)}
          onChange={onChange}
        />
      )}
    </Stack>
  )
}

/** Returns the fields that show their own errors. */
const shownFields = (fields: ApiError['fields']) =>
  Object.keys(fields).filter((field) => /^(name|trigger|trigger\.\w+|steps\.\d+\.\w+)$/.test(field))
