import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { REPOSITORY } from '../journeys/support/children.ts'

const CHART = join(REPOSITORY, 'ops', 'helm', 'sendwright')
const ROLES = ['api', 'deliver', 'inbound', 'scheduler', 'webhooks']

const isAbsent = spawnSync('helm', ['version']).error !== undefined
if (isAbsent) process.stderr.write('helm is missing.\n')

interface Container {
  args: string[]
  env: { name: string; value: string }[]
  readinessProbe: object
}

interface Manifest {
  kind: string
  metadata: { name: string }
  spec: { template: { spec: { containers: Container[] } } }
}

/** Renders the chart with these values, and returns its objects. */
function render(...values: string[]): Manifest[] {
  const args = [
    'template',
    'mail',
    CHART,
    '--kube-version',
    '1.31.0',
    ...values.flatMap((one) => ['--set', one]),
  ]
  const { status, stdout, stderr } = spawnSync('helm', args, { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  const documents = parseAllDocuments(stdout)
  expect(documents.flatMap(({ errors }) => errors)).toEqual([])
  return documents.map((document) => document.toJS() as Manifest).filter((manifest) => manifest !== null)
}

const namesOf = (manifests: readonly Manifest[], kind: string) =>
  manifests.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name)

test.skipIf(isAbsent)('helm finds no error in the chart', () => {
  const { status, stdout } = spawnSync('helm', ['lint', '--strict', CHART], { encoding: 'utf8' })
  expect(status, stdout).toBe(0)
})

test.skipIf(isAbsent)('a Deployment and a disruption budget for each role, and a job that migrates', () => {
  const manifests = render()
  const names = ROLES.map((role) => `mail-${role}`)
  expect(namesOf(manifests, 'Deployment').sort()).toEqual(names)
  expect(namesOf(manifests, 'PodDisruptionBudget').sort()).toEqual(names)
  expect(namesOf(manifests, 'Service').sort()).toEqual(['mail-api', 'mail-smtp'])
  expect(namesOf(manifests, 'Job')).toEqual(['mail-migrate'])
  for (const { metadata, spec } of manifests.filter(({ kind }) => kind === 'Deployment')) {
    const [container] = spec.template.spec.containers
    expect(container?.args).toEqual(['serve', '--roles', metadata.name.replace('mail-', '')])
    expect(container?.readinessProbe).toBeDefined()
    expect(container).toMatchObject({
      securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
    })
  }
})

test.skipIf(isAbsent)(
  'the name and the schema of a cell reach every process, and the job that migrates',
  () => {
    const running = render('cell=a1', 'schema=cell_a1').filter(({ kind }) => /^(Deployment|Job)$/.test(kind))
    expect(running).toHaveLength(ROLES.length + 1)
    for (const { spec } of running)
      expect(spec.template.spec.containers[0]?.env).toEqual(
        expect.arrayContaining([
          { name: 'SENDWRIGHT_CELL', value: 'a1' },
          { name: 'SENDWRIGHT_SCHEMA', value: 'cell_a1' },
        ]),
      )
  },
)

test.skipIf(isAbsent)(
  'a ServiceMonitor and an Ingress on request; a role without replicas is left out',
  () => {
    const manifests = render(
      'serviceMonitor.enabled=true',
      'ingress.enabled=true',
      'roles.webhooks.replicas=0',
    )
    expect(namesOf(manifests, 'ServiceMonitor')).toEqual(['mail'])
    expect(namesOf(manifests, 'Ingress')).toEqual(['mail'])
    expect(namesOf(manifests, 'Service').sort()).toEqual(['mail-api', 'mail-metrics', 'mail-smtp'])
    expect(namesOf(manifests, 'Deployment')).not.toContain('mail-webhooks')
  },
)
