import { Modal, Radio, ScrollArea, Stack, TextInput } from '@mantine/core'
import type { Automation } from '../../api/records.ts'
import type { Dialog } from '../../ui/forms/dialog.ts'
import { DialogForm, useDialogForm } from '../../ui/forms/dialog-form.tsx'
import { RECIPES } from './graph/recipes.ts'

interface CreateAutomationProps {
  dialog: Dialog
  onDone(automation: Automation): void
}

const EMPTY = ''
const TALLEST = 320

/** Creates an automation (`?new=true`), empty or from a recipe. */
export function CreateAutomation({ dialog: { isOpen, close }, onDone }: CreateAutomationProps) {
  return (
    <Modal opened={isOpen} onClose={close} title="Create automation">
      <Fields onDone={onDone} onClose={close} />
    </Modal>
  )
}

function Fields({ onDone, onClose }: Pick<CreateAutomationProps, 'onDone'> & { onClose(): void }) {
  const { form, frame } = useDialogForm<{ name: string; recipe: string }, Automation>({
    initialValues: { name: '', recipe: EMPTY },
    requestOf({ name, recipe }) {
      const { steps, connections, settings } = RECIPES.find((each) => each.name === recipe) ?? {}
      const given = name.trim() === '' ? recipe : name
      return { path: '/automations', method: 'POST', body: { name: given, steps, connections, settings } }
    },
    onDone,
    onClose,
  })
  return (
    <DialogForm {...frame} action="Create">
      <TextInput
        label="Name"
        required={form.values.recipe === EMPTY}
        placeholder={form.values.recipe}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Radio.Group label="Start from" {...form.getInputProps('recipe')}>
        <ScrollArea.Autosize mah={TALLEST} type="auto" offsetScrollbars>
          <Stack gap="sm" mt="xs">
            <Radio value={EMPTY} label="Empty automation" />
            {RECIPES.map(({ name, purpose }) => (
              <Radio key={name} value={name} label={name} description={purpose} />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Radio.Group>
    </DialogForm>
  )
}
