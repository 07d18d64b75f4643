import { invalidField } from '../../lib/api-error.ts'

const LENGTH_MIN = 10
const LENGTH_MAX = 1024

/** The most common leaked passwords of sufficient length, without trailing digits and signs. */
const COMMON = new Set(
  `password passwort motdepasse contrasena contraseña qwerty qwertyuiop qwertyui qwertz qwertzuiop azerty azertyuiop asdfghjkl
   asdfgh zxcvbnm qazwsx qazwsxedc qweasd qweasdzxc zaqxsw admin administrator root login welcome letmein iloveyou monkey
   dragon football baseball superman batman starwars princess sunshine trustno master hello helloworld secret changeme
   default computer internet michael jennifer abc abcd abcde abcdef abcdefg abcdefgh abcdefghi abcdefghij whatever
   passwordpassword passw0rd p@ssw0rd p@ssword pa$$word sendwright test testtest testing temporary summer winter spring
   autumn liverpool charlie shadow ashley bailey`.split(/\s+/),
)

/**
 * Checks the length and rejects the passwords that attackers try first. Further rules do not help (NIST SP 800-63B
 * section 5.1.1.2). Throws ApiError (422).
 */
export function requireGoodPassword(password: string, email: string, field = 'password'): void {
  const length = [...password].length
  if (length < LENGTH_MIN) {
    throw invalidField(field, `The ${field} field must be at least ${LENGTH_MIN} characters.`)
  }
  if (length > LENGTH_MAX) {
    throw invalidField(field, `The ${field} field must not be greater than ${LENGTH_MAX} characters.`)
  }
  if (isCommon(password)) throw invalidField(field, `The ${field} field is one of the most common passwords.`)
  if (isAddress(password, email)) {
    throw invalidField(field, `The ${field} field must differ from the email address.`)
  }
}

/** The stem of a longer word is not looked up: nobody tries those first, and the expression takes quadratic time. */
const STEM_LENGTH_MAX = 200

function isCommon(password: string): boolean {
  const word = password.normalize('NFKC').toLowerCase()
  const stem = word.length > STEM_LENGTH_MAX ? word : word.replace(/^[\d\W_]+|[\d\W_]+$/g, '')
  return new Set(word).size < 3 || COMMON.has(stem) || COMMON.has(word) || isCounting(word)
}

/** Returns whether a word only counts up or down by one, also across 9 and 0: 0123456789, 1234567890123, 9876543210. */
function isCounting(word: string): boolean {
  if (!/^\d+$/.test(word)) return false
  const steps = new Set(
    [...word].slice(1).map((digit, index) => (Number(digit) - Number(word[index]) + 10) % 10),
  )
  return steps.size === 1
}

function isAddress(password: string, email: string): boolean {
  const word = password.toLowerCase()
  return word === email.toLowerCase() || word === email.slice(0, email.lastIndexOf('@')).toLowerCase()
}
