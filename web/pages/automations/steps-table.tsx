import { Anchor, Text } from '@mantine/core'
import type { AutomationFigures } from '../../api/records.ts'
import { Link } from '../../ui/link.tsx'
import { FiguresTable } from '../../ui/metrics/figures-table.tsx'
import type { EditedGraph } from './graph/edit-graph.ts'
import { type OutlinedStep, outlineOf } from './graph/outline.ts'
import { summaryOf } from './graph/summary.ts'
import { outcomeWord, stepWord } from './graph/words.ts'

interface StepsTableProps {
  graph: EditedGraph
  names: ReadonlyMap<string, string>
  figures: readonly AutomationFigures['steps'][number][]
  /** Returns the parameters of the page with the runs at a step. */
  searchOf(key: string, status?: string): object
}

const HEADERS = [
  'Step',
  'Then',
  'Entered',
  'Waiting',
  'Done',
  'Skipped',
  'Failed',
  'Exited',
  'Delivered',
  'Opened',
  'Clicked',
]

/** The steps in their order, with their figures. */
export function StepsTable({ graph, names, figures, searchOf }: StepsTableProps) {
  const byKey = new Map(figures.map((step) => [step.key, step]))
  const steps = outlineOf(graph)
  const numbers = new Map(steps.map(({ key }, index) => [key, index + 1]))
  return (
    <FiguresTable label="Steps" headers={HEADERS}>
      {steps.map((step) => {
        const figure = byKey.get(step.key)
        return (
          <tr key={step.key}>
            <th scope="row">
              <StepName step={step} number={numbers.get(step.key) ?? 0} summary={summaryOf(step, names)} />
            </th>
            <td>
              <Next step={step} numbers={numbers} />
            </td>
            <Count value={figure?.entered} />
            <Count value={figure?.waiting} search={searchOf(step.key, 'running')} />
            <Count value={figure?.done} />
            <Count value={figure?.skipped} />
            <Count value={figure?.failed} search={searchOf(step.key, 'failed')} />
            <Count value={figure?.exited} />
            <Count value={figure?.delivered} />
            <Count value={figure?.opened} />
            <Count value={figure?.clicked} />
          </tr>
        )
      })}
    </FiguresTable>
  )
}

/** @param search the parameters of the page with the runs that are counted */
function Count({ value = 0, search }: { value: number | undefined; search?: object }) {
  const text = value.toLocaleString()
  if (value === 0) return <td>–</td>
  if (search === undefined) return <td>{text}</td>
  return (
    <td>
      <Anchor component={Link} size="sm" to="." search={search as never}>
        {text}
      </Anchor>
    </td>
  )
}

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
      → {numbers.get(to)} {outcomeWord(type, step.type, step.next.length === 1)}
    </Text>
  ))
}
