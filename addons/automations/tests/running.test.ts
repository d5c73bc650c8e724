import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AutomationWorld, automationWorld } from './automation-world.ts';

let world: AutomationWorld;
beforeAll(async () => {
  world = await automationWorld();
});
afterAll(() => world.close());
beforeEach(() => world.removeRules());

const priority = (value: string) => ({ do: 'set', values: { priority: { value } } });

describe('when, if, then', () => {
  it('AUT-9 the steps run in order, after the change, for records for which the conditions hold', async () => {
    const id = await world.active({
      domain: [['expected_revenue', '>=', '5000']],
      steps: [
        { do: 'set', values: { priority: { value: '2' }, contact_name: { formula: "'Deal: ' + name" } } },
        { do: 'set', values: { partner_name: { from: 'contact_name' }, date_deadline: { word: 'today' } } },
      ],
    });
    const small = await world.lead({ name: 'Small', expected_revenue: '10' });
    const large = await world.lead({ name: 'Large', expected_revenue: '5000' });
    expect(await world.read(large, ['priority'])).toMatchObject({ priority: '0' });
    await world.runAll();
    expect(await world.read(large, ['priority', 'contact_name', 'partner_name', 'date_deadline'])).toMatchObject({
      ...{ priority: '2', contact_name: 'Deal: Large', partner_name: 'Deal: Large' },
      date_deadline: expect.stringMatching(/^\d{4}-/),
    });
    expect(await world.read(small, ['priority'])).toMatchObject({ priority: '0' });
    expect(await world.runs(id)).toMatchObject([
      {
        res_id: large,
        state: 'done',
        chain: null,
        done: [
          { do: 'set', fields: ['priority', 'contact_name'] },
          { do: 'set', fields: ['partner_name', 'date_deadline'] },
        ],
      },
    ]);
  });

  it('AUT-9 a change counts if it is of the field, from one value and to the other', async () => {
    const id = await world.active({
      ...{ trigger: 'change', field: 'priority', from: '0', to: '3' },
      steps: [{ do: 'set', values: { contact_name: { value: 'Urgent' } } }],
    });
    const lead = await world.lead();
    for (const values of [{ priority: '1' }, { priority: '3' }, { phone: '1' }, { priority: '0' }])
      await world.change(lead, values);
    await world.runAll();
    expect(await world.runs(id)).toEqual([]);
    await world.change(lead, { priority: '3' });
    await world.change(lead, { phone: '2' });
    await world.runAll();
    expect(await world.runs(id)).toMatchObject([{ res_id: lead, state: 'done' }]);
  });

  it('AUT-9 what no longer fits when it runs is skipped, with the reason', async () => {
    const id = await world.active({ domain: [['priority', '=', '3']], steps: [priority('1')] });
    const [changed, gone] = [await world.lead({ priority: '3' }), await world.lead({ priority: '3' })];
    await world.change(changed, { priority: '2' });
    await world.work((env) => env.model('crm.lead').unlink([gone]));
    await world.runAll();
    expect(await world.runs(id)).toMatchObject([
      { state: 'skipped', problem: 'conditions' },
      { state: 'skipped', problem: 'gone' },
    ]);
    const off = await world.lead({ priority: '3' });
    await world.act((env) => env.model('automation.rule').call([id], 'switch_off'));
    await world.runAll();
    expect((await world.runs(id)).at(-1)).toMatchObject({ res_id: off, state: 'skipped', problem: 'off' });
  });
});

