/** What weeks of work would leave behind and demonstration data cannot: notices, keys that programs use, lines in the log. */
export async function fillWorld(world) {
  await createActivities(world);
  await makeKeys(world);
  await fillLog(world);
}

/** Colleagues give the administrator something to do and comment on it, so that there are notifications. */
async function createActivities(world) {
  const leads = await world.rpc('crm.lead', 'search_read', [[['state', '=', 'open']], ['id', 'user_id']]);
  const sellers = [
    ['id', 'in', leads.flatMap((lead) => lead.user_id ?? [])],
    ['login', '!=', world.login],
  ];
  const colleagues = await world.rpc('core.user', 'search_read', [sellers, ['name', 'login']], {
    limit: 3,
    order: 'id',
  });
  const [me] = await world.rpc('core.user', 'search_read', [[['login', '=', world.login]], ['id']]);
  const [type] = await world.rpc('mail.activity.type', 'search_read', [[], ['id']], { limit: 1 });
  const summaries = ['Check the discount', 'Bring the samples', 'Agree on the delivery'];
  for (const [at, { id, login, name }] of colleagues.entries()) {
    const password = `a password for ${name}`;
    await world.rpc('core.user', 'write', [[id], { password }]);
    const lead = leads.find((one) => one.user_id === id) ?? leads[at];
    await world.as({ login, password }, async (rpc) => {
      const about = { model: 'crm.lead', res_id: lead.id, type_id: type.id };
      await rpc('mail.activity', 'create', [{ ...about, name: summaries[at], user_id: me.id }]);
    });
  }
}

async function makeKeys(world) {
  const names = ['Web shop', 'Accounting export', 'Warehouse scanner'];
  for (const [at, name] of names.entries()) {
    const secret = await world.createKey({
      name,
      ...(at === 1 ? { scope: '{"sale.order": ["read", "search_read"]}' } : {}),
    });
    if (at < 2) await world.rpcByKey(secret, 'sale.order', 'search_read', [[], ['name']], { limit: 1 });
  }
}

/** A mail server that does not answer, and automations that trigger each other. */
async function fillLog(world) {
  const rule = (from, to) => ({
    name: `City ${from} is written ${to}`,
    model: 'core.partner',
    trigger: 'write',
    domain: [['city', '=', from]],
    action: `write:{"city":"${to}"}`,
  });
  const made = [];
  for (const [from, to] of [
    ['Göteborg', 'Gothenburg'],
    ['Gothenburg', 'Göteborg'],
  ])
    made.push(await world.rpc('sys.automation', 'create', [rule(from, to)]));
  const partner = await world.rpc('core.partner', 'create', [{ name: 'Hamnkontoret', city: 'Lund' }]);
  for (const city of ['Göteborg', 'Gothenburg']) await world.rpc('core.partner', 'write', [[partner], { city }]);
  await world.rpc('core.partner', 'unlink', [[partner]]);
  await world.rpc('sys.automation', 'unlink', [made]);
  await world.forgetPassword();
}
