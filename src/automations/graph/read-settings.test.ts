import { describe, expect, test } from 'vitest'
import { GRAPH_ID, givenGraph } from '../../../test/support/graphs.ts'

describe('settings', () => {
  test('are complete, with canonical durations', () => {
    const exits = [{ event_name: 'bought' }, { rule: { type: 'segment', segment_id: GRAPH_ID } }]
    expect(
      givenGraph({
        settings: {
          reentry: 'every_time',
          reentry_gap: '24 h',
          on_retrigger: 'restart',
          exits,
          max_late: 86_400,
        },
      }),
    ).toMatchObject({
      errors: {},
      settings: {
        ...{ reentry: 'every_time', reentry_gap: '1 day', on_retrigger: 'restart', exits, max_late: '1 day' },
        resume_rate: 600,
      },
    })
  })

  test.each<[unknown, string, string]>([
    ['x', 'settings', 'must be an object.'],
    [{ odd: 1 }, 'settings.odd', 'is unknown.'],
    [{ reentry_gap: '1 day' }, 'settings.reentry_gap', 'requires reentry to be after_exit or every_time.'],
    [{ on_retrigger: 'stop' }, 'settings.on_retrigger', 'must be one of keep, restart.'],
    [{ resume_rate: 0 }, 'settings.resume_rate', 'must be an integer from 1 to 100000.'],
    [{ max_late: '1 second' }, 'settings.max_late', 'must be at least 1 minute.'],
    [{ exits: Array(11).fill({}) }, 'settings.exits', 'must not have more than 10 items.'],
    [{ exits: [{}] }, 'settings.exits.0', 'must have an event_name or a rule.'],
    [{ exits: [{ rule: {} }] }, 'settings.exits.0.rule.type', 'is required.'],
    [{ exits: [5] }, 'settings.exits.0', 'must be an object.'],
  ])('reject %j', (settings, path, says) => {
    expect(givenGraph({ settings }).errors).toEqual({ [path]: says })
  })
})
