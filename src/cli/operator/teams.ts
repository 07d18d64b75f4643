import { Command } from 'commander'
import type { PlanName } from '../../access/plans.ts'
import { ApiError } from '../../lib/api-error.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { createTeam, pauseTeam, resumeTeam, setPlan } from '../../teams/teams.ts'
import { findTeam, listTeams, type Team } from '../../teams/teams-queries.ts'
import { createOutput } from '../developer/output.ts'
import { readId, readName, readPlan, readReason } from './installation/arguments.ts'
import { asOperator, type Installation, withInstallation } from './installation/installation.ts'
import { readAll } from './installation/read-all.ts'
import { teamKeepCommand } from './people/team-keep.ts'

const COLUMNS = ['id', 'name', 'plan', 'sending_paused_at', 'paused_by', 'paused_reason', 'created_at']

function teamToJson(team: Team) {
  return {
    object: 'team',
    id: team.id,
    name: team.name,
    plan: team.plan,
    sending_paused_at: formatTime(team.sendingPausedAt),
    paused_by: team.sendingPausedBy,
    paused_reason: team.sendingPausedReason,
    guard_until: formatTime(team.guardUntil),
    created_at: formatTime(team.createdAt),
  }
}

/** Changes one team and prints it. */
async function change(
  id: string,
  action: string,
  options: { json?: boolean },
  work: (installation: Installation) => Promise<Team | null>,
): Promise<void> {
  const team = await withInstallation(async (installation) => {
    const team = await findTeam(installation.db, id)
    return team === null ? null : work(asOperator(installation, id, action, id))
  })
  if (team === null)
    throw new ApiError('not_found', `There is no team ${id}. Run "sendwright team list" to list the teams.`)
  createOutput(options).record(teamToJson(team))
}

export function teamCommand(): Command {
  const team = new Command('team').description('Manage teams, their plans and pauses')
  team
    .command('create')
    .description('create a team')
    .argument('<name>', 'the name, 1 to 255 characters', readName)
    .option('--plan <plan>', 'the plan: free, 10k ... 5m, unlimited', readPlan, 'unlimited' as PlanName)
    .option('--json', 'print JSON')
    .action(async (name: string, options: { plan: PlanName; json?: boolean }) => {
      const team = await withInstallation(({ db, clock }) =>
        db.transaction((tx) => createTeam(tx, { name, plan: options.plan }, clock.now())),
      )
      createOutput(options).record(teamToJson(team))
    })
  team
    .command('list')
    .description('list the teams, oldest first')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const teams = await withInstallation(({ db }) =>
        readAll((after, countMax) => listTeams(db, after, countMax)),
      )
      createOutput(options).rows(teams.map(teamToJson), COLUMNS)
    })
  team
    .command('plan')
    .description('move a team to another plan')
    .argument('<id>', 'the team', readId)
    .argument('<plan>', 'free, 10k ... 5m, unlimited', readPlan)
    .option('--json', 'print JSON')
    .action((id: string, plan: PlanName, options: { json?: boolean }) =>
      change(id, 'team.plan', options, ({ db, clock }) => setPlan(db, id, plan, clock.now())),
    )
  team
    .command('pause')
    .description('pause a team; new emails are rejected')
    .argument('<id>', 'the team', readId)
    .option('--reason <text>', 'the reason, shown to members', readReason)
    .option('--json', 'print JSON')
    .action((id: string, options: { reason?: string; json?: boolean }) =>
      change(id, 'team.pause', options, ({ db, clock }) => pauseTeam(db, id, clock.now(), options.reason)),
    )
  team
    .command('resume')
    .description('resume a paused team; the reputation guard does not pause it for a day')
    .argument('<id>', 'the team', readId)
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: boolean }) =>
      change(id, 'team.resume', options, ({ db, clock }) => resumeTeam(db, id, clock.now())),
    )
  team.addCommand(teamKeepCommand())
  return team
}
