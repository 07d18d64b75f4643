import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { TriggerType } from '../../../src/campaigns/automation-steps.ts'
import { ApiError } from '../../api/errors.ts'
import type { Automation } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { tellDone } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'
import { bodyOf, draftOf, newTrigger } from './draft.ts'
import { PartFields } from './step-fields.tsx'
import { StepsEditor } from './steps-editor.tsx'
import { TRIGGER_WORDS } from './words.ts'

interface AutomationFormProps {
  automation: Automation
  isFixed: boolean
}

type Status = Automation['status']

const MOVES: Readonly<Record<Status, { to: Status; label: string; told: string }>> = {
  draft: { to: 'active', label: 'Save and make active', told: 'The automation is active.' },
  paused: { to: 'active', label: 'Save and make active', told: 'The automation is active.' },
  active: { to: 'paused', label: 'Save and pause', told: 'The automation is paused.' },
}

/** What begins an automation, and what happens then. What is missing may be, until it is active. */
export function AutomationForm({ automation, isFixed }: AutomationFormProps) {
  const [draft, setDraft] = useState(() => draftOf(automation))
  const change = useChange<Automation>()
  const fields = change.error instanceof ApiError ? change.error.fields : {}
  const errorOf = (field: string) => fields[field]?.join(' ')
  const save = (status: Status, told: string) =>
    change.mutate(
      { path: `/automations/${automation.id}`, method: 'PATCH', body: { ...bodyOf(draft), status } },
      { onSuccess: () => tellDone(told) },
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save(automation.status, 'The automation is saved.')
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
        <Section title="When it begins for a contact">
          <Stack gap="sm">
            <Select
              label="What happened"
              placeholder="Nothing yet"
              clearable
              disabled={isFixed}
              data={Object.entries(TRIGGER_WORDS).map(([value, label]) => ({ value, label }))}
              value={draft.trigger?.type ?? null}
              error={errorOf('trigger')}
              onChange={(type) =>
                setDraft((before) => ({ ...before, trigger: newTrigger(type as TriggerType | null) }))
              }
            />
            {draft.trigger !== null && (
              <PartFields
                part={draft.trigger}
                isFixed={isFixed}
                errorOf={(field) => errorOf(`trigger.${field}`)}
                onChange={(trigger) => setDraft((before) => ({ ...before, trigger }))}
              />
            )}
          </Stack>
        </Section>
        <Section title="What happens then" description="One step after the other.">
          <StepsEditor draft={draft} isFixed={isFixed} errorOf={errorOf} onChange={setDraft} />
        </Section>
      </fieldset>
      <ErrorNote error={change.error} shownFields={shownFields(fields)} />
      {!isFixed && (
        // Dsns come below them.
        <Group justify="flex-end" gap="xs" mb={72}>
          <Button variant="default" loading={change.isPending} onClick={() => save(move.to, move.told)}>
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

/** Of a step, what its fields show themselves. */
const shownFields = (fields: ApiError['fields']) =>
  Object.keys(fields).filter((field) => /^(name|trigger|trigger\.\w+|steps\.\d+\.\w+)$/.test(field))
