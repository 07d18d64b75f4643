import { Anchor, Text } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import type { Automation, AutomationFigures } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { FiguresTable } from '../../ui/metrics/figures-table.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Section } from '../../ui/page/section.tsx'
import { type OutlinedStep, outlineOf } from './graph/outline.ts'
import { summaryOf } from './graph/summary.ts'
import { useRecordNames } from './graph/use-record-names.ts'
import { outcomeWord, stepWord } from './graph/words.ts'

const REFRESH_MS = 5000
const NO_NAMES: ReadonlyMap<string, string> = new Map()
const HEADERS = ['Step', 'Then', 'Waiting', 'Done', 'Failed', 'Delivered', 'Opened', 'Clicked']

/** The steps of an automation in their order, with the figures of its current version. */
export function AutomationSteps({ automation }: { automation: Automation }) {
  const { id, status, version } = automation
  const { data } = useGet<AutomationFigures>(`/automations/${id}/figures`, {
    enabled: version > 0,
    refetchIntervalMs: REFRESH_MS,
    refetchWhile: () => status === 'active',
  })
  const names = useRecordNames(automation.steps.length > 0) ?? NO_NAMES
  const figures = new Map(data?.steps.map((step) => [step.key, step]))
  const steps = outlineOf(automation)
  const numbers = new Map(steps.map(({ key }, index) => [key, index + 1]))
  if (steps.length === 0) {
    return (
      <EmptyState icon={IconRoute} title="No steps yet">
        Add a trigger and the steps that follow it, in the tab Edit.
      </EmptyState>
    )
  }
  const note =
    version > 0 ? `Figures of version ${version}, the current one.` : 'Figures appear once it is active.'
  return (
    <Section title="Steps" description={note} isFlush>
      <FiguresTable label="Steps" headers={HEADERS}>
        {steps.map((step) => {
          const figure = figures.get(step.key)
          return (
            <tr key={step.key}>
              <th scope="row">
                <StepName step={step} number={numbers.get(step.key) ?? 0} summary={summaryOf(step, names)} />
              </th>
              <td>
                <Next step={step} numbers={numbers} />
              </td>
              <td>
                {(figure?.waiting ?? 0) > 0 ? (
                  <Anchor
                    component={Link}
                    size="sm"
                    to="."
                    search={{ view: 'runs', status: 'running', step: step.key } as never}
                  >
                    {figure?.waiting.toLocaleString()}
                  </Anchor>
                ) : (
                  '–'
                )}
              </td>
              <Count value={figure?.done} />
              <Count value={figure?.failed} />
              <Count value={figure?.delivered} />
              <Count value={figure?.opened} />
              <Count value={figure?.clicked} />
            </tr>
          )
        })}
      </FiguresTable>
    </Section>
  )
}

const Count = ({ value = 0 }: { value: number | undefined }) => (
  <td>{value === 0 ? '–' : value.toLocaleString()}</td>
)

function StepName({ step, number, summary }: { step: OutlinedStep; number: number; summary: string }) {
  return (
    <>
      <Text span size="sm" fw={500}>
        {number}. {stepWord(step.type)}
      </Text>
      <Text size="xs" c="dimmed" className="foreign">
        {summary === '' ? step.key : summary}
      </Text>
    </>
  )
}

function Next({ step, numbers }: { step: OutlinedStep; numbers: ReadonlyMap<string, number> }) {
  if (step.next.length === 0) return 'Ends'
  return step.next.map(({ to, type }) => (
    <Text key={`${to} ${type}`} size="xs">
      → {numbers.get(to)} {outcomeWord(type, step.next.length === 1)}
    </Text>
  ))
}
