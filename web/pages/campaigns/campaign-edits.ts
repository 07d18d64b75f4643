import { type RefObject, useEffect, useRef } from 'react'
import type { Campaign } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'

/** Saves the unsaved edits of a form. Resolves to whether none are left. */
type SaveForm = () => Promise<boolean>

/** The forms of a campaign's page, each with the function that saves it. */
export type CampaignEdits = RefObject<Record<'content' | 'pace', SaveForm>>

const saveNothing: SaveForm = async () => true

/** Returns what the forms of the page register with, and a function that saves them all. */
export function useCampaignEdits(): { edits: CampaignEdits; saveFirst: SaveForm } {
  const edits: CampaignEdits = useRef({ content: saveNothing, pace: saveNothing })
  const saveFirst = async () => {
    if ((await edits.current.content()) && (await edits.current.pace())) return true
    notifyError('Your changes could not be saved. The form shows why.')
    return false
  }
  return { edits, saveFirst }
}

/** The part of a form's state that saving needs. */
interface EditedForm<V> {
  getValues(): V
  setValues(values: V): void
  setInitialValues(values: V): void
  setErrors(errors: Record<string, string>): void
  isDirty(): boolean
}

interface CampaignSaving<V> {
  campaign: Campaign
  edits: CampaignEdits
  part: keyof CampaignEdits['current']
  isFixed: boolean
  draftOf(campaign: Campaign): V
  bodyOf(draft: V): object
  /** Maps fields of the API to the fields of the form that show their errors. */
  namesOf(error: Error): Readonly<Record<string, string>>
  /** Shown when it is saved. */
  done: string
}

/** Saves one form of the page: when it is submitted, before the user leaves, and before the campaign is sent. */
export function useCampaignSaving<V>(
  form: EditedForm<V>,
  { campaign, edits, part, isFixed, draftOf, bodyOf, namesOf, done }: CampaignSaving<V>,
) {
  const sent = useRef(form.getValues())
  const { mutateAsync, error, isPending } = useChange<Campaign>({
    onError: (error) => showFieldErrors(form, error, namesOf(error)),
    onDone(answer) {
      // Edits that were made during the request stay.
      const isSame = form.getValues() === sent.current
      form.setInitialValues(draftOf(answer))
      form.setValues(isSame ? draftOf(answer) : form.getValues())
      if (isSame) sent.current = form.getValues()
      notifyDone(done)
    },
  })
  const save: SaveForm = () => {
    sent.current = form.getValues()
    const body = bodyOf(sent.current)
    return mutateAsync({ path: `/campaigns/${campaign.id}`, method: 'PATCH', body }).then(
      () => true,
      () => false,
    )
  }
  const isChanged = !isFixed && form.isDirty()
  useEffect(() => {
    edits.current[part] = async () => !isChanged || save()
    return () => {
      edits.current[part] = saveNothing
    }
  })
  return { error, isPending, isChanged, save }
}
