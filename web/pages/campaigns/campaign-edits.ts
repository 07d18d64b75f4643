import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { Campaign } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'

/** Saves the unsaved edits of a form. Resolves to whether none are left. */
type SaveForm = () => Promise<boolean>

/** The forms of a campaign's page. */
type Part = 'content' | 'pace'

/** What the forms of a campaign's page register with. */
export interface CampaignEdits {
  /** The function that saves each form. */
  forms: RefObject<Record<Part, SaveForm>>
  /** Called by a form when it begins or ceases to have unsaved edits. */
  reportChanged(part: Part, isChanged: boolean): void
}

const saveNothing: SaveForm = async () => true

/**
 * Returns what the forms of the page register with, a function that saves them all, and the properties of the one question
 * for all of them before the user leaves: with one for each form, the user would be asked twice.
 * @param closed the forms whose edits the status of the campaign does not allow
 */
export function useCampaignEdits(closed: Readonly<Record<Part, boolean>>) {
  const forms: CampaignEdits['forms'] = useRef({ content: saveNothing, pace: saveNothing })
  const [changed, setChanged] = useState({ content: false, pace: false })
  const [isSaving, setIsSaving] = useState(false)
  const reportChanged = useCallback<CampaignEdits['reportChanged']>((part, isChanged) => {
    setChanged((before) => (before[part] === isChanged ? before : { ...before, [part]: isChanged }))
  }, [])
  // True for one rendering: the form that closes reports afterwards that it has no edits.
  const isLost = (closed.content && changed.content) || (closed.pace && changed.pace)
  useEffect(() => {
    if (isLost) notifyError('Your unsaved changes were discarded because the status of the campaign changed.')
  }, [isLost])
  const saveFirst: SaveForm = async () => {
    setIsSaving(true)
    try {
      if ((await forms.current.content()) && (await forms.current.pace())) return true
    } finally {
      setIsSaving(false)
    }
    notifyError('Your changes could not be saved. The form shows why.')
    return false
  }
  const edits: CampaignEdits = { forms, reportChanged }
  const guard = {
    noun: changed.content ? 'campaign' : 'campaign’s pace',
    isChanged: changed.content || changed.pace,
    isSaving,
    save: saveFirst,
  }
  return { edits, saveFirst, guard }
}

/** The part of a form's state that saving needs. */
interface EditedForm<V> {
  getValues(): V
  getInitialValues(): V
  setValues(values: V): void
  setInitialValues(values: V): void
  setErrors(errors: Record<string, string>): void
  isDirty(): boolean
}

interface CampaignSaving<V> {
  campaign: Campaign
  edits: CampaignEdits
  part: Part
  isFixed: boolean
  draftOf(campaign: Campaign): V
  /** Returns what differs from the values that the form began with, for the API. */
  bodyOf(draft: V, before: V): object
  /** Returns the edited fields that cannot be saved now. They stay in the form, which says why. Default: none. */
  heldOf?(draft: V, before: V): Partial<V>
  /** Maps fields of the API to the fields of the form that show their errors. */
  namesOf(error: Error): Readonly<Record<string, string>>
  /** Shown when it is saved. */
  done: string
}

/** Returns the saved values, with the fields that were edited since the request. */
function withEdits<V extends object>(saved: V, { now, before }: { now: V; before: V }): V {
  const isEdited = ([field, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[field as keyof V])
  return { ...saved, ...Object.fromEntries(Object.entries(now).filter(isEdited)) }
}

/** Saves one form of the page: when it is submitted, before the user leaves, and before the campaign is sent. */
export function useCampaignSaving<V extends object>(
  form: EditedForm<V>,
  { campaign, edits, part, isFixed, draftOf, bodyOf, heldOf = () => ({}), namesOf, done }: CampaignSaving<V>,
) {
  const sent = useRef(form.getValues())
  const { mutateAsync, error, isPending } = useChange<Campaign>({
    onError: (error) => showFieldErrors(form, error, namesOf(error)),
    onDone(answer) {
      const now = form.getValues()
      const saved = draftOf(answer)
      const isSame = now === sent.current
      form.setInitialValues(saved)
      // Edits that were made during the request stay, and those that it could not save.
      form.setValues({ ...withEdits(saved, { now, before: sent.current }), ...heldOf(now, saved) })
      if (isSame) sent.current = form.getValues()
      notifyDone(done)
    },
  })
  const save: SaveForm = async () => {
    const draft = form.getValues()
    const before = form.getInitialValues()
    const body = bodyOf(draft, before)
    const isHeld = Object.keys(heldOf(draft, before)).length > 0
    if (isHeld && Object.keys(body).length === 0) return false
    sent.current = draft
    return mutateAsync({ path: `/campaigns/${campaign.id}`, method: 'PATCH', body }).then(
      () => !isHeld,
      () => false,
    )
  }
  const isChanged = !isFixed && form.isDirty()
  const { forms, reportChanged } = edits
  useEffect(() => {
    forms.current[part] = async () => !isChanged || save()
    return () => {
      forms.current[part] = saveNothing
    }
  })
  useEffect(() => {
    reportChanged(part, isChanged)
    return () => reportChanged(part, false)
  }, [reportChanged, part, isChanged])
  return { error, isPending, save }
}
