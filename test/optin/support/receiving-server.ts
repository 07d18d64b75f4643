/** A third-party mail server that accepts mail for everyone. */
export interface ReceivingServer {
  name: string
  port: number
  /** Returns the accepted messages, unordered, with LF line endings. */
  messages(): Buffer[]
  stop(): Promise<void>
}
