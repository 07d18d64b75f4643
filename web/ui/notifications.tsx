import { Anchor, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { noticeSessionEnd } from '../api/ended-session.ts'
import { describeError } from '../api/errors.ts'

/**
 * Shows a notification that something succeeded. While it is visible, the user can take the action back with `undo`.
 */
export function notifyDone(message: string, undo?: () => void): void {
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

/** Shows a notification with an error, where no form can show it. */
export function notifyError(error: unknown): void {
  // The dialog that asks the user to log in again says it.
  if (noticeSessionEnd(error)) return
  notifications.show({ color: 'red', message: describeError(error), autoClose: 10_000 })
}
