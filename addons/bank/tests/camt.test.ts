import { describe, expect, it } from 'vitest';
import { readCamt } from '../file/camt.ts';
import { keysOf } from '../file/entry-key.ts';
import { camt, entryXml } from './files.ts';

const read = async (source: string) => {
  const [statement] = await readCamt(Buffer.from(source));
  if (!statement) throw new Error('The file has no statement.');
  return statement;
};
const amounts = (entries: readonly { readonly amount: { toFixed(): string } }[]) =>
  entries.map(({ amount }) => amount.toFixed());

describe('BNK-1 a CAMT file', () => {
  it('BNK-1 has an account, days, balances and entries with payer, account, reference and text', async () => {
    const line = { amount: '119.00', party: 'Hôtel &amp; Lac', iban: 'FR76 3000 6000 0112 3456 7890 189' };
    const found = await read(
      camt({
        ...{ opening: '-10.50', closing: '96.00' },
        entries: [
          { ...line, text: 'Invoice 0001', reference: 'RF18539007547034', bank: 'B1' },
          { amount: '-12.50', party: 'Stadtwerke' },
        ],
      }),
    );
    expect(found).toMatchObject({
      account: 'DE89370400440532013000',
      currency: 'EUR',
      from: '2026-11-01',
      to: '2026-11-30',
    });
    expect([found.opening?.toFixed(), found.closing?.toFixed()]).toEqual(['-10.5', '96']);
    expect(amounts(found.entries)).toEqual(['119', '-12.5']);
    expect(found.entries[0]).toMatchObject({
      ...{ date: '2026-11-05', party: 'Hôtel & Lac', iban: 'FR7630006000011234567890189', text: 'Invoice 0001' },
      ...{ reference: 'RF18539007547034', bankReference: 'B1' },
    });
    expect(found.entries[1]).toMatchObject({ party: 'Stadtwerke', iban: null, text: null });
  });

  it('BNK-1 is read in its older and newer versions, with prefixes, as report and as notification', async () => {
    const modern = entryXml({ amount: '5.00' })
      .replace('<Sts>BOOK</Sts>', '<Sts><Cd>BOOK</Cd></Sts>')
      .replace('<RltdPties>', '<RltdPties><Dbtr><Pty><Nm>Deep</Nm></Pty></Dbtr>');
    expect((await read(camt({ entries: [modern] }))).entries[0]).toMatchObject({ party: 'Deep' });
    const prefixed = camt({ entries: [{ amount: '5.00', party: 'Ada' }] })
      .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1b:')
      .replace('xmlns=', 'xmlns:b=');
    expect((await read(prefixed)).entries).toMatchObject([{ party: 'Ada' }]);
    for (const kind of ['Rpt', 'Ntfctn']) {
      const other = camt({ entries: [{ amount: '5.00' }] }).replaceAll(/(<\/?)Stmt>/g, `$1${kind}>`);
      expect(amounts((await read(other)).entries), kind).toEqual(['5']);
    }
    const latin = Buffer.from(
      camt({ entries: [{ amount: '5.00', party: 'Müller' }] }).replace('UTF-8', 'latin1'),
      'latin1',
    );
    expect((await readCamt(latin))[0]?.entries[0]?.party).toBe('Müller');
  });

  it('BNK-1 splits a batch whose parts come to its amount, and keeps one that says less in one piece', async () => {
    const part = (amount: string, name: string) =>
      `<TxDtls>${amount && `<AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls>`}
       <RltdPties><Dbtr><Nm>${name}</Nm></Dbtr></RltdPties></TxDtls>`;
    const batch = (...parts: string[]) =>
      `<Ntry><Amt Ccy="EUR">30.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-05</Dt></BookgDt>
       <AcctSvcrRef>B7</AcctSvcrRef><NtryDtls>${parts.join('')}</NtryDtls></Ntry>`;
    const split = await read(camt({ entries: [batch(part('10.00', 'Ada'), part('20.00', 'Bob'))] }));
    expect(split.entries.map(({ party, amount }) => `${party} ${amount}`)).toEqual(['Ada 10', 'Bob 20']);
    for (const parts of [
      [part('', 'Ada'), part('', 'Bob')],
      [part('10.00', 'Ada'), part('10.00', 'Bob')],
    ]) {
      const whole = await read(camt({ entries: [batch(...parts)] }));
      expect(amounts(whole.entries)).toEqual(['30']);
      expect(whole.entries[0]?.text).toContain('Ada');
    }
    // Whether or not a file shows the parts, the batch is the same one.
    const whole = await read(camt({ entries: [batch()] }));
    expect(new Set([...keysOf(split.entries), ...keysOf(whole.entries)].map(({ batch: key }) => key)).size).toBe(1);
  });

  it('BNK-1 leaves out what is not booked, and knows returns, fees and amounts in another currency', async () => {
    const found = await read(
      camt({
        entries: [
          entryXml({ amount: '1.00' }).replace('>BOOK<', '>PDNG<'),
          { amount: '-2.00', more: '<RvslInd>true</RvslInd>' },
          {
            amount: '-3.00',
            more: '<BkTxCd><Domn><Cd>ACMT</Cd><Fmly><Cd>MDOP</Cd><SubFmlyCd>CHRG</SubFmlyCd></Fmly></Domn></BkTxCd>',
          },
          { amount: '4.00', details: '<AmtDtls><InstdAmt><Amt Ccy="USD">5.00</Amt></InstdAmt></AmtDtls>' },
          { amount: '5.00', details: '<Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>', bank: 'NONREF' },
        ],
      }),
    );
    expect(found.pending).toBe(1);
    expect(found.entries).toMatchObject([
      { isReturn: true, isFee: false },
      { isFee: true },
      { sent: { currency: 'USD' } },
      { endToEnd: null, bankReference: null },
    ]);
  });

  it('BNK-2 with entities, a type of its own, broken tags or amounts, or of another kind is refused with words', async () => {
    const refused = async (source: string | Buffer) => {
      const error = await readCamt(Buffer.from(source as string)).then(
        () => null,
        (thrown: { code?: string; message: string }) => thrown,
      );
      expect(error?.code).toBe('VALIDATION_ERROR');
      return error?.message;
    };
    const file = camt({ entries: [{ amount: '5.00' }] });
    const bomb = file.replace('<Document', '<!DOCTYPE d [<!ENTITY a "aaaa">]><Document');
    expect(await refused(bomb)).toContain('entities');
    expect(await refused(file.replace('</Ntry>', '</Wrong>'))).toContain('not valid XML');
    expect(await refused(file.slice(0, -20))).toContain('not valid XML');
    expect(await refused(file.replace('>5.00<', '>5,00<'))).toContain('is no amount');
    expect(await refused(file.replace('>5.00<', '>-1e9<'))).toContain('is no amount');
    expect(await refused('<Document><Invoice><Id>1</Id></Invoice></Document>')).toContain('no bank statement');
    expect(await refused(`${'<a>'.repeat(5_000)}`)).toContain('not valid XML');
    expect(await refused(file.replace('UTF-8', 'no-such'))).toContain('encoding');
    const many = camt({
      entries: Array.from(
        { length: 10_001 },
        () => '<Ntry><Amt Ccy="EUR">1</Amt><BookgDt><Dt>2026-11-05</Dt></BookgDt></Ntry>',
      ),
    });
    expect(await refused(many)).toContain('10');
  });
});

describe('BNK-3 the key of an entry', () => {
  const keys = async (...lines: Parameters<typeof entryXml>[0][]) =>
    keysOf((await read(camt({ entries: lines }))).entries).map(({ batch }) => batch);

  it('BNK-3 is that of the bank with day and amount, else of all facts, and counts equal entries of a file', async () => {
    const [one] = await keys({ amount: '5.00', bank: 'B1', text: 'one' });
    expect(await keys({ amount: '5.00', bank: 'B1', text: 'other words' })).toEqual([one]);
    expect(await keys({ amount: '5.00', bank: 'B1', date: '2026-11-06' })).not.toEqual([one]);
    const equal = await keys({ amount: '7.00', party: 'Ada' }, { amount: '7.00', party: 'Ada' });
    expect(new Set(equal).size).toBe(2);
    expect(await keys({ amount: '1.00' }, { amount: '7.00', party: 'Ada' }, { amount: '7.00', party: 'Ada' })).toEqual(
      expect.arrayContaining(equal),
    );
    expect(await keys({ amount: '7.00', party: 'Bob' })).not.toEqual([equal[0]]);
  });
});
