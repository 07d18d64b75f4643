/** The installation is not in a state to run in: one sentence for the operator, exit code 1, no stack. */
export class CannotStart extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CannotStart'
  }
}
