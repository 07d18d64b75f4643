import { Outlet, useRouteContext } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useLive } from '../api/live.ts'
import { useSession } from '../api/session.ts'
import { TeamContext } from '../api/team.ts'
import { Banners } from './banners.tsx'
import { rememberTeam } from './last-team.ts'
import { PlaceTabs } from './place-tabs.tsx'

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
