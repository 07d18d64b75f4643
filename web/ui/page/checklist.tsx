import './checklist.css'
import { Loader, VisuallyHidden } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconInfoCircle,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyValue } from '../copy.tsx'

export type CheckState = 'passed' | 'failed' | 'warning' | 'note' | 'running' | 'open'

const LOOKS = {
  passed: { icon: IconCircleCheck, tone: 'green', word: 'Passed' },
  failed: { icon: IconCircleX, tone: 'red', word: 'Failed' },
  warning: { icon: IconAlertTriangle, tone: 'amber', word: 'Warning' },
  note: { icon: IconInfoCircle, tone: 'blue', word: 'Note' },
  open: { icon: IconCircleDashed, tone: 'gray', word: 'To do' },
} as const

/** Checks with their states. */
export function Checklist({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="checks" aria-label={label}>
      {children}
    </ul>
  )
}

interface CheckProps {
  state: CheckState
  title: string
  /** Replaces the word of the state. */
  word?: string | undefined
  /** The result, and what to do. */
  children?: ReactNode
}

/** One check. Its state is an icon and a word. */
export function Check({ state, title, word, children }: CheckProps) {
  const look = state === 'running' ? null : LOOKS[state]
  return (
    <li data-state={state} data-tone={look?.tone}>
      <span className="check-state" aria-hidden>
        {look === null ? <Loader size={14} /> : <look.icon />}
      </span>
      <span className="check-head">
        <span className="check-name">
          {title}
          <VisuallyHidden>: </VisuallyHidden>
        </span>
        <span className="check-word">{word ?? look?.word ?? 'Checking…'}</span>
      </span>
      {children !== undefined && <div className="check-body">{children}</div>}
    </li>
  )
}

/** A dot that pulses until something arrives. Screen readers hear each change of the text. */
export function Waiting({ children }: { children: ReactNode }) {
  return (
    <span className="waiting" role="status">
      <span className="dot" aria-hidden />
      {children}
    </span>
  )
}

interface RecordLineProps {
  type: string
  name: string
  value: string
}

/** A DNS record to publish, with a button to copy each part. */
export function RecordLine({ type, name, value }: RecordLineProps) {
  return (
    <dl className="advised">
      <div>
        <dt>Type</dt>
        <dd className="code">{type}</dd>
      </div>
      <div>
        <dt>{type === 'PTR' ? 'Address' : 'Name'}</dt>
        <dd>
          <CopyValue text={name} label="Copy the name" />
        </dd>
      </div>
      <div>
        <dt>Value</dt>
        <dd>
          <CopyValue text={value} label="Copy the value" />
        </dd>
      </div>
    </dl>
  )
}
