import type { Config } from '../../config/config.ts'
import { ApiError } from '../../lib/api-error.ts'

/** Throws ApiError (403) if passwords are disabled in favor of single sign-on. */
export function requirePasswordLogin({ passwordLogin }: Pick<Config, 'passwordLogin'>): void {
  if (!passwordLogin) throw new ApiError('password_login_off')
}
