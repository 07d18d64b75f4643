import { Button, Stack, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { FormEvent } from 'react'
import { ApiError } from '../../api/errors.ts'
import { ConflictNote } from '../../ui/forms/conflict-note.tsx'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { LeaveGuard } from '../../ui/forms/leave-guard.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { changeGroup, isComplete, newGroup, nextKey, type SegmentDraft } from './draft.ts'
import { GroupCard, Match } from './group-card.tsx'
import { LiveCount } from './live-count.tsx'
import { type Names, summarize } from './summary.ts'
import { type SegmentEditorProps, useSegmentDraft } from './use-segment-draft.ts'
import './segments.css'

/** Edits the conditions of a segment, with a live count of its contacts. */
export function SegmentEditor(props: SegmentEditorProps) {
  const { id, names, onCancel } = props
  const { draft, setDraft, conditions, error, isPending, isChanged, save, saveAndLeave, theirs, takeTheirs } =
    useSegmentDraft(props)
  const isWhole = isComplete(draft, names.properties)
  const fields = error instanceof ApiError ? error.fields : {}
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <form onSubmit={submit} noValidate className="segment-editor">
      <LeaveGuard noun="segment" isChanged={isChanged} isSaving={isPending} save={saveAndLeave} />
      {theirs !== null && (
        <ConflictNote
          noun="segment"
          theirs={{ at: theirs.updated_at }}
          path={`/segments/${id}`}
          isSaving={isPending}
          onTake={takeTheirs}
          onOverwrite={() => void save(true)}
        />
      )}
      <Stack gap="md">
        <Section>
          <TextInput
            label="Name"
            required
            value={draft.name}
            error={fields.name?.join(' ')}
            onChange={({ currentTarget: { value } }) => setDraft((before) => ({ ...before, name: value }))}
          />
        </Section>
        <Groups draft={draft} setDraft={setDraft} names={names} fields={fields} />
        <ErrorNote error={error} shownFields={shownFields(fields)} />
        <FormFooter onCancel={onCancel} isPending={isPending}>
          {id === null ? 'Create segment' : 'Save'}
        </FormFooter>
      </Stack>
      <LiveCount body={isWhole ? conditions : null} summary={summarize(draft, names)} />
    </form>
  )
}

interface GroupsProps {
  draft: SegmentDraft
  setDraft(change: (before: SegmentDraft) => SegmentDraft): void
  names: Names
  fields: ApiError['fields']
}

function Groups({ draft, setDraft, names, fields }: GroupsProps) {
  const { groups } = draft
  return (
    <Stack gap="sm">
      {groups.length > 1 && (
        <Match
          label="Groups"
          value={draft.match_type}
          onChange={(match_type) => setDraft((before) => ({ ...before, match_type }))}
          words="of the groups"
        />
      )}
      {groups.map((group, index) => (
        <GroupCard
          key={group.key}
          group={group}
          number={index + 1}
          names={names}
          errors={errorsOf(fields, index)}
          nextKey={nextKey(draft)}
          onChange={(change) => setDraft(changeGroup(group.key, change))}
          onRemove={groups.length === 1 ? undefined : () => setDraft(changeGroup(group.key, () => null))}
        />
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus />}
          onClick={() =>
            setDraft((before) => ({ ...before, groups: [...before.groups, newGroup(nextKey(before))] }))
          }
        >
          Add group
        </Button>
      </div>
    </Stack>
  )
}

const CONDITION = /^filters\.groups\.(\d+)\.conditions\.(\d+)\./

/** Returns the API's messages about conditions of a group, by their index. */
function errorsOf(fields: ApiError['fields'], group: number): ReadonlyMap<number, string> {
  return new Map(
    Object.entries(fields).flatMap(([field, messages]) => {
      const [, at, index] = CONDITION.exec(field) ?? []
      // The message appears next to its row, so the path is redundant.
      const text = messages.join(' ').replaceAll(/filters\.groups\.\d+\.conditions\.\d+\./g, '')
      return Number(at) === group && at !== undefined ? [[Number(index), text] as const] : []
    }),
  )
}

const shownFields = (fields: ApiError['fields']) => [
  'name',
  ...Object.keys(fields).filter((field) => CONDITION.test(field)),
]
