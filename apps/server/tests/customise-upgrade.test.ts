import { sql } from '@kontor/database';
import type { CustomChange } from '@kontor/kernel';
import { customise } from '@kontor/parts';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, expect } from 'vitest';
import { runBuilt } from './built-server.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm'] });
});
afterAll(() => world.close());

long(
  'CUS-49 kontor upgrade refuses with what it would leave out of the customisation, unless told otherwise',
  async () => {
    const { database, config } = world.kernel;
    await database.execute(
      sql`update sys_view set arch = regexp_replace(arch, '</form>\\s*$', '<group label="Old part"><field name="website"/></group></form>')
      where key = 'crm.lead_form'`,
    );
    const steps = [{ expr: "//group[@label='Old part']", position: 'inside', fields: [{ name: 'phone' }] }];
    const changes = [{ do: 'edit_view', model: 'crm.lead', view: 'crm.lead_form', steps }] as readonly CustomChange[];
    await customise(world.kernel, world.admin, { base: 0, draft: 0 }, { changes, note: '', isPublished: true });
    const run = (...flags: string[]) => runBuilt(['upgrade', 'crm', ...flags, '-d', config.dbDsn]);
    expect(await run()).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /Customisation: crm\.lead_form would be left out: .*Old part[\s\S]*Nothing was upgraded\. Change the customisation first/,
      ),
    });
    expect(await run('--anyway')).toMatchObject({ code: 0 });
  },
);
