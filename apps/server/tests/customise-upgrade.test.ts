import { sql } from '@kontor/database';
import type { CustomChange } from '@kontor/kernel';
import { customise } from '@kontor/parts';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { upgrade } from '../commands/upgrade.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm'] });
});
afterAll(() => world.close());

it('CUS-49 kontor upgrade refuses with what it would leave out of the customisation, unless told otherwise', async () => {
  const { database, config } = world.kernel;
  await database.execute(
    sql`update sys_view set arch = replace(arch, '</form>', '<group label="Old part"><field name="website"/></group></form>')
      where key = 'crm.lead_form'`,
  );
  const steps = [{ expr: "//group[@label='Old part']", position: 'inside', fields: [{ name: 'phone' }] }];
  const changes = [{ do: 'edit_view', model: 'crm.lead', view: 'crm.lead_form', steps }] as readonly CustomChange[];
  await customise(world.kernel, world.admin, { base: 0, draft: 0 }, { changes, note: '', isPublished: true });
  const run = (...given: string[]) =>
    upgrade.run({
      config,
      words: ['crm'],
      option: () => undefined,
      has: (name: string) => given.includes(name),
    } as never);
  const said: string[] = [];
  const error = vi.spyOn(console, 'error').mockImplementation((line: string) => void said.push(line));
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const isOld = async () => {
    const [row] = await database.query<{ is_old: boolean }>(
      sql`select arch like '%Old part%' as is_old from sys_view where key = 'crm.lead_form'`,
    );
    return row?.is_old;
  };
  try {
    await expect(run()).rejects.toThrow('Nothing was upgraded. Change the customisation first');
    expect(said).toEqual([expect.stringMatching(/^Customisation: crm\.lead_form would be left out: .*Old part/)]);
    expect(await isOld()).toBe(true);
    await run('anyway');
    expect(await isOld()).toBe(false);
  } finally {
    error.mockRestore();
    log.mockRestore();
  }
});
