import { Group, PasswordInput, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { hintsFor } from './password-rules.ts'

type NewPasswordProps = Omit<ComponentProps<typeof PasswordInput>, 'value'> & { value?: string }

/** A field for a new password, with hints on how to improve it. */
export function NewPassword({ label = 'Password', value = '', ...rest }: NewPasswordProps) {
  return (
    <Stack gap="xs">
      <PasswordInput
        label={label}
        value={value}
        autoComplete="new-password"
        required
        withAsterisk={false}
        {...rest}
      />
      <Stack gap="hair" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {hintsFor(value).map(({ text, isMet }) => (
          <Group key={text} component="li" gap="xs" wrap="nowrap" align="flex-start">
            {isMet ? (
              <IconCircleCheck color="var(--mantine-color-anchor)" style={{ flex: 'none' }} aria-hidden />
            ) : (
              <IconCircle color="var(--app-dimmed)" style={{ flex: 'none' }} aria-hidden />
            )}
            <Text size="xs" c={isMet ? 'var(--mantine-color-text)' : 'dimmed'}>
              {text}
              <VisuallyHidden>{isMet ? ' (done)' : ' (not yet)'}</VisuallyHidden>
            </Text>
          </Group>
        ))}
      </Stack>
    </Stack>
  )
}
