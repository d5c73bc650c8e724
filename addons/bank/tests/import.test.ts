import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CsvMapping } from '../file/csv-columns.ts';
import { takeIn } from '../import/take-in.ts';
import { type Counter, openCounter, refusal, upload } from './counter.ts';
import { camt } from './files.ts';

let counter: Counter;
beforeAll(async () => {
  counter = await openCounter();
});
afterAll(() => counter.close());

const count = () => counter.run((env) => env.model('bank.entry').count([]));
const takeCsv = (source: string, mapping: CsvMapping | null = null, actor = counter.clerk) =>
  counter.run(
    (env) =>
      takeIn(env, {
        ...{ content: Buffer.from(source), fileName: 'umsatz.csv', accountId: counter.ids.account, mapping },
        createsAccount: false,
      }),
    actor,
  );

describe('taking a bank file in', () => {
  it('BNK-5 takes each entry in once: the same file again, and files that overlap', async () => {
    const lines = [
      { amount: '10.00', party: 'Ada', bank: 'O1' },
      { amount: '7.00', party: 'Bob' },
      { amount: '7.00', party: 'Bob' },
    ];
    const before = await count();
    expect(await upload(counter, { entries: lines })).toMatchObject({ taken: { entries: 3, known: 0 } });
    expect(await upload(counter, { entries: lines })).toMatchObject({
      taken: { entries: 0, known: 3 },
      statementIds: [],
    });
    const more = { amount: '8.00', party: 'New', bank: 'O2' };
    expect(await upload(counter, { entries: [...lines, more] })).toMatchObject({ taken: { entries: 1, known: 3 } });
    expect(await count()).toBe(before + 4);
  });

  it('BNK-5 takes each entry in once when two people upload the file at once', async () => {
    const entries = Array.from({ length: 20 }, (_, at) => ({ amount: `${at + 1}.00`, party: `Twice ${at}` }));
    const before = await count();
    const taken = await Promise.all([1, 2, 3].map(() => upload(counter, { entries })));
    expect(taken.map((each) => ('taken' in each ? each.taken.entries : -1)).sort()).toEqual([0, 0, 20]);
    expect(await count()).toBe(before + 20);
  });

  it('BNK-6 checks the balances, and says where a statement is missing until it comes', async () => {
    const wrong = await upload(counter, {
      opening: '0.00',
      closing: '50.00',
      from: '2025-01-01',
      to: '2025-01-31',
      entries: [{ amount: '40.00', date: '2025-01-05' }],
    });
    expect('taken' in wrong && wrong.warnings.map((each) => each.english)).toEqual([
      'Opening balance and entries differ from the closing balance by {amount}.',
    ]);
    const march = { opening: '70.00', closing: '75.00', from: '2025-03-01', to: '2025-03-31' };
    const late = await upload(counter, { ...march, entries: [{ amount: '5.00', date: '2025-03-05' }] });
    expect('taken' in late && late.warnings.map((each) => each.english)).toEqual([
      'The balance differs by {amount} from the statement before {day}. One is missing.',
    ]);
    const [id = 0] = 'taken' in late ? late.statementIds : [];
    const gap = async () => {
      const [row] = await counter.run((env) => env.model('bank.statement').read([id], ['gap', 'difference']));
      return [row?.gap?.toFixed(), row?.difference?.toFixed()];
    };
    expect(await gap()).toEqual(['20', '0']);
    const february = { opening: '50.00', closing: '70.00', from: '2025-02-01', to: '2025-02-28' };
    const fits = await upload(counter, { ...february, entries: [{ amount: '20.00', date: '2025-02-05' }] });
    expect('taken' in fits && fits.warnings).toEqual([]);
    expect(await gap()).toEqual(['0', '0']);
    const [account] = await counter.run((env) =>
      env.model('bank.account').read([counter.ids.account], ['balance', 'balance_date']),
    );
    expect([account?.balance?.toFixed(), account?.balance_date]).toEqual(['75', '2025-03-31']);
  });

  it('BNK-4 keeps the mapping of the account and uses it the next time', async () => {
    const source = (day: string) => `Wann;Wieviel;Wer\n${day};12,00;Ada\n${day};-3,00;Bank`;
    const asked = await takeCsv(source('05.11.2026'));
    expect(asked).toMatchObject({ needs: 'mapping', headers: ['Wann', 'Wieviel', 'Wer'] });
    const mapping: CsvMapping = { columns: { Wann: 'date', Wieviel: 'amount', Wer: 'party' }, mark: ',', days: 'dmy' };
    expect(await takeCsv(source('05.11.2026'), mapping)).toMatchObject({ taken: { entries: 2 } });
    expect(await takeCsv(source('06.11.2026'))).toMatchObject({ taken: { entries: 2 } });
    expect(await takeCsv('Other;Names\n1;2')).toMatchObject({ needs: 'mapping' });
  });

  it('BNK-7 is for people who invoice, in their company', async () => {
    const file = { entries: [{ amount: '1.00', party: 'Nobody' }] };
    expect((await refusal(upload(counter, file, counter.seller))).code).toBe('ACCESS_DENIED');
    const [other, stranger] = await counter.run(async (env) => {
      const company = await env.model('core.company').create({ name: 'Other Ltd', currency_id: counter.ids.euro });
      return [company, await env.model('core.group').search([['key', '=', 'invoice.group_user']])];
    });
    const rival = await counter.person('Rita Rival', ['invoice.group_user'], {
      company_id: other,
      company_ids: [['set', [other]]],
    } as never);
    expect(stranger).toHaveLength(1);
    // The same account number is one of their own.
    expect(await upload(counter, file, rival)).toMatchObject({ needs: 'account' });
    const seen = (env: Parameters<Parameters<Counter['run']>[0]>[0]) => env.model('bank.entry').count([]);
    expect(await counter.run(seen, rival)).toBe(0);
    expect((await refusal(counter.run(seen, counter.seller))).code).toBe('ACCESS_DENIED');
  });

  it('BNK-7 makes entries only from files: nobody creates or changes one', async () => {
    await upload(counter, { entries: [{ amount: '3.00', party: 'Fixed', bank: 'F1' }] });
    const [id = 0] = await counter.run((env) => env.model('bank.entry').search([['bank_reference', '=', 'F1']]));
    const outside = (work: (env: never) => Promise<unknown>) =>
      counter.work((env) => work(env.outside(true) as never), counter.manager);
    const values = {
      statement_id: 1,
      account_id: counter.ids.account,
      date: '2026-01-01',
      amount: '5',
      currency_id: counter.ids.euro,
      batch_key: 'x',
    };
    type Loose = {
      model(name: string): {
        create(values: object): Promise<number>;
        write(ids: number[], values: object): Promise<unknown>;
      };
    };
    expect((await refusal(outside((env: Loose) => env.model('bank.entry').create(values)))).code).toBe('ACCESS_DENIED');
    for (const change of [{ amount: '500' }, { state: 'matched' }, { party: 'x' }, { state: 'aside' }]) {
      const error = await refusal(outside((env: Loose) => env.model('bank.entry').write([id], change)));
      expect(error.code, JSON.stringify(change)).toMatch(/ACCESS_DENIED|VALIDATION_ERROR|USER_ERROR/);
    }
  });

  it('BNK-8 takes a file in whole or not at all', async () => {
    const before = await count();
    const entries = Array.from({ length: 50 }, (_, at) => ({ amount: `${at + 1}.50`, party: `Kill ${at}` }));
    const killed = counter.run(async (env) => {
      const file = {
        content: Buffer.from(camt({ entries })),
        fileName: 'k.xml',
        accountId: null,
        mapping: null,
        createsAccount: false,
      };
      await takeIn(env, file);
      throw new Error('No commit.');
    }, counter.clerk);
    expect((await refusal(killed)).message).toBe('No commit.');
    expect(await count()).toBe(before);
    expect(await upload(counter, { entries })).toMatchObject({ taken: { entries: 50, known: 0 } });
  });

  long('BNK-8 reads a large file in a thread of its own', async () => {
    const entries = Array.from({ length: 2_000 }, (_, at) => ({
      amount: '1.00',
      bank: `L${at}`,
      party: `Payer ${at}`,
      text: 'x'.repeat(100),
    }));
    expect(Buffer.byteLength(camt({ entries }))).toBeGreaterThan(500_000);
    expect(await upload(counter, { entries })).toMatchObject({ taken: { entries: 2_000 } });
  });

  it('BNK-2 refuses a currency that is not set up and an account that the file does not name', async () => {
    const file = camt({ entries: [{ amount: '1.00' }] });
    const take = (content: string) =>
      counter.run(
        (env) =>
          takeIn(env, {
            content: Buffer.from(content),
            fileName: 'x',
            accountId: null,
            mapping: null,
            createsAccount: true,
          }),
        counter.clerk,
      );
    expect((await refusal(take(file.replaceAll('Ccy="EUR"', 'Ccy="QQQ"')))).message).toContain('QQQ');
    expect((await refusal(take(file.replace(/<Acct>.*?<\/Acct>/s, '')))).message).toContain(
      'does not name its account',
    );
    expect(await take(camt({ account: 'AT611904300234573201', entries: [{ amount: '1.00' }] }))).toMatchObject({
      taken: { entries: 1 },
    });
  });
});
