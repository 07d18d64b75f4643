import { Moment } from '../../ui/moment.tsx'
import { showDuration } from '../../ui/times.ts'
import type { Stage } from './stages.ts'

/** The way of an email to one recipient, from left to right, with the time between its stages. */
export function Track({ stages }: { stages: readonly Stage[] }) {
  return (
    <ol className="track" aria-label="Progress">
      {stages.map(({ label, tone, at, sinceMs, isReached }, index) => (
        <li key={String(index)} data-tone={tone} data-ahead={!isReached || undefined}>
          {index > 0 && (
            <span className="track-line">
              <span>{sinceMs === null ? '' : showGap(sinceMs)}</span>
            </span>
          )}
          <span className="track-stage">
            <span className="dot" aria-hidden />
            <span>{label}</span>
            <span className="track-time">
              <Moment at={at} isRelative={!isReached} hasSeconds none="" />
            </span>
          </span>
        </li>
      ))}
    </ol>
  )
}

/** The API's times are in whole seconds. */
const showGap = (ms: number): string => (ms < 1_000 ? '< 1 s' : showDuration(ms))
