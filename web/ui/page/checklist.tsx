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
import { texts } from '../texts.ts'

export type CheckState = 'passed' | 'failed' | 'warning' | 'note' | 'running' | 'open'

const LOOKS = {
  passed: { icon: IconCircleCheck, tone: 'green', word: texts.checklist.passed },
  failed: { icon: IconCircleX, tone: 'red', word: texts.checklist.failed },
  warning: { icon: IconAlertTriangle, tone: 'amber', word: texts.checklist.warning },
  note: { icon: IconInfoCircle, tone: 'blue', word: texts.checklist.note },
  open: { icon: IconCircleDashed, tone: 'gray', word: texts.checklist.toDo },
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
        <span className="check-word">{word ?? look?.word ?? texts.checklist.checking}</span>
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
        <dt>{texts.checklist.type}</dt>
        <dd className="code">{type}</dd>
      </div>
      <div>
        <dt>{type === 'PTR' ? texts.checklist.address : texts.checklist.name}</dt>
        <dd>
          <CopyValue text={name} label={texts.checklist.copyTheName} />
        </dd>
      </div>
      <div>
        <dt>{texts.checklist.value}</dt>
        <dd>
          <CopyValue text={value} label={texts.checklist.copyTheValue} />
        </dd>
      </div>
    </dl>
  )
}
