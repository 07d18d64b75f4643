import { serverAway } from '../api/connection.ts'

/** Says that the page may be out of date while the server is away. */
export function Reconnecting() {
  const isAway = serverAway.use()
  return (
    <div role="status" className="reconnecting" data-tone="amber" hidden={!isAway}>
      {isAway && (
        <>
          <span className="dot" aria-hidden />
          Reconnecting…
        </>
      )}
    </div>
  )
}
