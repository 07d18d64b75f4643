import { NumberInput, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import type { Automation } from '../../../api/records.ts'
import { JsonField } from './json-field.tsx'

type Settings = Automation['settings']

interface SettingsPanelProps {
  settings: Settings
  /** The messages of the API by field. */
  errors: ReadonlyMap<string, string>
  onChange(settings: Settings): void
}

const REENTRY = [
  { value: 'once', label: 'Never again' },
  { value: 'after_exit', label: 'After its run has ended' },
  { value: 'every_time', label: 'Every time' },
]
const RETRIGGER = [
  { value: 'keep', label: 'The run goes on' },
  { value: 'restart', label: 'The run starts again' },
]

/** Who may start again, what ends runs, and how the automation goes on after a pause. */
export function SettingsPanel({ settings, errors, onChange }: SettingsPanelProps) {
  const set = (changes: Partial<Record<keyof Settings, unknown>>) =>
    onChange({ ...settings, ...changes } as Settings)
  const duration = (name: 'reentry_gap' | 'max_late') => ({
    placeholder: 'None',
    value: settings[name] === undefined || settings[name] === null ? '' : String(settings[name]),
    error: errors.get(name),
    onChange: (event: { currentTarget: { value: string } }) =>
      set({ [name]: event.currentTarget.value === '' ? null : event.currentTarget.value }),
  })
  return (
    <Stack gap="sm" component="section" aria-label="Settings">
      <Title order={2}>Settings</Title>
      <Text size="sm" c="dimmed">
        Choose a step to edit it.
      </Text>
      <Select
        label="A contact can start again"
        data={REENTRY}
        allowDeselect={false}
        value={settings.reentry ?? 'once'}
        onChange={(reentry) => set({ reentry })}
      />
      <TextInput label="Minimum gap" description={gapNote(settings.reentry)} {...duration('reentry_gap')} />
      <Select
        label="If it is triggered during a run"
        data={RETRIGGER}
        allowDeselect={false}
        value={settings.on_retrigger ?? 'keep'}
        onChange={(value) => set({ on_retrigger: value })}
      />
      <JsonField
        label="Ends every run"
        description="A list of events or rules."
        placeholder='[{"event_name": "order.paid"}]'
        error={errors.get('exits')}
        value={settings.exits}
        onChange={(exits) => set({ exits: exits ?? [] })}
      />
      <TextInput label="Skip emails that are later than" {...duration('max_late')} />
      <NumberInput
        label="Steps a minute after a pause"
        min={1}
        value={settings.resume_rate ?? 600}
        error={errors.get('resume_rate')}
        onChange={(rate) => set({ resume_rate: Number(rate) || 600 })}
      />
    </Stack>
  )
}

/** @param reentry when a contact can start again; a gap needs another choice than `once` */
function gapNote(reentry: Settings['reentry']): string {
  if (reentry === 'after_exit') return 'For example 7 days. Counts from the end of its last run.'
  if (reentry === 'every_time') return 'For example 7 days. Counts from its last start.'
  return 'For example 7 days.'
}
