import './automations.css'
import type { ReactNode } from 'react'
import { Moment } from '../../ui/moment.tsx'
import { toneOf } from '../../ui/status-badge.tsx'

/** A step that a run took, or would take. */
export interface TrailEntry {
  id: string
  title: string
  /** The key of the step. */
  key: string
  at: string | null
  /** A state of the API, for the colour of its dot. Default: gray. */
  status?: string
  /** The decision and its reason, a line each. */
  texts: readonly ReactNode[]
}

/** Steps in the order of a run, with the time and decision of each. */
export function TrailList({ label, entries }: { label: string; entries: readonly TrailEntry[] }) {
  return (
    <ol className="trail-list" aria-label={label}>
      {entries.map(({ id, title, key, at, status = '', texts }) => (
        <li key={id}>
          <span className="dot" data-tone={toneOf(status)} aria-hidden />
          <div>
            <div className="trail-head">
              <strong>{title}</strong>
              <span className="code dimmed foreign">{key}</span>
              <Moment at={at} hasSeconds />
            </div>
            {texts.map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a step never change their order
              <div key={index} className="foreign">
                {text}
              </div>
            ))}
          </div>
        </li>
      ))}
    </ol>
  )
}
