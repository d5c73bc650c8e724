/** Bank files for tests, as banks write them. */
export const iban = 'DE89370400440532013000';

export interface Line {
  readonly amount: string;
  readonly date?: string;
  readonly party?: string;
  readonly iban?: string;
  readonly text?: string;
  readonly reference?: string;
  readonly bank?: string;
  /** Anything else in the entry, and in its details. */
  readonly more?: string;
  readonly details?: string;
}

const tag = (name: string, value: string | undefined) => (value === undefined ? '' : `<${name}>${value}</${name}>`);

export function entryXml(line: Line): string {
  const isOut = line.amount.startsWith('-');
  const side = isOut ? 'Cdtr' : 'Dbtr';
  const date = line.date ?? '2026-11-05';
  const strd = line.reference && `<Strd><CdtrRefInf><Ref>${line.reference}</Ref></CdtrRefInf></Strd>`;
  return `<Ntry><Amt Ccy="EUR">${line.amount.replace('-', '')}</Amt><CdtDbtInd>${isOut ? 'DBIT' : 'CRDT'}</CdtDbtInd>
    <Sts>BOOK</Sts><BookgDt><Dt>${date}</Dt></BookgDt>${tag('AcctSvcrRef', line.bank)}${line.more ?? ''}
    <NtryDtls><TxDtls>${line.details ?? ''}<RltdPties>${line.party === undefined ? '' : `<${side}>${tag('Nm', line.party)}</${side}>`}
    ${line.iban === undefined ? '' : `<${side}Acct><Id><IBAN>${line.iban}</IBAN></Id></${side}Acct>`}</RltdPties>
    <RmtInf>${tag('Ustrd', line.text)}${strd ?? ''}</RmtInf></TxDtls></NtryDtls></Ntry>`;
}

export interface Statement {
  readonly id?: string;
  readonly account?: string;
  readonly opening?: string;
  readonly closing?: string;
  readonly from?: string;
  readonly to?: string;
  readonly entries?: readonly (Line | string)[];
  readonly version?: string;
}

const balance = (code: string, amount: string | undefined, day: string) =>
  amount === undefined
    ? ''
    : `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount.replace('-', '')}</Amt>
       <CdtDbtInd>${amount.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;

export function camt(statement: Statement = {}): string {
  const { from = '2026-11-01', to = '2026-11-30', entries = [], version = '001.08' } = statement;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.${version}"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr>
<Stmt><Id>${statement.id ?? 'S1'}</Id><FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${to}T00:00:00</ToDtTm></FrToDt>
<Acct><Id><IBAN>${statement.account ?? iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>
${balance('OPBD', statement.opening, from)}${balance('CLBD', statement.closing, to)}
${entries.map((entry) => (typeof entry === 'string' ? entry : entryXml(entry))).join('\n')}
</Stmt></BkToCstmrStmt></Document>`;
}
