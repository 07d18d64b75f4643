import { STARTER_HTML, STARTER_TEXT, STARTER_VARIABLES } from '../../../web/pages/templates/list/starter.ts'
import type { Dashboard } from './dashboard.ts'

/** The sample data for pages about templates. */
export interface TemplateSample {
  folderId: string
  /** Published, with several versions. */
  templateId: string
  /** A template with warnings. */
  faultyTemplateId: string
}

const NAMES = ['Welcome', 'Reset your password', 'Your order has shipped', 'Invitation to a team']

/** Creates folders, templates, and versions by different authors. */
export async function fillTemplates(dashboard: Dashboard): Promise<TemplateSample> {
  const { sender } = dashboard
  const folders = ['Receipts', 'Accounts', 'Newsletters'].map(async (name) => {
    const { json } = await sender.post('/template-folders', { name })
    return String(json.id)
  })
  const [folderId = '', accountsId = ''] = await Promise.all(folders)
  const from = `Harbour Coffee <coffee@${sender.domain}>`
  const content = {
    html_content: STARTER_HTML,
    text_content: STARTER_TEXT,
    variables: STARTER_VARIABLES,
    from,
  }
  for (const name of NAMES)
    await sender.post('/templates', {
      ...content,
      name,
      subject: `${name}, {{NAME}}`,
      folder_id: accountsId,
      status: name === 'Welcome' ? 'published' : 'draft',
    })
  const { json: receipt } = await sender.post('/templates', {
    ...content,
    name: 'Receipt',
    alias: 'receipt',
    subject: 'Your receipt, {{NAME}}',
    folder_id: folderId,
  })
  await sender.put(`/templates/${receipt.id}`, { html_content: RECEIPT_HTML })
  await changeAsPerson(dashboard, receipt.id, {
    subject: 'Your receipt from Harbour Coffee, {{NAME}}',
    html_content: RECEIPT_HTML.replace('Thank you', 'Many thanks'),
  })
  const { json: faulty } = await sender.post('/templates', {
    name: 'Spring offer',
    subject:
      'Only this week: everything that we roast at a third off, {{FIRST_NAME}}, and free delivery on top',
    html_content: FAULTY_HTML,
    from,
    status: 'draft',
    variables: [{ key: 'CODE', type: 'string' }],
  })
  return { folderId, templateId: String(receipt.id), faultyTemplateId: String(faulty.id) }
}

const RECEIPT_HTML = STARTER_HTML.replace(
  'Say in a sentence or two what happened, and what to do now.',
  'Thank you for your order.',
)
  .replaceAll('Take a look', 'See your receipt')
  .replace('One sentence that makes people open this.', 'What you bought, and what you paid.')

const FAULTY_HTML = `<p>Hello {{FIRST_NAME}},</p>
<img src="http://cdn.example.com/beans.jpg">
<p>Use {{code-of-the-week}} until Sunday.</p>
<a href="www.example.com/offers">To the offers</a>
<a href="javascript:void(0)">Close</a>
<script>track()</script>
`

/** Changes a template as a logged-in user. */
async function changeAsPerson({ url, sender, person }: Dashboard, id: string, body: object): Promise<void> {
  const token = await (await person('owner')).logIn()
  const response = await fetch(`${url}/templates/${id}`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/json',
      cookie: `sendwright_session=${token}`,
      'x-sendwright-team': sender.id,
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`The template could not be changed: ${await response.text()}`)
}
