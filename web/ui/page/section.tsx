import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { WidgetBoundary } from './widget-boundary.tsx'

interface SectionProps {
  title?: string | undefined
  description?: ReactNode
  actions?: ReactNode
  /** Whether the content has a border and no padding, as tables do. */
  isFlush?: boolean
  children: ReactNode
}

/** A part of a page. It begins with a hairline. An error in it does not affect the rest of the page. */
export function Section({ title, description, actions, isFlush = false, children }: SectionProps) {
  return (
    <section className="section" data-ruled={(title !== undefined && !isFlush) || undefined}>
      {title !== undefined && (
        <div className="section-head">
          <div>
            <Title order={2}>{title}</Title>
            {description !== undefined && <div className="section-note">{description}</div>}
          </div>
          {actions !== undefined && <div className="actions">{actions}</div>}
        </div>
      )}
      <div className={isFlush ? 'section-box' : undefined}>
        <WidgetBoundary>{children}</WidgetBoundary>
      </div>
    </section>
  )
}
