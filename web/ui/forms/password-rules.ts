/** Same as in the API (src/accounts/passwords/password-rules.ts), which checks more and decides. */
export const PASSWORD_LENGTH_MIN = 10

export interface Hint {
  text: string
  isMet: boolean
}

const GOOD_LENGTH = 14
const KINDS = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u]
const KINDS_GOOD = 3
const DIFFERENT_MIN = 6

/** Returns the hints for a better password, the most important first. */
export function hintsFor(password: string): Hint[] {
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
