import { type CallsOf, type Env, inheritModel, openPath, text, UserError } from '@kontor/addon';

export interface CoreCompanyCalls extends CallsOf<typeof baseCompany> {}
declare module '@kontor/addon' {
  interface Calls {
    'core.company': CoreCompanyCalls;
  }
}

/** The country of a company gives it a currency and a time zone. */
export const baseCompany = inheritModel('core.company', {
  actions: {
    preview_mail: {
      label: 'Preview of e-mails',
      icon: 'mail',
      needs: 'read',
      single: 'Choose one company.',
      run: async ({ records }) => openPath(`/web/companies/${(await records.only()).id}/mail.html`),
    },
  },
  onchange: {
    country_id: {
      reads: ['country_id.tz', 'country_id.currency_id'],
      value: ({ country_id: country }) => ({ tz: country?.tz ?? undefined, currency_id: country?.currency_id?.id }),
    },
  },
  hooks: {
    on: ['currency_id'],
    beforeCreate: ({ env, values }) => Promise.all(values.map((row) => withTimeZone(env, row))),
    async afterCreate({ env, ids }) {
      await useCurrencies(env, ids);
      await admitMaker(env, ids);
    },
    async beforeWrite({ env, ids, values }) {
      if (typeof values.currency_id === 'number') await refuseRelabelling(env, ids, values.currency_id);
      return values;
    },
    afterWrite: ({ env, ids }) => useCurrencies(env, ids),
  },
});

async function withTimeZone<T extends { readonly country_id?: number | null; readonly tz?: string | null }>(
  env: Env,
  values: T,
): Promise<T> {
  if (values.tz !== undefined || !values.country_id) return values;
  const [country] = await env.model('core.country').read([values.country_id], ['tz']);
  return country?.tz ? { ...values, tz: country.tz } : values;
}

/** Choices hide currencies that are not in use. */
async function useCurrencies(env: Env, ids: readonly number[]): Promise<void> {
  const server = env.sudo();
  const companies = await server.model('core.company').read(ids, ['currency_id']);
  const used = companies.map(({ currency_id }) => currency_id);
  const unused = await server.model('core.currency').search([
    ['id', 'in', used],
    ['active', '=', false],
  ]);
  if (unused.length > 0) await server.model('core.currency').write(unused, { active: true });
}

/** Whoever creates a company may switch to it. */
async function admitMaker(env: Env, ids: readonly number[]): Promise<void> {
  if (env.isSudo || env.uid <= 0) return;
  await env
    .sudo()
    .model('core.user')
    .write([env.uid], { company_ids: ids.map((id) => ['link', id] as const) });
}

/** Amounts in the company's currency would keep their digits and become amounts in another one. */
async function refuseRelabelling(env: Env, ids: readonly number[], currency: number): Promise<void> {
  const server = env.sudo();
  const companies = await server.model('core.company').read(ids, ['name', 'currency_id', 'currency_id.name']);
  for (const company of companies) {
    if (company.currency_id === currency) continue;
    const kinds = new Set<string>();
    for (const { model, label, amounts } of inCompanyCurrency(env.registry)) {
      const some = amounts.slice(1).map(() => '|' as const);
      const domain = [['company_id', '=', company.id], ...some, ...amounts.map((name) => [name, '!=', 0])];
      const found = await server.model(model as 'core.partner').search(domain as never, { limit: 1 });
      if (found.length > 0) kinds.add(label);
    }
    if (kinds.size === 0) continue;
    const values = {
      company: company.name,
      currency: String(company['currency_id.name']),
      kinds: [...kinds].join(', '),
    };
    throw new UserError(
      text(
        '{company} has amounts in {currency} ({kinds}). Create another company to work in another currency.',
        values,
      ),
    );
  }
}

/** Models whose stored amounts follow the currency of their company. */
function inCompanyCurrency({ models }: Env['registry']) {
  return [...models.values()].flatMap(({ name, label, fields: all, hasCompany, isTransient, served }) => {
    if (!hasCompany || isTransient || served || all.get('company_id')?.column === null) return [];
    const amounts = [...all.values()].filter(({ kind, column, spec }) => {
      const currency = all.get(spec.currency ?? 'currency_id');
      return kind.isMoney && column !== null && currency && (currency.compute !== null || currency.related !== null);
    });
    return amounts.length === 0 ? [] : [{ model: name, label, amounts: amounts.map((field) => field.name) }];
  });
}
