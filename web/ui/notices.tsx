import { Anchor, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { describeError } from '../api/errors.ts'

/** Says that something is done. `undo` takes it back, while the notice stands. */
export function tellDone(message: string, undo?: () => void): void {
  const take = () => {
    notifications.hide(id)
    undo?.()
  }
  const id = notifications.show({
    color: 'sea',
    autoClose: undo === undefined ? 4_000 : 10_000,
    message:
      undo === undefined ? (
        message
      ) : (
        <Group gap="xs">
          {message}
          <Anchor component="button" type="button" size="sm" onClick={take}>
            Undo
          </Anchor>
        </Group>
      ),
  })
}

/** Says why something could not be done, where there is no form to say it in. */
export function tellError(error: unknown): void {
  notifications.show({ color: 'red', message: describeError(error), autoClose: 10_000 })
}
