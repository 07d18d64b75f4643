import './canvas/graph.css'
import { Box, Button, Group, Stack, TagsInput, Text } from '@mantine/core'
import { IconTestPipe } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { Automation, AutomationDryRun } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { ContactSelect } from '../../ui/forms/contact-select.tsx'
import { Section } from '../../ui/page/section.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { LazyGraphCanvas } from './canvas/lazy-canvas.tsx'
import { ProblemList } from './editor/problem-list.tsx'
import { pathOf } from './graph/graph-path.ts'
import { parseObject } from './graph/json-text.ts'
import { useRecordNames } from './graph/use-record-names.ts'
import { stepWord } from './graph/words.ts'
import { PayloadField } from './payload-field.tsx'
import { type TrailEntry, TrailList } from './trail-list.tsx'

/** Follows the saved graph for one contact, and shows each decision. */
export function DryRun({ automation }: { automation: Automation }) {
  const { id } = automation
  const [contactId, setContactId] = useState('')
  const [events, setEvents] = useState<string[]>([])
  const [text, setText] = useState('')
  const payload = parseObject(text)
  const dryRun = useChange<AutomationDryRun>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = { contact_id: contactId, payload, events }
    dryRun.mutate({ path: `/automations/${id}/dry-run`, method: 'POST', body })
  }
  return (
    <Section
      title="Test for a contact"
      description="Shows what a run would do with the last saved steps. It sends nothing and changes nothing."
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" maw={560}>
          <ContactSelect
            label="Contact"
            placeholder="Address or name"
            value={contactId === '' ? undefined : contactId}
            onChange={setContactId}
          />
          <PayloadField value={text} onChange={setText} />
          <TagsInput
            label="Events that come (optional)"
            description="Waits for other events time out."
            placeholder={events.length === 0 ? 'order.paid' : ''}
            value={events}
            onChange={setEvents}
            acceptValueOnBlur
          />
          <Group>
            <Button
              type="submit"
              leftSection={<IconTestPipe />}
              loading={dryRun.isPending}
              disabled={contactId === '' || payload === null}
            >
              Run test
            </Button>
          </Group>
        </Stack>
      </form>
      <ProblemList error={dryRun.error} steps={automation.steps} connections={automation.connections} />
      {dryRun.data !== undefined && <Trace automation={automation} trace={dryRun.data} />}
    </Section>
  )
}

interface TraceProps {
  automation: Automation
  trace: AutomationDryRun
}

/** The path through the graph beside the decisions. A phone shows only the decisions, because the graph is too wide. */
function Trace({ automation, trace: { steps, end } }: TraceProps) {
  const names = useRecordNames()
  const isPhone = useIsPhone()
  const entries = steps.map(({ key, type, at, decision }, index): TrailEntry => {
    return {
      id: `${index} ${key}`,
      title: stepWord(type),
      key,
      at,
      texts: [decision],
    }
  })
  return (
    <Box className="graph-beside" mt="lg">
      {!isPhone && (
        <LazyGraphCanvas
          label="Path through the graph"
          graph={automation}
          names={names}
          path={pathOf(automation, steps)}
        />
      )}
      <Stack gap="sm">
        <TrailList label="Decisions" entries={entries} />
        <Text size="sm" role="status">
          {end}
        </Text>
      </Stack>
    </Box>
  )
}
