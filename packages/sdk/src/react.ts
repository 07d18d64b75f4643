import { render } from '@react-email/render'
import { Sendwright as Client } from './client.ts'
import type { ClientOptions } from './transport.ts'

/** A client whose emails take `react`, rendered by `@react-email/render`. */
export class Sendwright extends Client {
  constructor(options: ClientOptions = {}) {
    super({ render: (component) => render(component as Parameters<typeof render>[0]), ...options })
  }
}
