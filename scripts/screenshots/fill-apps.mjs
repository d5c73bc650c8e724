const key = `mk_${'0'.repeat(48)}`;

/** E-mail that came in, the project of an order, a mailing, a template and an automation: what the pages of the apps show. */
export async function fillApps(world) {
  await receiveMail(world);
  const confirmed = [['state', '=', 'sale']];
  const [order] = await world.rpc('sale.order', 'search_read', [confirmed, ['id', 'partner_id']], { limit: 1 });
  await world.rpc('project.project', 'create', [
    { name: 'Delivery and assembly', partner_id: order.partner_id, sale_order_id: order.id, hours_planned: 24 },
  ]);
  await world.rpc('mail.template', 'create', [
    {
      name: 'Reminder of an offer',
      model: 'crm.lead',
      subject: 'Your enquiry: {name}',
      body: 'Dear {contact_name},\n\nthank you for your enquiry **{name}**. May we help with anything?\n\n{user_id.name}',
      user_id: null,
    },
  ]);
  const mailing = await world.rpc('mailing.mailing', 'create', [
    {
      name: 'Autumn letter',
      subject: 'New lamps for {name}',
      body: 'Dear {name},\n\nour autumn collection has arrived:\n\n- lamps of oak\n- desks for small rooms\n\nNordlicht Trading',
    },
  ]);
  await world.rpc('mailing.mailing', 'call', [mailing, 'action_schedule', { send_at: new Date().toISOString() }]);
  const rule = await world.rpc('automation.rule', 'create', [
    {
      name: 'Big deals are urgent',
      model: 'crm.lead',
      when: { trigger: 'create' },
      domain: [['expected_revenue', '>', 10_000]],
      steps: [
        { do: 'set', values: { priority: { value: '3' } } },
        { do: 'note', text: 'Marked as urgent: {name}' },
      ],
    },
  ]);
  await world.rpc('automation.rule', 'call', [rule, 'action_switch_on']);
  await world.rpc('crm.lead', 'create', [{ name: 'Fitting out a harbour hotel', expected_revenue: 48_000 }]);
}

async function receiveMail(world) {
  const mailbox = await world.rpc('mail.mailbox', 'create', [{ name: 'Office', address: 'office@nordlicht.example' }]);
  await world.rpc('mail.mailbox', 'call', [mailbox, 'action_new_key', { key }]);
  const letters = [
    ['Jonas Weber <jonas@weber.example>', 'Delivery on Thursday', 'Thursday at nine is fine. Please ring at gate B.'],
    ['Samira Haddad <samira@haddad.example>', 'Invoice copy, please', 'Could you send the invoice of October again?'],
    [
      'Ingrid Berg <ingrid@fjord.example>',
      'Twelve lamps for the lobby',
      'Hello,\r\n\r\ncould you offer twelve lamps, and deliver before Christmas?\r\n\r\nIngrid Berg',
    ],
  ];
  for (const [from, subject, body] of letters) {
    const answer = await fetch(`${world.url}/mail/in/${mailbox}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'message/rfc822' },
      body: `From: ${from}\r\nTo: office@nordlicht.example\r\nSubject: ${subject}\r\n\r\n${body}`,
    });
    if (answer.status !== 202) throw new Error(`${subject}: ${await answer.text()}`);
  }
}
