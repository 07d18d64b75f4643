import { Alert, Button, Checkbox, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconClock } from '@tabler/icons-react'
import type { Campaign } from '../../api/records.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { timeZonesWith } from '../../ui/time-zones.ts'
import { type CampaignEdits, useCampaignSaving } from './campaign-edits.ts'

const RATE_MAX = 100_000_000
const EVERY_DAY = ['1', '2', '3', '4', '5', '6', '7']

interface PaceDraft {
  /** Empty: no limit. */
  rate: number | ''
  hasHours: boolean
  from: string
  to: string
  timeZone: string
  byContact: boolean
  /** 1 is Monday. */
  days: string[]
}

function draftOf({ rate_per_hour: rate, send_window: window }: Campaign): PaceDraft {
  return {
    rate: rate ?? '',
    hasHours: window !== null,
    from: window?.from ?? '09:00',
    to: window?.to ?? '18:00',
    timeZone: window?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    byContact: window?.by_contact ?? false,
    days: window?.days?.map(String) ?? EVERY_DAY,
  }
}

function windowOf({ hasHours, from, to, timeZone, byContact, days }: PaceDraft) {
  if (!hasHours) return null
  const isEveryDay = days.length === EVERY_DAY.length
  return {
    from,
    to,
    time_zone: timeZone,
    by_contact: byContact,
    ...(!isEveryDay && { days: days.map(Number).sort() }),
  }
}

const hasOtherHours = (draft: PaceDraft, before: PaceDraft) =>
  JSON.stringify(windowOf(draft)) !== JSON.stringify(windowOf(before))

const hoursOf = ({ rate: _rate, ...hours }: PaceDraft) => hours

interface CampaignPaceProps {
  campaign: Campaign
  edits: CampaignEdits
}

/** How fast, and in which hours a campaign is sent. The speed can change while it is being sent. */
export function CampaignPace({ campaign, edits }: CampaignPaceProps) {
  const form = useForm<PaceDraft>({ initialValues: draftOf(campaign) })
  const isSending = campaign.status === 'sending'
  const holdsHours = (draft: PaceDraft, before: PaceDraft) => isSending && hasOtherHours(draft, before)
  const { error, isPending, save } = useCampaignSaving<PaceDraft>(form, {
    campaign,
    edits,
    part: 'pace',
    isFixed: false,
    draftOf,
    bodyOf: (draft, before) => ({
      ...(draft.rate !== before.rate && { rate_per_hour: draft.rate === '' ? null : draft.rate }),
      ...(!isSending && hasOtherHours(draft, before) && { send_window: windowOf(draft) }),
    }),
    heldOf: (draft, before) => (holdsHours(draft, before) ? hoursOf(draft) : {}),
    namesOf: () => ({ rate_per_hour: 'rate' }),
    done: 'Pace changed.',
  })
  const before = form.getInitialValues()
  const hasHeld = holdsHours(form.values, before)
  return (
    <form onSubmit={form.onSubmit(() => void save())} noValidate>
      <Section title="Pace">
        <Stack gap="sm">
          <NumberInput
            label="Emails per hour, at most"
            description="Leave empty to send as fast as possible."
            min={1}
            max={RATE_MAX}
            allowDecimal={false}
            thousandSeparator
            {...form.getInputProps('rate')}
          />
          <Checkbox
            label="Send only at certain hours"
            disabled={isSending}
            {...form.getInputProps('hasHours', { type: 'checkbox' })}
          />
          {form.values.hasHours && (
            <Hours form={form} isDisabled={isSending} mayTurnToContacts={mayTurnToContacts(campaign)} />
          )}
          {hasHeld && <HeldHours onDiscard={() => form.setValues(hoursOf(before))} />}
          <ErrorNote error={error} shownFields={['rate_per_hour']} />
          <Group justify="flex-end">
            <Button
              type="submit"
              variant="default"
              loading={isPending}
              disabled={hasHeld && form.values.rate === before.rate}
            >
              Change pace
            </Button>
          </Group>
        </Stack>
      </Section>
    </form>
  )
}

/** Shown when the campaign began to be sent before its new hours were saved. */
function HeldHours({ onDiscard }: { onDiscard(): void }) {
  return (
    <Alert color="orange" icon={<IconClock />} title="The new hours are not saved" role="alert">
      The campaign is being sent, so its hours cannot change now. Pause the campaign to save them.
      <Group gap="xs" mt="sm">
        <Button size="compact-sm" variant="default" onClick={onDiscard}>
          Discard new hours
        </Button>
      </Group>
    </Alert>
  )
}

interface HoursProps {
  form: ReturnType<typeof useForm<PaceDraft>>
  isDisabled: boolean
  mayTurnToContacts: boolean
}

/** The recipients of a campaign get their time zones when it starts. */
const mayTurnToContacts = ({ started_at, send_window: hours }: Campaign) =>
  started_at === null || hours?.by_contact === true

function Hours({ form, isDisabled, mayTurnToContacts: mayTurn }: HoursProps) {
  return (
    <fieldset disabled={isDisabled} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
      <Stack gap="sm">
        <Group grow align="flex-end">
          <TextInput type="time" label="From" {...form.getInputProps('from')} />
          <TextInput type="time" label="To" {...form.getInputProps('to')} />
        </Group>
        <Select
          label="Time zone"
          data={timeZonesWith(form.values.timeZone)}
          searchable
          disabled={isDisabled}
          {...form.getInputProps('timeZone')}
        />
        <Checkbox
          label="By the clock of each contact"
          description="Contacts without a time zone use this one. You can’t turn it on after the start."
          // Turned on before the start but not saved, it can be turned off again.
          disabled={isDisabled || !(mayTurn || form.values.byContact)}
          {...form.getInputProps('byContact', { type: 'checkbox' })}
        />
        <Checkbox.Group label="Days" {...form.getInputProps('days')}>
          <Group gap="sm">
            {EVERY_DAY.map((day) => (
              <Checkbox key={day} value={day} disabled={isDisabled} label={nameOfDay(Number(day))} />
            ))}
          </Group>
        </Checkbox.Group>
      </Stack>
    </fieldset>
  )
}

/** Returns the short name of a day of the week in the reader's language. 1 January 2024 was a Monday. */
const nameOfDay = (day: number) =>
  new Date(Date.UTC(2024, 0, day)).toLocaleDateString(undefined, { weekday: 'short', timeZone: 'UTC' })
