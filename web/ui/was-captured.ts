/** The host name that capture mode gives as the receiving server. */
const CAPTURE_HOST = 'capture'

/** Returns whether capture mode stored the mail: the API calls it `delivered`, but nobody received it. */
export const wasCaptured = (status: string, host: string | null): boolean =>
  status === 'delivered' && host === CAPTURE_HOST
