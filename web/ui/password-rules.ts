/** As the API has it (src/accounts/passwords/password-rules.ts); it judges more, and finally. */
export const PASSWORD_LENGTH_MIN = 10

export interface Hint {
  text: string
  isMet: boolean
}

const GOOD_LENGTH = 14
const KINDS = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u]
const KINDS_GOOD = 3
const DIFFERENT_MIN = 6

/** What would make a password better, in the order in which it counts. */
export function hintsFor(password: string): Hint[] {
  const characters = [...password]
  const kinds = KINDS.filter((kind) => kind.test(password)).length
  return [
    { text: `At least ${PASSWORD_LENGTH_MIN} characters`, isMet: characters.length >= PASSWORD_LENGTH_MIN },
    {
      text: `Harder to guess: ${GOOD_LENGTH} characters or more, or letters, digits and signs mixed`,
      isMet:
        characters.length >= PASSWORD_LENGTH_MIN &&
        (characters.length >= GOOD_LENGTH || kinds >= KINDS_GOOD) &&
        new Set(characters).size >= DIFFERENT_MIN,
    },
  ]
}
