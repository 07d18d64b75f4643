import {
  ActionIcon,
  Button,
  Divider,
  Group,
  Popover,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { IconBookmark, IconLink, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { pathWith } from '../../api/request.ts'
import { copyText } from '../clipboard.ts'
import { notifyDone, notifyError } from '../notifications.tsx'
import type { ListView } from './list-view.ts'

const NAME_CHARS_MAX = 60

/** Saved views: opens, saves, removes and shares them. */
export function ViewsMenu<T>({ view }: { view: ListView<T> }) {
  const { current, whole } = view
  const [isOpen, setOpen] = useState(false)
  const copy = () => {
    const link = window.location.origin + pathWith(window.location.pathname, whole())
    void copyText(link).then(() => notifyDone('Link copied.'), notifyError)
    setOpen(false)
  }
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      shadow="md"
      width={280}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="subtle"
          leftSection={<IconBookmark />}
          onClick={() => setOpen(!isOpen)}
          className="views-button"
        >
          {current?.name ?? 'Views'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved views">
        <SavedViews view={view} onOpen={() => setOpen(false)} />
        <Divider my="xs" />
        <SaveForm view={view} />
        <Button variant="subtle" fullWidth justify="flex-start" leftSection={<IconLink />} onClick={copy}>
          Copy link to this view
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}

function SavedViews<T>({ view, onOpen }: { view: ListView<T>; onOpen: () => void }) {
  const { saved, current, open, remove } = view
  if (saved.length === 0)
    return (
      <Text size="xs" c="dimmed">
        No saved views. Save the current filters, columns and order under a name.
      </Text>
    )
  return (
    <ul className="views">
      {saved.map((each) => (
        <li key={each.name} data-current={each === current || undefined}>
          <UnstyledButton
            className="one-line"
            aria-current={each === current ? 'true' : undefined}
            onClick={() => {
              open(each)
              onOpen()
            }}
          >
            {each.name}
          </UnstyledButton>
          <ActionIcon size="sm" aria-label={`Remove view ${each.name}`} onClick={() => remove(each.name)}>
            <IconX />
          </ActionIcon>
        </li>
      ))}
    </ul>
  )
}

function SaveForm<T>({ view: { save } }: { view: ListView<T> }) {
  const [name, setName] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() === '') return
        save(name.trim())
        setName('')
      }}
    >
      <Stack gap="xs" mb="xs">
        <Group gap="xs" wrap="nowrap">
          <TextInput
            aria-label="Name of the view"
            placeholder="Name of the view"
            maxLength={NAME_CHARS_MAX}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            flex={1}
          />
          <Button type="submit" variant="default" disabled={name.trim() === ''}>
            Save view
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
