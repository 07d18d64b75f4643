import { VisuallyHidden } from '@mantine/core'
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import type { KeyboardEvent } from 'react'
import { Link } from '../../../ui/link.tsx'
import { showCompact } from '../../../ui/plural.ts'
import type { StepFigure } from '../graph/step-figures.ts'

interface StepData extends Record<string, unknown> {
  title: string
  summary: string
  isOpen: boolean
  isFaulty: boolean
  figures: readonly StepFigure[][]
  /** Whether it is on the path, at its end, or off it. Undefined: there is no path. */
  place: 'on' | 'end' | 'off' | undefined
  /** The parameters of the page to which it leads. */
  search: object | undefined
  onOpen: (() => void) | undefined
  onRemove: (() => void) | undefined
}

export type StepNode = Node<StepData, 'step'>

const TITLE_HEIGHT = 64
const FIGURES_HEIGHT = 40
const PLACE_WORDS = { on: ', on the path', end: ', end of the path', off: ', not on the path' }

/** Returns the height of a step with so many rows of figures. */
export const heightOfStep = (rows: number): number => TITLE_HEIGHT + rows * FIGURES_HEIGHT

/** A step in the graph: a link, a button, or only its text. */
export function StepBox({ id, data }: NodeProps<StepNode>) {
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <Frame id={id} data={data} />
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </>
  )
}

function Frame({ id, data }: Pick<NodeProps<StepNode>, 'id' | 'data'>) {
  const { isOpen, isFaulty, place, search, onOpen, onRemove } = data
  const shared = {
    className: 'graph-step nodrag nopan',
    'data-faulty': isFaulty || undefined,
    'data-place': place,
    children: <Content id={id} data={data} />,
  }
  if (search !== undefined) return <Link {...shared} to="." search={search as never} />
  if (onOpen === undefined) return <div {...shared} />
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Delete' || key === 'Backspace') onRemove?.()
  }
  return <button type="button" {...shared} aria-pressed={isOpen} onClick={onOpen} onKeyDown={onKeyDown} />
}

function Content({ id, data }: Pick<NodeProps<StepNode>, 'id' | 'data'>) {
  const { title, summary, isFaulty, figures, place } = data
  return (
    <>
      <span className="one-line">{title}</span>
      <span className="one-line graph-summary foreign">{summary === '' ? id : summary}</span>
      <VisuallyHidden>
        {summary === '' ? '' : `(${id})`}
        {isFaulty && ', has errors'}
        {place !== undefined && PLACE_WORDS[place]}
      </VisuallyHidden>
      {figures.map((row) => (
        <span key={row[0]?.word} className="graph-figures">
          {row.map(({ word, count, isBad }) => (
            <span key={word} data-bad={isBad || undefined}>
              <span>{showCompact(count)} </span>
              <span>{word} </span>
            </span>
          ))}
        </span>
      ))}
    </>
  )
}
