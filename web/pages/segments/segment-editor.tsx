import { Button, Stack, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import type { Segment } from '../../api/records.ts'
import { type Change, useChange } from '../../api/team.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { LeaveGuard } from '../../ui/forms/leave-guard.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { changeGroup, filtersOf, isComplete, newGroup, nextKey, type SegmentDraft } from './draft.ts'
import { GroupCard, Match } from './group-card.tsx'
import { LiveCount } from './live-count.tsx'
import { type Names, summarize } from './summary.ts'
import './segments.css'

interface SegmentEditorProps {
  initial: SegmentDraft
  /** Null for a new segment. */
  id: string | null
  names: Names
  /** Called when the segment is saved, unless the user leaves for another page. */
  onDone(segment: Segment): void
  onCancel(): void
}

/** What is edited, and what saves it. */
function useSegmentDraft({ initial, id, names, onDone }: SegmentEditorProps) {
  // Others may change the segment meanwhile.
  const [before] = useState(initial)
  const [draft, setDraft] = useState(before)
  const isLeaving = useRef(false)
  const { mutate, mutateAsync, error, isPending } = useChange<Segment>({
    onDone(segment) {
      notifyDone(`Segment “${segment.name}” ${id === null ? 'created' : 'changed'}.`)
      if (!isLeaving.current) onDone(segment)
    },
  })
  const conditions = { match_type: draft.match_type, filters: filtersOf(draft, names.properties) }
  const body = { name: draft.name, ...conditions }
  const request: Change =
    id === null
      ? { path: '/segments', method: 'POST', body }
      : { path: `/segments/${id}`, method: 'PUT', body }
  const saveAndLeave = async () => {
    isLeaving.current = true
    const isSaved = await mutateAsync(request).then(
      () => true,
      () => false,
    )
    isLeaving.current = isSaved
    return isSaved
  }
  return {
    draft,
    setDraft,
    conditions,
    error,
    isPending,
    isChanged: JSON.stringify(draft) !== JSON.stringify(before),
    save: () => mutate(request),
    saveAndLeave,
  }
}

/** Edits the conditions of a segment, with a live count of its contacts. */
export function SegmentEditor(props: SegmentEditorProps) {
  const { id, names, onCancel } = props
  const { draft, setDraft, conditions, error, isPending, isChanged, save, saveAndLeave } =
    useSegmentDraft(props)
  const isWhole = isComplete(draft, names.properties)
  const fields = error instanceof ApiError ? error.fields : {}
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  return (
    <form onSubmit={submit} noValidate className="segment-editor">
      <LeaveGuard noun="segment" isChanged={isChanged} isSaving={isPending} save={saveAndLeave} />
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
