import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { TemplatePreview } from '../../../api/records.ts'
import { requestJson } from '../../../api/request.ts'
import { useTeam } from '../../../api/team.ts'

const TYPING_MS = 350

export interface Preview {
  /** The last successful preview; null before the first. */
  answer: TemplatePreview | null
  /** Why the current content cannot be rendered. */
  error: unknown
  isStale: boolean
}

/** Renders unsaved content on the server, after the user pauses. The server stores nothing. */
export function usePreview(templateId: string, body: object): Preview {
  const { id: teamId } = useTeam()
  const latest = JSON.stringify(body)
  const [stamp] = useDebouncedValue(latest, TYPING_MS)
  const [preview, setPreview] = useState<{ stamp: string } & Omit<Preview, 'isStale'>>({
    stamp: '',
    answer: null,
    error: null,
  })
  useEffect(() => {
    const stop = new AbortController()
    const options = { method: 'POST', body: JSON.parse(stamp), teamId, signal: stop.signal } as const
    requestJson<TemplatePreview>(`/templates/${templateId}/preview`, options).then(
      (answer) => setPreview({ stamp, answer, error: null }),
      (error: unknown) => {
        if (!stop.signal.aborted) setPreview((before) => ({ ...before, stamp, error }))
      },
    )
    return () => stop.abort()
  }, [stamp, templateId, teamId])
  return { answer: preview.answer, error: preview.error, isStale: preview.stamp !== latest }
}
