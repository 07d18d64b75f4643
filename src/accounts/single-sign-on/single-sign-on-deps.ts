import type { AccountDeps } from '../passwords/account-deps.ts'
import type { OidcClient } from './oidc-client.ts'

export interface SingleSignOnDeps extends AccountDeps {
  /** Null: the operator has configured no provider. */
  oidc: OidcClient | null
  secret: Buffer
}
