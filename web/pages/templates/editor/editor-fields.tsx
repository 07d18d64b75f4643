import { ActionIcon, Menu, Select, SimpleGrid, TextInput } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { useRef } from 'react'
import type { Sender } from '../../../api/records.ts'
import { useAll } from '../../../api/whole-lists.ts'
import { lookOf } from '../../../ui/forms/read-only.ts'
import { Section } from '../../../ui/page/section.tsx'
import { usedKeys } from '../checks/variables.ts'
import type { Draft } from '../draft/draft.ts'
import type { FieldErrors } from '../draft/field-errors.ts'

export interface PartProps {
  draft: Draft
  edit(changes: Partial<Draft>): void
  errors: FieldErrors
  isReadOnly: boolean
}

/** The name, alias, subject and addresses of the template. */
export function EditorFields({ sender, ...part }: PartProps & { sender: Sender }) {
  const { draft, edit, errors, isReadOnly } = part
  const { data: senders = [] } = useAll<Sender>('/senders')
  // The current sender may not be loaded yet.
  const choices = [...new Map([sender, ...senders].map((each) => [each.id, each])).values()]
  return (
    <Section>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm" verticalSpacing="sm">
        <TextInput
          label="Name"
          required
          maxLength={255}
          value={draft.name}
          error={errors.name}
          onChange={({ currentTarget: { value } }) => edit({ name: value })}
          {...lookOf(isReadOnly)}
        />
        <Select
          label="Sender"
          required
          allowDeselect={false}
          searchable={choices.length > 8}
          value={draft.senderId}
          error={errors.sender_id}
          data={choices.map(({ id, name, email }) => ({ value: id, label: `${name} <${email}>` }))}
          onChange={(id) => id !== null && edit({ senderId: id })}
          {...lookOf(isReadOnly)}
        />
        <TextInput
          label="Reply to"
          placeholder={choices.find(({ id }) => id === draft.senderId)?.reply_to ?? ''}
          maxLength={255}
          value={draft.replyTo}
          error={errors.reply_to}
          onChange={({ currentTarget: { value } }) => edit({ replyTo: value })}
          {...lookOf(isReadOnly)}
        />
        <TextInput
          label="Alias"
          placeholder="A name to use instead of the ID in requests"
          maxLength={255}
          value={draft.alias}
          error={errors.alias}
          onChange={({ currentTarget: { value } }) => edit({ alias: value })}
          {...lookOf(isReadOnly)}
        />
      </SimpleGrid>
      <SubjectField {...part} />
    </Section>
  )
}

function SubjectField({ draft, edit, errors, isReadOnly }: PartProps) {
  const input = useRef<HTMLInputElement>(null)
  const keys = [...new Set([...draft.variables.map(({ key }) => key), ...usedKeys(draft)])].filter(
    (key) => key !== '',
  )
  const insert = (key: string) => {
    const { selectionStart: from, selectionEnd: to } = input.current ?? {}
    const [before, after] = [
      draft.subject.slice(0, from ?? undefined),
      draft.subject.slice(to ?? draft.subject.length),
    ]
    edit({ subject: `${before}{{${key}}}${after}` })
  }
  return (
    <TextInput
      ref={input}
      id="template-subject"
      label="Subject"
      required
      mt="sm"
      maxLength={255}
      value={draft.subject}
      error={errors.subject}
      onChange={({ currentTarget: { value } }) => edit({ subject: value })}
      rightSection={
        keys.length > 0 && (
          <Menu position="bottom-end" returnFocus={false}>
            <Menu.Target>
              <ActionIcon aria-label="Insert variable into subject">
                <IconBraces />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown mah={280} style={{ overflowY: 'auto' }}>
              {keys.map((key) => (
                <Menu.Item key={key} onClick={() => insert(key)} className="code">
                  {key}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )
      }
      {...lookOf(isReadOnly)}
    />
  )
}
