/** A mail server that others wrote: it takes mail for everybody. */
export interface ReceivingServer {
  name: string
  port: number
  /** What it has taken, in no order, line ends LF alone. */
  messages(): Buffer[]
  stop(): Promise<void>
}
