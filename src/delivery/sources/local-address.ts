import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'

/**
 * Resolves to whether connections can leave from this address. Binding to it is the only reliable test: the interface
 * list contains neither 127.0.0.2 nor networks routed to this machine as a whole.
 */
export function isLocalAddress(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
    const answer = (isLocal: boolean) => {
      socket.removeAllListeners()
      socket.close()
      resolve(isLocal)
    }
    socket.once('error', () => answer(false))
    socket.once('listening', () => answer(true))
    socket.bind({ address, port: 0, exclusive: true })
  })
}
