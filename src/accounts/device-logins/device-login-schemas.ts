import Type from 'typebox'
import { Text, Timestamp } from '../../http/route/schemas.ts'
import { KeyChanges } from '../../keys/api-key-schemas.ts'
import { networkOf } from '../../lib/net/network-of.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { KnownLogin } from './device-logins.ts'
import { formatUserCode } from './user-codes.ts'

const USER_CODE = 'BCDF-GHJK'

export const NewDeviceLogin = Type.Object(
  {
    client_name: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Shown to the person, for example the name of the machine.',
    }),
  },
  { examples: [{ client_name: 'laptop' }] },
)

export const StartedDeviceLogin = Type.Object(
  {
    object: Type.Literal('device_login'),
    device_code: Text('Secret of the program. Confirmed, it is the API key.'),
    user_code: Text('Code that the person compares.'),
    verification_uri: Text('Page on which the person enters the code.'),
    verification_uri_complete: Text('The same page with the code.'),
    expires_in: Type.Integer({ description: 'Seconds until the login expires.' }),
    interval: Type.Integer({ description: 'Seconds to wait between two polls.' }),
  },
  {
    title: 'StartedDeviceLogin',
    examples: [
      {
        object: 'device_login',
        device_code: 'sw_4Kd9wQ2mZ7xT1cV5bN8rL3pJ6hG0fDsAyEuI2oKw',
        user_code: USER_CODE,
        verification_uri: 'https://mail.example.com/app/device',
        verification_uri_complete: `https://mail.example.com/app/device#code=${USER_CODE}`,
        expires_in: 600,
        interval: 2,
      },
    ],
  },
)

export const DeviceCode = Type.Object(
  { device_code: Type.String({ maxLength: 200, description: '`device_code` of the login.' }) },
  { examples: [{ device_code: 'sw_4Kd9wQ2mZ7xT1cV5bN8rL3pJ6hG0fDsAyEuI2oKw' }] },
)

const userCode = {
  user_code: Type.String({ maxLength: 50, description: 'The code that the program shows.' }),
}
export const UserCode = Type.Object(userCode, {
  title: 'UserCode',
  examples: [{ user_code: USER_CODE }],
})
export const ApprovedLogin = Type.Object(
  { ...userCode, ...KeyChanges.properties },
  { examples: [{ user_code: USER_CODE, name: 'Command line on laptop', permission: 'full' }] },
)

export const DeviceLoginRecord = Type.Object(
  {
    object: Type.Literal('device_login'),
    user_code: Text('The code, with its hyphen.'),
    client_name: Text('The name that the program gives itself.'),
    ip_address: Text('IP address of the program.'),
    is_own_network: Type.Boolean({
      description: 'Whether the person has the same IP address (IPv6: the same /64).',
    }),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  {
    title: 'DeviceLogin',
    examples: [
      {
        object: 'device_login',
        user_code: USER_CODE,
        client_name: 'laptop',
        ip_address: '192.0.2.7',
        is_own_network: true,
        created_at: '2026-01-15 09:30:00',
        expires_at: '2026-01-15 09:40:00',
      },
    ],
  },
)

/** @param viewerAddress the IP address of the person */
export function deviceLoginToJson(
  { userCode, clientName, ipAddress, createdAt, expiresAt }: KnownLogin,
  viewerAddress: string,
) {
  return {
    object: 'device_login',
    user_code: formatUserCode(userCode),
    client_name: clientName,
    ip_address: ipAddress,
    is_own_network: networkOf(ipAddress) === networkOf(viewerAddress),
    created_at: formatTime(createdAt),
    expires_at: formatTime(expiresAt),
  }
}
