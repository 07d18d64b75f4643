import type { Dashboard } from './dashboard.ts'
import { type AudienceSample, fillAudience } from './sample-audience.ts'
import { type CampaignsSample, fillCampaigns } from './sample-campaigns.ts'
import { fillEmails, fillFigures, type SampleEmails } from './sample-emails.ts'
import { fillPeople, type PeopleSample } from './sample-people.ts'
import { fillSending, type SendingSample } from './sample-sending.ts'
import { fillTemplates, type TemplateSample } from './sample-templates.ts'

/** The sample data of all pages; paths of single records need their ids. */
export interface Sample
  extends AudienceSample,
    CampaignsSample,
    PeopleSample,
    SampleEmails,
    SendingSample,
    TemplateSample {
  emailId: string
}

const SUBJECTS = [
  'Your receipt from Harbour Coffee',
  'Reset your password',
  'Confirm your email address',
  'Your order #48213 has shipped',
  'Invoice 2026-0117',
  'You were mentioned in “Launch plan”',
]
const FATES = ['delivered', 'delivered', 'delivered', 'bounced', 'delivered', 'complained']

/** Fills the team with the data of some days. */
export async function fillTeam(dashboard: Dashboard): Promise<Sample> {
  const { sender } = dashboard
  const ids: string[] = []
  for (const [index, subject] of SUBJECTS.entries()) {
    const to = `${FATES[index]}+customer${index}@simulator.test`
    ids.push(await sender.send({ to, subject, html: `<h1>${subject}</h1><p>Thank you.</p>` }))
  }
  await fillFigures(dashboard)
  return {
    emailId: ids[0] ?? '',
    ...(await fillEmails(dashboard)),
    ...(await fillPeople(dashboard)),
    ...(await fillSending(dashboard)),
    ...(await fillTemplates(dashboard)),
    ...(await fillAudience(dashboard)),
    ...(await fillCampaigns(dashboard)),
  }
}
