import { Skeleton, Stack } from '@mantine/core'
import type { Contact } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import { Fact } from '../../ui/facts.tsx'
import { fullName } from '../../ui/full-name.ts'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'

/** The essential facts of one contact, beside the list. */
export function ContactPanel({ id }: { id: string }) {
  const { data, error, refetch } = useGet<Contact>(`/contacts/${id}`)
  if (data === undefined)
    return error === null ? (
      <Skeleton height={240} aria-busy />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    )
  const name = fullName(data)
  return (
    <Stack gap="md">
      <Stack component="dl" gap="sm" m={0}>
        {name !== '' && (
          <Fact label="Name">
            <span className="foreign">{name}</span>
          </Fact>
        )}
        {data.lists.length > 0 && (
          <Fact label="Lists">
            <span className="foreign">{data.lists.map((list) => list.name).join(', ')}</span>
          </Fact>
        )}
        <Fact label="Added">
          <Moment at={data.created_at} />
        </Fact>
      </Stack>
    </Stack>
  )
}