describe('mistakes', () => {
  const refusal = (values: Readonly<Record<string, unknown>>) =>
    world.rule(values).then(
      () => 'ok',
      (error: { code: string; details: { fields: Record<string, string[]> } }) =>
        `${error.code} ${Object.entries(error.details?.fields ?? {}).map(([field, [said]]) => `${field}: ${said}`)}`,
    );

  it.each([
    [{ model: 'sys.rule' }, 'model: There are no automations for these records.'],
    [{ model: 'automation.rule' }, 'model: There are no automations for these records.'],
    [{ domain: [['nope', '=', 1]] }, 'domain: '],
    [{ at: '25:00' }, 'when: Write a time such as 08:00.'],
    [{ trigger: 'change', field: 'nope' }, 'when: '],
    [{ trigger: 'date', field: 'name' }, 'when: Choose a date.'],
    [{ trigger: 'schedule', together: true }, 'together: '],
    [{ trigger: 'hook' }, 'when: '],
    [{ steps: 'x' }, 'steps: At most 20 steps.'],
    [{ steps: [{}] }, 'steps: Step 1: It is not complete.'],
    [{ steps: [{ do: 'explode' }] }, 'steps: Step 1: Choose what it does.'],
    [{ steps: [{ do: 'note', text: 'x', more: 1 }] }, 'steps: Step 1: Unknown key "more".'],
    [{ steps: [{ do: 'note', text: '{nope}' }] }, 'steps: Step 1: Lead has no field nope.'],
    [{ steps: [priority('9')] }, 'steps: Step 1: Priority: '],
    [{ steps: [{ do: 'set', values: { name: { value: null } } }] }, 'steps: Step 1: Subject is required.'],
    [{ steps: [{ do: 'set', values: { weighted_revenue: { value: 1 } } }] }, 'cannot be changed.'],
    [{ steps: [{ do: 'set', values: { name: { formula: 'nam + 1' } } }] }, 'Did you mean'],
    [{ steps: [{ do: 'set', values: { name: { formula: '('.repeat(900) } } }] }, 'steps: Step 1: '],
    [
      { steps: [{ do: 'set', values: { partner_id: { from: 'user_id' } } }] },
      'Salesperson does not fit into Customer.',
    ],
    [{ steps: [{ do: 'create', model: 'core.partner', values: { phone: { value: '1' } } }] }, 'Name is required.'],
    [{ steps: [{ do: 'create', model: 'sys.rule', values: { name: { value: '1' } } }] }, 'cannot create these records'],
    [{ steps: [{ do: 'assign', field: 'partner_id', who: { user: 1 } }] }, 'Choose a field with a person.'],
    [{ steps: [{ do: 'mail', to: 'everybody', subject: 'x', body: 'y' }] }, 'Choose a field with an e-mail address.'],
    [{ steps: [{ do: 'webhook', webhook: 99999 }] }, 'steps: Step 1: '],
    [{ steps: [{ do: 'run', action: 'nope' }] }, 'There is no action "nope".'],
  ])('AUT-9 an automation that cannot run is rejected: %j', async (values, said) => {
    expect(await refusal(values)).toContain(said);
  });
});

describe('loops', () => {
  it('AUT-18 automations that set each other off are stopped, and the log names them in order', async () => {
    const up = await world.active({
      ...{ name: 'Up', trigger: 'change', field: 'color' },
      steps: [{ do: 'set', values: { sequence: { formula: 'sequence + 1' } } }],
    });
    const down = await world.active({
      ...{ name: 'Down', trigger: 'change', field: 'sequence' },
      steps: [{ do: 'set', values: { color: { formula: 'if(color > 5, 1, color + 1)' } } }],
    });
    const lead = await world.lead();
    await world.change(lead, { color: 3 });
    for (let round = 0; round < 10; round++) await world.runAll();
    const runs = await world.runs(up);
    expect(runs.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'stopped']);
    expect(runs.at(-1)).toMatchObject({ problem: 'loop' });
    expect((runs[3] as { chain: { name: string }[] }).chain.map(({ name }) => name)).toEqual([
      'Up',
      'Down',
      'Up',
      'Down',
      'Up',
      'Down',
    ]);
    expect((await world.runs(down)).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  });

  it('AUT-18 those that belong to the change are stopped in its transaction', async () => {
    const id = await world.active({
      ...{ name: 'Again', trigger: 'change', field: 'sequence', together: true },
      steps: [{ do: 'set', values: { sequence: { formula: 'sequence + 1' } } }],
    });
    const lead = await world.lead();
    await world.change(lead, { sequence: 100 });
    expect(await world.read(lead, ['sequence'])).toMatchObject({ sequence: 103 });
    expect((await world.runs(id)).map(({ state }) => state)).toEqual(['done', 'done', 'done', 'stopped']);
  });
});

