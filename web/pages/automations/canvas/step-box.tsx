import { VisuallyHidden } from '@mantine/core'
import { Handle, type Node, type NodeProps, Position, useReactFlow } from '@xyflow/react'
import type { FocusEvent, KeyboardEvent } from 'react'
import { Link } from '../../../ui/link.tsx'
import { showCompact } from '../../../ui/plural.ts'
import type { StepFigure } from '../graph/step-figures.ts'

interface BoxedStep extends Record<string, unknown> {
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
  /** Returns the step to which an arrow key leads. */
  neighbourOf(pressed: string): string | null
}

export type StepNode = Node<BoxedStep, 'step'>

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
  const { isOpen, isFaulty, place, search, onOpen, onRemove, neighbourOf } = data
  const onFocus = useShownOnFocus(id)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isRemoved = onRemove !== undefined && (event.key === 'Delete' || event.key === 'Backspace')
    const to = neighbourOf(isRemoved ? 'ArrowUp' : event.key)
    if (to !== null) event.preventDefault()
    const steps = event.currentTarget.closest('.graph-canvas')?.querySelectorAll<HTMLElement>('[data-step]')
    const next = Array.from(steps ?? []).find(({ dataset }) => dataset.step === to)
    next?.focus()
    if (isRemoved) onRemove()
  }
  const shared = {
    className: 'graph-step nodrag nopan',
    'data-step': id,
    'data-faulty': isFaulty || undefined,
    'data-place': place,
    children: <Content id={id} data={data} />,
  }
  if (search === undefined && onOpen === undefined) return <div {...shared} />
  const focusable = { ...shared, onKeyDown, onFocus }
  if (search !== undefined) return <Link {...focusable} to="." search={search as never} />
  return <button type="button" {...focusable} aria-pressed={isOpen} onClick={onOpen} />
}

/** Returns a handler that moves the graph if the step that gets the focus is outside the canvas. */
function useShownOnFocus(id: string) {
  const { getNode, getZoom, setCenter } = useReactFlow()
  return ({ currentTarget }: FocusEvent<HTMLElement>) => {
    const frame = currentTarget.closest('.react-flow')?.getBoundingClientRect()
    const box = currentTarget.getBoundingClientRect()
    const node = getNode(id)
    if (frame === undefined || node === undefined) return
    const isInside =
      box.top >= frame.top && box.bottom <= frame.bottom && box.left >= frame.left && box.right <= frame.right
    const { position, width = 0, height = 0 } = node
    if (!isInside) void setCenter(position.x + width / 2, position.y + height / 2, { zoom: getZoom() })
  }
}

function Content({ id, data }: Pick<NodeProps<StepNode>, 'id' | 'data'>) {
  const { title, summary, isFaulty, figures, place } = data
  return (
    <>
      <span className="one-line">{title}</span>
      <span className="one-line graph-summary">
        <bdi>{summary === '' ? id : summary}</bdi>
      </span>
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
