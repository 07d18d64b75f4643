import { Alert, Anchor } from '@mantine/core'
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react'
import { Outlet, useRouteContext, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useLive } from '../api/live.ts'
import type { Webhook } from '../api/records.ts'
import { useSession } from '../api/session.ts'
import { TeamContext, useMay, useTeam } from '../api/team.ts'
import { useAll } from '../api/whole-lists.ts'
import { Link } from '../ui/link.tsx'
import { rememberTeam } from './last-team.ts'
import { placesOf, tabAt } from './places.ts'

/** The frame of all pages of a team: its context, warnings, and live updates. */
export function TeamFrame() {
  const { team: routed } = useRouteContext({ from: '/inside/$teamId' })
  const { teams } = useSession()
  const team = teams.find(({ id }) => id === routed.id) ?? routed
  useLive(team.id)
  useEffect(() => rememberTeam(team.id), [team.id])
  return (
    <TeamContext value={team} key={team.id}>
      <div className="content">
        <Banners />
      </div>
      <PlaceTabs />
      <Outlet />
    </TeamContext>
  )
}

/** The tabs of the current place, if it has several. Pages of single records have breadcrumbs instead. */
function PlaceTabs() {
  const session = useSession()
  const team = useTeam()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const base = `/${team.id}`
  const place = placesOf(session, team).find((each) => tabAt(each, base, path) !== null)
  if (place === undefined || place.tabs.length < 2) return null
  if (!place.tabs.some((tab) => path === `${base}/${tab.path}`)) return null
  return (
    <nav className="subnav" aria-label={place.label}>
      {place.tabs.map((tab) => {
        const to = `${base}/${tab.path}`
        return (
          <Link key={tab.path} to={to} aria-current={path === to ? 'page' : undefined}>
            {tab.label}
          </Link>
        )
      })}
    </nav>
  )
}

/** Warnings that concern every page of the team, such as paused sending. */
function Banners() {
  const team = useTeam()
  const may = useMay()
  const webhooks = useAll<Webhook>('/webhooks', { enabled: may.read('Webhooks') })
  const disabled =
    webhooks.data?.filter(
      ({ status, disabled_reason }) => status === 'disabled' && disabled_reason !== null,
    ) ?? []
  return (
    <>
      {team.sending_paused_at !== null && (
        <Alert color="orange" icon={<IconPlayerPause />} title="Sending is paused" mb="md">
          <span className="foreign">{team.sending_paused_reason ?? 'No reason was given.'}</span>{' '}
          {team.sending_paused_by === 'operator'
            ? 'An operator of this installation paused it.'
            : 'Sendwright paused it automatically to protect the reputation of this installation.'}{' '}
          New emails are rejected. Emails accepted before the pause are still delivered. An operator can
          resume sending.
        </Alert>
      )}
      {disabled.length > 0 && (
        <Alert color="red" icon={<IconAlertTriangle />} title="A webhook endpoint is disabled" mb="md">
          {disabled.map(({ id, url, disabled_reason }) => (
            <div key={id}>
              <Anchor component={Link} to={`/${team.id}/webhooks/${id}`} size="sm">
                <span className="foreign">{url}</span>
              </Anchor>
              : <span className="foreign">{disabled_reason}</span>
            </div>
          ))}
        </Alert>
      )}
    </>
  )
}
