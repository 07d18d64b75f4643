import { Alert, List } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiError } from '../../../api/errors.ts'
import type { Automation } from '../../../api/records.ts'
import { ErrorNote } from '../../../ui/page/error-note.tsx'
import { describeProblem } from '../graph/describe-problem.ts'

interface ProblemListProps extends Pick<Automation, 'steps' | 'connections'> {
  /** Nothing is shown if this is null. */
  error: Error | null
}

/** The errors of the API about a graph, each with the step that it is about. */
export function ProblemList({ error, ...graph }: ProblemListProps) {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : []
  if (fields.length === 0) return <ErrorNote error={error} />
  return (
    <Alert color="red" icon={<IconAlertTriangle />} role="alert" title="Fix this first" mb="md">
      <List size="sm">
        {fields.map(([path, messages]) => (
          <List.Item key={path}>
            <span className="foreign">{describeProblem(path, messages.join(' '), graph)}</span>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
