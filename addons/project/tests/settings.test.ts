import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['project'] });
});
afterAll(() => world.close());

describe('the settings of projects', () => {
  it('PRJ-8 say who sees new projects, and are for managers', async () => {
    const manager = await world.person('Mara', ['project.group_manager']);
    const user = await world.person('Uwe', ['project.group_user']);
    const make = async (values: object = {}) => {
      const id = await world.work((env) => env.model('project.project').create({ name: 'Attic', ...values }), user);
      return (await world.work((env) => env.sudo().model('project.project').read([id], ['visibility'])))[0]?.visibility;
    };
    expect(await make()).toBe('everyone');
    await world.work(
      (env) => env.model('project.settings').create({ visibility: 'members', day_hours: '7.5' }),
      manager,
    );
    expect(await make()).toBe('members');
    expect(await make({ visibility: 'everyone' })).toBe('everyone');
    const { value } = await world.work((env) => env.model('project.settings').onchange({}, []), manager);
    expect(JSON.parse(JSON.stringify(value))).toMatchObject({ visibility: 'members', day_hours: '7.5' });
    await expect(world.work((env) => env.model('project.settings').create({}), user)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
  });
});