describe('failures', () => {
  const failing = { do: 'mail', to: '{email_from}', subject: 'Hello', body: 'Hello' };

  it('AUT-19 a failing automation does not prevent the change, leaves nothing half done, and is switched off after five failures with a notice', async () => {
    const id = await world.active({ steps: [priority('3'), failing] }, world.author);
    for (let count = 0; count < 5; count++) await world.lead();
    await world.runAll();
    await world.lead();
    const runs = await world.runs(id);
    expect(runs.map(({ state }) => state)).toEqual(Array(5).fill('failed'));
    expect(runs[0]).toMatchObject({ problem: 'step', step: 2, reason: 'There is no e-mail address to send it to.' });
    expect(await world.read(runs[0]?.res_id as number, ['priority'])).toMatchObject({ priority: '0' });
    expect(await world.state(id)).toMatchObject({ state: 'paused', paused_for: 'failing' });
    const notices = await world.work((env) =>
      env
        .sudo()
        .model('sys.notification')
        .searchRead([['title', 'ilike', 'was switched off']], ['user_id']),
    );
    expect(new Set(notices.map(({ user_id }) => user_id))).toEqual(new Set([world.author.uid, world.admin.uid]));
    await world.act((env) => env.model('automation.run').call([runs[0]?.id as number], 'run_again'));
    await world.act((env) => env.model('automation.rule').call([id], 'switch_on'));
    expect(await world.state(id)).toMatchObject({ state: 'on', paused_for: null, author_id: world.admin.uid });
    await world.runAll();
    expect((await world.runs(id))[0]).toMatchObject({ state: 'failed' });
  });

  it('AUT-19 one that belongs to the change is saved with it, or rejects it', async () => {
    const id = await world.active({ name: 'Check', together: true, steps: [priority('3'), failing] });
    await expect(world.lead({ name: 'Rejected' })).rejects.toMatchObject({
      code: 'USER_ERROR',
      message: 'The automation Check rejects this change: step 2 failed. Ask whoever manages it.',
    });
    expect(await world.work((env) => env.model('crm.lead').count([['name', '=', 'Rejected']]))).toBe(0);
    await world.act((env) => env.model('automation.rule').write([id], { steps: [priority('3')] }));
    const lead = await world.lead();
    expect(await world.read(lead, ['priority'])).toMatchObject({ priority: '3' });
    expect(await world.runs(id)).toMatchObject([{ state: 'done', res_id: lead }]);
  });

  it('AUT-21 the run, its effects and what they set off are one transaction: another process does it once, and a lost one is done again', async () => {
    const id = await world.active({
      steps: [
        { do: 'set', values: { sequence: { formula: 'sequence + 1' } } },
        { do: 'note', text: 'Seen' },
      ],
    });
    const lead = await world.lead({ sequence: 1 });
    // A process that dies after it claimed the run: its lease ends.
    await world.work(async (env) => {
      const [run] = await env.model('automation.run').search([['rule_id', '=', id]]);
      await env
        .sudo()
        .model('automation.run')
        .write([run as number], {
          ...{ attempts: 1, locked_by: 'a dead process', locked_until: new Date(Date.now() - 1_000).toISOString() },
        });
    });
    const other = await world.another();
    await Promise.all([world.runAll(), world.runAll(other), world.runAll(), world.runAll(other)]);
    expect(await world.read(lead, ['sequence'])).toMatchObject({ sequence: 2 });
    expect(await world.runs(id)).toMatchObject([{ state: 'done', attempts: 2 }]);
    const notes = await world.work((env) =>
      env
        .sudo()
        .model('mail.message')
        .count([
          ['model', '=', 'crm.lead'],
          ['res_id', '=', lead],
          ['body', 'ilike', 'Seen'],
        ]),
    );
    expect(notes).toBe(1);
  });

  it('AUT-20 many records are done together; if one of them fails, the others are done and it is named', async () => {
    const id = await world.active({
      ...{ trigger: 'change', field: 'color' },
      steps: [
        {
          do: 'set',
          values: { phone: { formula: "if(name = 'Bad', '', '1')" }, name: { formula: "if(name = 'Bad', '', name)" } },
        },
      ],
    });
    const ids = await world.work((env) =>
      env
        .model('crm.lead')
        .createMany(Array.from({ length: 120 }, (_, at) => ({ name: at === 60 ? 'Bad' : `Lead ${at}` }))),
    );
    await world.work((env) => env.model('crm.lead').write(ids, { color: 7 }));
    expect(await world.runs(id)).toMatchObject([{ count: 120, res_id: 0 }]);
    await world.runAll();
    const runs = await world.runs(id);
    expect(runs.filter(({ state }) => state === 'done')).toHaveLength(119);
    expect(runs.filter(({ state }) => state === 'failed')).toMatchObject([{ res_id: ids[60], step: 1 }]);
    await world.work((env) => env.model('crm.lead').write(ids.slice(0, 60), { color: 8 }));
    await world.runAll();
    expect((await world.runs(id)).at(-1)).toMatchObject({ state: 'done', count: 60 });
  });
});
