import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface DotsMenuProps {
  label: string
  /** Whether it stands among the buttons of a page, not in a row. */
  isFramed?: boolean
  width?: number
  /** Menu.Item. */
  children: ReactNode
}

/** A menu behind three dots. */
export function DotsMenu({ label, isFramed = false, width, children }: DotsMenuProps) {
  return (
    <Menu position="bottom-end" {...(width === undefined ? {} : { width })}>
      <Menu.Target>
        <ActionIcon {...(isFramed ? { variant: 'default', size: 36 } : {})} aria-label={label}>
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
