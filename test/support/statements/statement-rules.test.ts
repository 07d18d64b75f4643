import { expect, test } from 'vitest'
import { findFaults, findMigrationFaults } from './statement-rules.ts'

const CONTEXT = {
  isHot: true,
  mutableFunctions: new Set(['now', 'to_jsonb', 'extract', 'set_config']),
  timeColumns: new Set(['created_at']),
}

test.each([
  [
    'insert into t as x (a) select a from unnest($1::int4[]) r (a) on conflict (a) do update set b = case when x.b > $2 then 1 end',
    'a parameter in "do update" of "insert ... select"',
  ],
  [
    'with r as (insert into t select 1 on conflict (a) do update set b = $1 returning a) select a from r',
    'a parameter in "do update" of "insert ... select"',
  ],
  ['insert into t (a) values ($1) on conflict (a) do update set b = now()', 'now() in "do update"'],
  ['insert into t (a, b) values ($1, coalesce((select b from s), 0))', 'a subquery in "values" of "insert"'],
  ['update t set a = NOW() where b = $1', 'now() in "set"'],
  ['update only t x set a = current_timestamp from u', 'current_timestamp in "set"'],
  ['delete from t where a = $1 returning to_jsonb(t)', 'to_jsonb() in "returning"'],
  ["update t set a = b::date where c = 'returning now()'", 'a conversion to date in "set"'],
  ['update t set a = 1 returning created_at::text', 'a conversion of a time in "returning"'],
  ['update t set a = extract(epoch from b) - 1', 'extract() in "set"'],
  ["update t set a = a + interval '1 day'", 'an addition to a time in "set"'],
  ['update t set a = $1 + make_interval(secs => 1)', 'an addition to a time in "set"'],
  ['update t set a = greatest(a, $1 + (b - t.created_at))', 'an addition to a time in "set"'],
  ['update t set a = $1 + t.created_at', 'an addition to a time in "set"'],
  ["update t set a = a - '1 day'::interval", 'an addition to a time in "set"'],
  [
    'with r as (insert into t select 1 returning a) insert into u select a from r',
    'two changes in one statement of a hot path',
  ],
  [
    'with r as (delete from t returning a), s as (update u set b = 1 from r) select a from r',
    'two changes in one statement of a hot path',
  ],
])('a fault: %s', (sql, fault) => {
  expect(findFaults(sql, CONTEXT)).toEqual([fault])
})

test.each([
  'insert into t (a, b) values ($1, $2) on conflict (a) do update set b = $2',
  'insert into t (a, b) select $1, (select b from s)',
  'insert into t (a, b) select a, $2 from unnest($1) r (a) on conflict (a) do update set b = excluded.b returning a',
  'insert into t (a) select now() from unnest($1) r (a)',
  'update t set a = $1::timestamptz where b < now()',
  "update t set a = coalesce(b, 'now()') /* now() */ -- now()\n from u where c = $2::date",
  'update t set a = b is distinct from c from u where d = now()',
  'update t set a = 1 returning id::text',
  'update t set a = b + 1, c = $1 - t.created_at > $2',
  "update t set a = excluded_at - b >= '-60 ms'",
  'update t set a = extract(epoch from $1::timestamptz - b)',
  'with r as (select a from t for update skip locked) update t set b = 1 from r where t.a = r.a',
  "select set_config('search_path', 'set a = now()', true)",
])('no fault: %s', (sql) => {
  expect(findFaults(sql, CONTEXT)).toEqual([])
})

test('outside of hot paths, a statement may change two tables', () => {
  const sql = 'with r as (insert into t select 1 returning a) insert into u select a from r'
  expect(findFaults(sql, { ...CONTEXT, isHot: false })).toEqual([])
})

test.each([
  ['alter table t alter column c set storage external', '"set storage"'],
  ['alter table t add column c text not null check (c <> $$$$)', 'a check without "constraint" and a name'],
  ["alter table t add column c text not null constraint t_c check (c <> '')", 'a check inside "add column"'],
  [
    "alter table t add constraint t_a check (a > 0), add c text constraint t_c check (c <> '')",
    'a check inside "add column"',
  ],
])('a fault of a migration: %s', (sql, fault) => {
  expect(findMigrationFaults(sql)).toEqual([fault])
})

test.each([
  "create table t (c text default 'check (set storage)', constraint t_c check (c <> ''))",
  "alter table t add constraint t_c check (c <> '')",
  "alter table t add column c text, add constraint t_c check (c <> '')",
])('no fault of a migration: %s', (sql) => {
  expect(findMigrationFaults(sql)).toEqual([])
})
