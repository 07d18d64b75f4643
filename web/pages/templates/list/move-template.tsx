import { Button, Group, Modal, Select } from '@mantine/core'
import { useState } from 'react'
import type { TemplateFolder, TemplateSummary } from '../../../api/records.ts'
import { useMay } from '../../../api/team.ts'
import { useDialog } from '../../../ui/forms/dialog.ts'
import { useTemplateActions } from './template-actions.ts'

interface MoveProps {
  folders: readonly TemplateFolder[]
  templates: readonly TemplateSummary[]
}

/** Moves a template to another folder, or to none (`?move=<id>`). */
export function MoveTemplate({ folders, templates }: MoveProps) {
  const { value, isOpen, close } = useDialog('move', useMay().change('Templates'))
  const template = templates.find(({ id }) => id === value)
  return (
    <Modal opened={isOpen && template !== undefined} onClose={close} title="Move to folder">
      {template !== undefined && (
        <Form key={template.id} template={template} folders={folders} onClose={close} />
      )}
    </Modal>
  )
}

interface FormProps {
  template: TemplateSummary
  folders: readonly TemplateFolder[]
  onClose(): void
}

const NONE = 'none'

function Form({ template, folders, onClose }: FormProps) {
  const [folder, setFolder] = useState(template.folder_id ?? NONE)
  const { move } = useTemplateActions(template)
  const submit = () => {
    if (folder !== (template.folder_id ?? NONE)) void move(folder === NONE ? null : folder)
    onClose()
  }
  return (
    <>
      <Select
        label="Folder"
        data-autofocus
        allowDeselect={false}
        searchable
        value={folder}
        onChange={(value) => setFolder(value ?? NONE)}
        data={[
          { value: NONE, label: 'No folder' },
          ...folders.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={submit}>Move</Button>
      </Group>
    </>
  )
}
