/** The installation cannot run: one sentence for the operator, exit code 1, no stack trace. */
export class CannotStart extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CannotStart'
  }
}
