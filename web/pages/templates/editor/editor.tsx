import '../templates.css'
import { Badge } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import type { TemplatePreview } from '../../../api/records.ts'
import { useMay, useTeam } from '../../../api/team.ts'
import { ConflictNote } from '../../../ui/forms/conflict-note.tsx'
import { LeaveGuard } from '../../../ui/forms/leave-guard.tsx'
import { ErrorNote } from '../../../ui/page/error-note.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { State, StatusBadge } from '../../../ui/status-badge.tsx'
import { checkTemplate } from '../checks/checks.ts'
import { ChecksPanel } from '../checks/checks-panel.tsx'
import type { Finding } from '../checks/finding.ts'
import { type Draft, previewToJson } from '../draft/draft.ts'
import { errorsOfPreview, errorsOfSaving } from '../draft/field-errors.ts'
import type { Work } from '../draft/work.ts'
import { EditorActions } from './editor-actions.tsx'
import { EditorContent, useView } from './editor-content.tsx'
import { EditorFields } from './editor-fields.tsx'
import { KeptDraftNote } from './kept-draft-note.tsx'
import { ReviewChanges } from './review-changes.tsx'
import { SendTest } from './send-test.tsx'
import { useTestValues } from './test-values.ts'
import { type Editing, useDraft } from './use-draft.ts'
import { usePreview } from './use-preview.ts'
import { VariablesPanel } from './variables-panel.tsx'

const CHECK_MS = 400
/** Fields that show their own errors. */
const SHOWN_FIELDS = ['name', 'alias', 'subject', 'html_content', 'text_content', 'sender_id', 'reply_to']

/** The template editor. `latest` is the template as last loaded. */
export function Editor({ latest }: { latest: Work }) {
  const team = useTeam()
  const mayChange = useMay().change('Templates')
  const editing = useDraft(latest)
  const { draft, edit, isChanged } = editing
  const [values, setValue] = useTestValues(latest.id)
  const preview = usePreview(latest.id, previewToJson(draft, values))
  const view = useView()
  const { jump, goTo } = useJump(view)
  const findings = useFindings(draft, preview.answer)
  const errors = { ...errorsOfPreview(preview.error), ...errorsOfSaving(editing.error) }
  const part = { draft, edit, errors, isReadOnly: !mayChange }
  const save = () => {
    if (mayChange && isChanged && !editing.isSaving) void editing.save()
  }
  useHotkeys([['mod+S', save]], [], true)
  return (
    <Page
      isWide
      title={draft.name.trim() === '' ? 'Template' : draft.name}
      trail={[{ label: 'Templates', to: `/${team.id}/templates` }]}
      badge={<Badges template={latest} isChanged={isChanged} />}
      description={describeStatus(latest)}
      actions={<EditorActions template={latest} editing={editing} mayChange={mayChange} onSave={save} />}
    >
      <TheirChanges editing={editing} />
      {mayChange && <KeptDraftNote templateId={latest.id} editing={editing} />}
      <ErrorNote error={editing.error} shownFields={[...SHOWN_FIELDS, ...variableFields(editing.error)]} />
      <div className="editor-frame">
        <div className="editor-main">
          <EditorFields {...part} sender={latest.sender} />
          <EditorContent {...part} findings={findings} jump={jump} preview={preview} view={view} />
        </div>
        <aside className="editor-rail" aria-label="Variables and checks">
          <VariablesPanel {...part} values={values} setValue={setValue} />
          <ChecksPanel findings={findings} onJump={goTo} />
        </aside>
      </div>
      <SendTest templateId={latest.id} draft={draft} values={values} sender={latest.sender} />
      <ReviewChanges work={latest} editing={editing} values={values} />
      <LeaveGuard
        noun="template"
        isChanged={isChanged}
        isSaving={editing.isSaving}
        save={() => editing.save()}
      />
    </Page>
  )
}

function Badges({ template, isChanged }: { template: Work; isChanged: boolean }) {
  const { status, version, unpublished } = template
  return (
    <>
      <StatusBadge status={status} />
      <Badge>Version {version}</Badge>
      {unpublished !== null && <State tone="blue">Unpublished changes</State>}
      {isChanged && <State tone="amber">Not saved</State>}
    </>
  )
}

/** Leads to the place of a finding: a line in a code field, or another field of the page. */
function useJump(view: ReturnType<typeof useView>) {
  const [jump, setJump] = useState<{ part: Finding['part']; line: number; serial: number } | null>(null)
  const goTo = ({ part, line }: Finding) => {
    if (part === 'html' || part === 'text') {
      view.show(part)
      setJump((before) => ({ part, line: line ?? 1, serial: (before?.serial ?? 0) + 1 }))
    } else document.getElementById(part === 'subject' ? 'template-subject' : 'template-variables')?.focus()
  }
  return { jump, goTo }
}

/** Waits until the user pauses, because checking large HTML on every key press is slow. */
function useFindings(draft: Draft, answer: TemplatePreview | null): Finding[] {
  const [settled] = useDebouncedValue(draft, CHECK_MS)
  return useMemo(() => {
    const { html: renderedHtml = null, warnings = [] } = answer ?? {}
    return checkTemplate({ ...settled, renderedHtml, warnings })
  }, [settled, answer])
}

/** Returns the fields of variables that show their own errors. */
const variableFields = (error: unknown): string[] =>
  Object.keys(errorsOfSaving(error))
    .filter((field) => /^definitions\.\d+\.(key|fallback_value)$/.test(field))
    .map((field) => field.replace(/^definitions/, 'variables'))

function describeStatus({ status, version, unpublished }: Work): string {
  if (status === 'draft') return 'Draft: requests that use it are rejected until you publish it.'
  return unpublished === null
    ? 'Live. What you save is a draft until you publish it.'
    : `Live with version ${version}. This draft is not published yet.`
}

function TheirChanges({ editing: { theirs, takeTheirs, save, isSaving } }: { editing: Editing }) {
  if (theirs === null) return null
  const { id, version, unpublished, updated_at: at } = theirs
  return (
    <ConflictNote
      noun="template"
      theirs={{ what: unpublished === null ? `Version ${version}` : 'A draft', at }}
      path={`/templates/${id}/versions`}
      isSaving={isSaving}
      onTake={takeTheirs}
      onOverwrite={() => void save(true)}
    />
  )
}
