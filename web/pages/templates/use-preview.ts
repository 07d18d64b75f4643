import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { TemplatePreview } from '../../api/records.ts'
import { ask } from '../../api/request.ts'
import { useTeam } from '../../api/team.ts'

const TYPING_MS = 350

export interface Preview {
  /** The last content that could be rendered; null until the first. */
  answer: TemplatePreview | null
  /** Why what is there now cannot be. */
  error: unknown
  isStale: boolean
}

/** What the server makes of content that is not saved, a moment after the last key. Kept nowhere. */
export function usePreview(templateId: string, body: object): Preview {
  const { id: teamId } = useTeam()
  const wanted = JSON.stringify(body)
  const [stamp] = useDebouncedValue(wanted, TYPING_MS)
  const [shown, setShown] = useState<{ stamp: string } & Omit<Preview, 'isStale'>>({
    stamp: '',
    answer: null,
    error: null,
  })
  useEffect(() => {
    const stop = new AbortController()
    const given = { method: 'POST', body: JSON.parse(stamp), teamId, signal: stop.signal } as const
    ask<TemplatePreview>(`/templates/${templateId}/preview`, given).then(
      (answer) => setShown({ stamp, answer, error: null }),
      (error: unknown) => {
        if (!stop.signal.aborted) setShown((before) => ({ ...before, stamp, error }))
      },
    )
    return () => stop.abort()
  }, [stamp, templateId, teamId])
  return { answer: shown.answer, error: shown.error, isStale: shown.stamp !== wanted }
}
