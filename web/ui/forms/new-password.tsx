import { Group, PasswordInput, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import type { ComponentProps } from 'react'

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

/** Same as in the API (src/accounts/passwords/password-rules.ts), which checks more and decides. */
const PASSWORD_LENGTH_MIN = 10

interface Hint {
  text: string
  isMet: boolean
}

const GOOD_LENGTH = 14
const KINDS = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u]
const KINDS_GOOD = 3
const DIFFERENT_MIN = 6

/** Returns the hints for a better password, the most important first. */
function hintsFor(password: string): Hint[] {
  const characters = [...password]
  const kinds = KINDS.filter((kind) => kind.test(password)).length
  return [
    {
      text: `At least ${PASSWORD_LENGTH_MIN} characters`,
      isMet: characters.length >= PASSWORD_LENGTH_MIN,
    },
    {
      text: `Stronger: ${GOOD_LENGTH} characters or more, or a mix of letters, digits and symbols`,
      isMet:
        characters.length >= PASSWORD_LENGTH_MIN &&
        (characters.length >= GOOD_LENGTH || kinds >= KINDS_GOOD) &&
        new Set(characters).size >= DIFFERENT_MIN,
    },
  ]
}
