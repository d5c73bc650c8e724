import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['calendar', 'crm', 'sale', 'project'] });
});
afterAll(() => world.close());

describe('meetings of leads and tasks', () => {
  it('MTG-14: are counted and opened where they belong, and made by an activity there', async () => {
    const { kernel, work } = world;
    expect(kernel.loaded.states.get('calendar_crm')).toBe('installed');
    expect(kernel.loaded.states.get('calendar_project')).toBe('installed');
    const [lead, task] = await work(async (env) => {
      const project_id = await env.model('project.project').create({ name: 'Pier' });
      await env.model('project.project').call([project_id], 'start');
      return [
        await env.model('crm.lead').create({ name: 'New pier' }),
        await env.model('project.task').create({ name: 'Piles', project_id }),
      ];
    });
    const type_id = await work((env) => env.ref('mail.type_meeting'));
    for (const [model, id, link] of [
      ['crm.lead', lead, 'lead_id'],
      ['project.task', task, 'task_id'],
    ] as const) {
      await work((env) => env.model('mail.activity').create({ type_id, model, res_id: id }));
      const [row] = await work((env) => env.model(model).read([id as number], ['event_count']));
      expect(row?.event_count).toBe(1);
      const opened = await work((env) => env.model(model).call([id as number], 'open_meetings'));
      const query = new URLSearchParams((opened as { redirect: string }).redirect.split('?')[1]);
      expect(JSON.parse(query.get('domain') ?? '')).toEqual([[link, '=', id]]);
      expect(JSON.parse(query.get('context') ?? '')).toMatchObject({ [`default_${link}`]: id });
    }
  });
});
