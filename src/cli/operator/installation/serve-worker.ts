import { joinSupervisor } from '../../../app/supervisor-link.ts'
import { startTrimming } from '../../../app/trim-memory.ts'
import { labelsOf } from '../../../config/config.ts'
import { exitOnUncaught } from '../../../lib/exit-on-uncaught.ts'
import { createLog, openLogOutput } from '../../../lib/log.ts'
import { reload } from './reload.ts'
import { readSettings } from './settings.ts'

/**
 * Runs one worker until its supervisor or a signal stops it, or the supervisor is gone. Then drains and exits the
 * process.
 * @param drainLimitMs the time after which the drain ends with exit code 1
 */
export async function serveAsWorker(drainLimitMs: number): Promise<void> {
  const supervisor = await joinSupervisor()
  const { number, roles } = supervisor.place
  const config = readSettings()
  const log = createLog(config.logLevel, openLogOutput(), labelsOf(config)).child({ worker: number })
  exitOnUncaught(log)
  const stopped = supervisor.stopped.then((why) => {
    log.info({ why }, 'a worker is stopping after the SMTP sessions in progress')
    setTimeout(() => process.exit(1), drainLimitMs).unref()
  })
  const { startSendwright } = await import('../../../app/start/start-sendwright.ts')
  const service = await startSendwright(config, { roles, log, supervisor })
  startTrimming()
  supervisor.started(service, () => void reload(service, log))
  await stopped
  await service.stop()
  process.exit(0)
}
