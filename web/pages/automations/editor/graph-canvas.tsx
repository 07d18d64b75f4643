import '@xyflow/react/dist/base.css'
import './graph.css'
import { useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react'
import { type KeyboardEvent, useMemo } from 'react'
import type { EditedGraph } from '../graph/edit-graph.ts'
import { layoutGraph, STEP_HEIGHT, STEP_WIDTH } from '../graph/layout-graph.ts'
import { summaryOf } from '../graph/summary.ts'
import { outcomeWord, stepWord } from '../graph/words.ts'

interface GraphCanvasProps {
  graph: EditedGraph
  names: ReadonlyMap<string, string>
  selected: string | null
  /** The keys of steps with errors. */
  faulty: ReadonlySet<string>
  onSelect(key: string | null): void
  onRemove(key: string): void
}

type StepNode = Node<{
  title: string
  summary: string
  isOpen: boolean
  isFaulty: boolean
  onOpen(): void
  onRemove(): void
}>

const NODE_TYPES = { step: StepBox }

/** The graph of an automation. The tab key goes through the steps in order, Enter opens one, Delete removes it. */
export function GraphCanvas({ graph, names, selected, faulty, onSelect, onRemove }: GraphCanvasProps) {
  const colorMode = useComputedColorScheme('light')
  const places = useMemo(() => layoutGraph(graph), [graph])
  const nodes = places.flatMap(({ key, x, y }): StepNode[] => {
    const step = graph.steps.find((each) => each.key === key)
    if (step === undefined) return []
    const data = {
      title: stepWord(step.type),
      summary: summaryOf({ type: step.type, config: step.config as Record<string, unknown> }, names),
      isOpen: key === selected,
      isFaulty: faulty.has(key),
      onOpen: () => onSelect(key),
      onRemove: () => onRemove(key),
    }
    return [{ id: key, type: 'step', position: { x, y }, width: STEP_WIDTH, height: STEP_HEIGHT, data }]
  })
  return (
    <div className="graph-canvas">
      <ReactFlow
        nodes={nodes}
        edges={edgesOf(graph)}
        nodeTypes={NODE_TYPES}
        colorMode={colorMode}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.15 }}
        minZoom={0.2}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        preventScrolling={false}
        zoomOnScroll={false}
        onPaneClick={() => onSelect(null)}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  )
}

function edgesOf({ connections }: EditedGraph): Edge[] {
  return connections.map(({ from, to, type }) => {
    const isOnly = connections.filter((each) => each.from === from).length === 1
    return {
      id: `${from} ${type}`,
      source: from,
      target: to,
      type: 'smoothstep',
      label: outcomeWord(type, isOnly),
      markerEnd: { type: MarkerType.ArrowClosed },
    }
  })
}

function StepBox({ id, data }: NodeProps<StepNode>) {
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Delete' || key === 'Backspace') data.onRemove()
  }
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <button
        type="button"
        className="graph-step nodrag nopan"
        aria-pressed={data.isOpen}
        data-faulty={data.isFaulty || undefined}
        onClick={data.onOpen}
        onKeyDown={onKeyDown}
      >
        <span className="one-line">{data.title}</span>
        <span className="one-line graph-summary">{data.summary === '' ? id : data.summary}</span>
        <VisuallyHidden>
          {data.summary === '' ? '' : `(${id})`}
          {data.isFaulty && ', has errors'}
        </VisuallyHidden>
      </button>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </>
  )
}
