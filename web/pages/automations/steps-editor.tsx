import { ActionIcon, Button, Group, Menu, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { StepType } from '../../../src/automations/automation-steps.ts'
import { type AutomationDraft, type StepDraft, withMoved, withStep } from './draft.ts'
import { PartFields } from './step-fields.tsx'
import { STEP_WORDS } from './words.ts'
import './automations.css'

interface StepsEditorProps {
  draft: AutomationDraft
  isFixed: boolean
  /** Returns the API's message about the field at this path. */
  errorOf(field: string): string | undefined
  onChange(draft: AutomationDraft): void
}

type Direction = 'earlier' | 'later'

interface Move {
  /** The key of the step. */
  key: number
  direction: Direction
}

/** The steps of an automation, in order. They can be added, moved and removed with the mouse or the keyboard. */
export function StepsEditor({ draft, isFixed, errorOf, onChange }: StepsEditorProps) {
  const list = useRef<HTMLOListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const [lastMove, setLastMove] = useState<Move | null>(null)
  useFocusOnMoved(list, lastMove)
  const move = (index: number, direction: Direction) => {
    const step = draft.steps[index]
    if (step === undefined) return
    const by = direction === 'earlier' ? -1 : 1
    onChange(withMoved(draft, index, by))
    setLastMove({ key: step.key, direction })
    setAnnouncement(`${labelOf(step)} is now step ${index + 1 + by}.`)
  }
  const replaceStep = (key: number, next: StepDraft | null) =>
    onChange({ ...draft, steps: draft.steps.flatMap((step) => (step.key === key ? (next ?? []) : step)) })
  return (
    <>
      {draft.steps.length === 0 && (
        <Text size="sm" c="dimmed" mb="sm">
          No steps yet.
        </Text>
      )}
      <ol className="steps" ref={list}>
        {draft.steps.map((step, index) => (
          <li key={step.key} data-step={step.key} className="step">
            <Group justify="space-between" wrap="nowrap" mb="xs">
              <Text size="sm" fw={600}>
                {index + 1}. {labelOf(step)}
              </Text>
              {!isFixed && (
                <StepButtons
                  number={index + 1}
                  isFirst={index === 0}
                  isLast={index === draft.steps.length - 1}
                  onMove={(direction) => move(index, direction)}
                  onRemove={() => {
                    replaceStep(step.key, null)
                    setAnnouncement(`Step ${index + 1} removed.`)
                  }}
                />
              )}
            </Group>
            <PartFields
              part={step}
              isFixed={isFixed}
              errorOf={(field) => errorOf(`steps.${index}.${field}`)}
              onChange={(part) => replaceStep(step.key, { ...part, key: step.key })}
            />
          </li>
        ))}
      </ol>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      {!isFixed && <AddStep count={draft.steps.length} onAdd={(type) => onChange(withStep(draft, type))} />}
    </>
  )
}

/** Keeps the focus on the step that was moved: on the same button, or on the other when that one is now disabled. */
function useFocusOnMoved(list: RefObject<HTMLOListElement | null>, move: Move | null): void {
  useEffect(() => {
    if (move === null) return
    const item = list.current?.querySelector(`[data-step="${move.key}"]`)
    const button = item?.querySelector<HTMLButtonElement>(`[data-move="${move.direction}"]:not(:disabled)`)
    ;(button ?? item?.querySelector<HTMLButtonElement>('[data-move]:not(:disabled)'))?.focus()
  }, [list, move])
}

const labelOf = ({ type }: StepDraft) => STEP_WORDS[type as StepType] ?? type

interface StepButtonsProps {
  number: number
  isFirst: boolean
  isLast: boolean
  onMove(direction: Direction): void
  onRemove(): void
}

function StepButtons({ number, isFirst, isLast, onMove, onRemove }: StepButtonsProps) {
  return (
    <Group gap="hair" wrap="nowrap">
      <Tooltip label="Earlier">
        <ActionIcon
          data-move="earlier"
          aria-label={`Move step ${number} earlier`}
          disabled={isFirst}
          onClick={() => onMove('earlier')}
        >
          <IconArrowUp />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Later">
        <ActionIcon
          data-move="later"
          aria-label={`Move step ${number} later`}
          disabled={isLast}
          onClick={() => onMove('later')}
        >
          <IconArrowDown />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Remove">
        <ActionIcon aria-label={`Remove step ${number}`} onClick={onRemove}>
          <IconTrash />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}

interface AddStepProps {
  /** The number of steps. */
  count: number
  onAdd(type: StepType): void
}

function AddStep({ count, onAdd }: AddStepProps) {
  const button = useRef<HTMLButtonElement>(null)
  const before = useRef(count)
  // A new step pushes the button down. Scrolls until both are visible.
  useEffect(() => {
    if (count > before.current) button.current?.scrollIntoView({ block: 'nearest' })
    before.current = count
  }, [count])
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button ref={button} variant="default" className="add-step" leftSection={<IconPlus />}>
          Add step
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(STEP_WORDS).map(([type, label]) => (
          <Menu.Item key={type} onClick={() => onAdd(type as StepType)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
