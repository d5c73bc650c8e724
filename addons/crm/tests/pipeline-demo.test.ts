import { createTestKernel, openScreens, type TestKernel } from '@kontor/testing';
import { buildWorkspace, readWorkspaceQuery } from '@kontor/workspace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm'], demo: true });
});
afterAll(() => world.close());

const groups = (groupby: string[], domain: unknown[] = []) =>
  world.work((env) =>
    env.model('crm.lead').readGroup({
      domain: domain as never,
      groupby,
      fields: [{ name: 'revenue', field: 'expected_revenue', measure: 'sum' }],
    }),
  );
const open = (viewType: string) =>
  buildWorkspace(
    world.kernel,
    { actor: world.admin, csrf: 'token', lastWrite: null },
    readWorkspaceQuery({ action: 'crm.pipeline', view_type: viewType }),
  );

/** The months before this one, as groups have them. */
function lastMonths(count: number): string[] {
  const now = new Date();
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back - 1, 1)).toISOString().slice(0, 7),
  );
}

describe('the demonstration pipeline', () => {
  it('CRM-8 has something open in every stage, won in every month, and lost for every reason', async () => {
    const isOpen = [
      ['type', '=', 'opportunity'],
      ['state', '=', 'open'],
    ];
    const stages = await groups(['stage_id'], isOpen);
    expect(stages.map((row) => row['stage_id.display_name']).sort()).toEqual([
      'Negotiation',
      'New',
      'Proposition',
      'Qualified',
    ]);
    for (const row of stages) expect(Number(row.revenue)).toBeGreaterThan(10_000);
    const won = await groups(['date_closed:month'], [['state', '=', 'won']]);
    expect(won.map((row) => row['date_closed:month'])).toEqual(expect.arrayContaining(lastMonths(5)));
    const lost = await groups(['lost_reason_id'], [['state', '=', 'lost']]);
    const reasons = await world.work((env) => env.model('crm.lost.reason').search([]));
    expect(lost.map((row) => row.lost_reason_id).sort()).toEqual([...reasons].sort());
  });

  it('CRM-8 has leads and customers in several scripts', async () => {
    const rows = await world.work((env) =>
      env.model('crm.lead').searchRead([], ['name', 'partner_name', 'contact_name', 'partner_id.display_name']),
    );
    const text = rows.flatMap((row) => Object.values(row)).join(' ');
    for (const script of ['Latin', 'Cyrillic', 'Han', 'Katakana']) {
      expect([script, new RegExp(`\\p{Script=${script}}{2}`, 'u').test(text)]).toEqual([script, true]);
    }
  });

  it('CRM-8 is dated from today: deadlines ahead and behind, closing after coming in', async () => {
    const late = await groups(
      [],
      [
        ['state', '=', 'open'],
        ['date_deadline', '<', '$today'],
      ],
    );
    expect(late[0]?.__count).toBe(1);
    const odd = await groups([], [['days_to_close', '<', 1]]);
    expect(odd[0]?.__count).toBe(0);
    expect(
      (
        await groups(
          [],
          [
            ['type', '=', 'lead'],
            ['user_id', '=', null],
          ],
        )
      )[0]?.__count,
    ).toBe(2);
    expect(await world.work((env) => env.model('mail.activity').count([['model', '=', 'crm.lead']]))).toBe(7);
  });

  it('CRM-7 the board adds up by stage, and the cohort goes from coming in to closing', async () => {
    const board = await open('kanban');
    const columns = board.arch.kanban?.columns as readonly {
      label: string;
      count: number;
      fold: boolean;
      sums: object;
    }[];
    expect(columns.map(({ label, count, fold }) => [label, count, fold])).toEqual([
      ['New', 4, false],
      ['Qualified', 4, false],
      ['Proposition', 3, false],
      ['Negotiation', 3, false],
      ['Won', 30, true],
    ]);
    expect(JSON.stringify(columns[3]?.sums)).toContain('175800');
    const cohort = await open('cohort');
    expect(cohort.arch.cohort?.rows.length).toBeGreaterThan(5);
  });

  it('CRM-6 a salesperson opens every screen that is theirs', async () => {
    const lena = await world.kernel.actor(await world.work((env) => env.ref('crm.user_lena')));
    expect(await openScreens(world, 'crm', lena as TestKernel['admin'])).toEqual([]);
  });
});
