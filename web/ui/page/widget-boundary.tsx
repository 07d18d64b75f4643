import { Component, type ReactNode } from 'react'
import { ErrorNote } from './error-note.tsx'
import { isStale } from './stale.ts'

interface WidgetState {
  error: unknown
}

/**
 * Shows an error in place of the part of a page that failed to render, so that the other parts stay. An error of an
 * upgrade concerns the whole page, which offers to reload (app/router.tsx).
 */
export class WidgetBoundary extends Component<{ children: ReactNode }, WidgetState> {
  override state: WidgetState = { error: null }

  static getDerivedStateFromError(error: unknown): WidgetState {
    return { error: error ?? new Error('This part of the page could not be shown.') }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    if (isStale(error)) throw error
    return <ErrorNote error={error} onRetry={() => this.setState({ error: null })} />
  }
}
