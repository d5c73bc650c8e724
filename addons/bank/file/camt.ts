import { Decimal, readPieces, text, ValidationError, type XmlPiece, type XmlTag } from '@kontor/addon';
import { accountNumber, oneLine, referenceOf } from './clean.ts';
import { readDay } from './read-day.ts';
import { type BatchFacts, type FileEntry, type FileStatement, mostEntries } from './statement.ts';

/** Statement (053), report (052) and notification (054): what they hold is built the same. */
const kinds = new Set(['Stmt', 'Rpt', 'Ntfctn']);

interface OpenStatement {
  readonly parent: string;
  readonly facts: XmlPiece[];
  readonly entries: FileEntry[];
  batches: number;
  pending: number;
}

/** Reads CAMT in any version and with any prefix. */
export async function readCamt(content: Buffer): Promise<readonly FileStatement[]> {
  const statements = new Map<number, OpenStatement>();
  let count = 0;
  await readPieces(content, { kind: 'xml', level: 3, attributes: ['Ccy'], most: mostEntries * 2 }, (piece) => {
    if (!kinds.has(piece.parent)) return;
    const own = statements.get(piece.group) ?? {
      ...{ parent: piece.parent, facts: [], entries: [], batches: 0, pending: 0 },
    };
    statements.set(piece.group, own);
    if (piece.name !== 'Ntry') {
      own.facts.push(piece);
      return;
    }
    if (!isBooked(piece)) {
      own.pending++;
      return;
    }
    const entries = entriesOf(piece, own.batches++);
    count += entries.length;
    if (count > mostEntries) throw refuse(text('A bank file has at most {most} entries.', { most: mostEntries }));
    own.entries.push(...entries);
  });
  if (statements.size === 0) {
    throw refuse(text('This XML file is no bank statement. Choose a CAMT.053, CAMT.052 or CAMT.054 file.'));
  }
  return [...statements.values()].map(statementOf);
}

function statementOf({ facts, entries, pending }: OpenStatement): FileStatement {
  const root: XmlTag = { name: '', text: '', attributes: {}, tags: facts };
  const balances = facts.filter(({ name }) => name === 'Bal');
  const opening = balanceOf(balances, ['OPBD', 'PRCD']);
  const closing = balanceOf(balances, ['CLBD']);
  const days = entries.map(({ date }) => date).sort();
  return {
    name: oneLine(textAt(root, 'Id'), 64),
    account: accountNumber(textAt(root, 'Acct/Id/IBAN') ?? textAt(root, 'Acct/Id/Othr/Id')),
    currency: textAt(root, 'Acct/Ccy') ?? at(balances[0], 'Amt')?.attributes.Ccy ?? entries[0]?.currency ?? null,
    from: dayIn(textAt(root, 'FrToDt/FrDtTm')) ?? days[0] ?? opening?.day ?? null,
    to: dayIn(textAt(root, 'FrToDt/ToDtTm')) ?? closing?.day ?? days.at(-1) ?? null,
    opening: opening?.amount ?? null,
    closing: closing?.amount ?? null,
    ...{ entries, pending },
  };
}

function balanceOf(balances: readonly XmlPiece[], codes: readonly string[]) {
  for (const code of codes) {
    const found = balances.find((each) => textAt(each, 'Tp/CdOrPrtry/Cd') === code);
    if (!found) continue;
    const { amount } = amountOf(found);
    return { amount, day: dayIn(textAt(found, 'Dt/Dt') ?? textAt(found, 'Dt/DtTm')) };
  }
  return null;
}

/** Without a status, as in some notifications, it is booked. */
function isBooked(entry: XmlTag): boolean {
  const status = textAt(entry, 'Sts/Cd') ?? textAt(entry, 'Sts');
  return status === null || status === '' || status === 'BOOK';
}

/** The parts of a batch where each says its amount and they come to that of the batch; else one entry. */
function entriesOf(entry: XmlTag, index: number): FileEntry[] {
  const { amount, currency } = amountOf(entry);
  const date = dayIn(textAt(entry, 'BookgDt/Dt') ?? textAt(entry, 'BookgDt/DtTm')) ?? dayIn(dayOfValue(entry));
  if (date === null) throw refuse(text('An entry of the file has no date.'));
  const batch = { index, reference: referenceOf(textAt(entry, 'AcctSvcrRef')), date, amount, currency };
  const parts = all(entry, 'NtryDtls').flatMap((details) => all(details, 'TxDtls'));
  const [only] = parts;
  if (parts.length <= 1) return [entryOf({ entry, part: only ?? null, amount, batch })];
  const amounts = parts.map((part) => partAmount(part, entry, currency));
  const known = amounts.filter((each) => each !== null);
  const sum = known.reduce((total, each) => total.plus(each), new Decimal(0));
  if (known.length === parts.length && sum.eq(amount)) {
    return parts.map((part, at) => entryOf({ entry, part, amount: known[at] as Decimal, batch }));
  }
  const whole = entryOf({ entry, part: null, amount, batch });
  const words = parts.map((part) => [partyOf(part, amount).name, wordsOf(part)].filter(Boolean).join(' '));
  return [{ ...whole, text: oneLine([whole.text, ...words].filter(Boolean).join(' · '), 1_000) }];
}

interface Part {
  readonly entry: XmlTag;
  readonly part: XmlTag | null;
  readonly amount: Decimal;
  readonly batch: BatchFacts;
}

function entryOf({ entry, part, amount, batch }: Part): FileEntry {
  const party = part && partyOf(part, amount);
  const said = part && wordsOf(part);
  const codes = [entry, ...(part ? [part] : [])].flatMap((tag) => {
    const code = at(tag, 'BkTxCd/Domn/Fmly');
    return code ? [textAt(code, 'Cd'), textAt(code, 'SubFmlyCd')] : [];
  });
  const isReturn =
    textAt(entry, 'RvslInd') === 'true' || (part !== null && at(part, 'RtrInf') !== null) || codes.includes('RRTN');
  return {
    ...{ date: batch.date, amount, currency: batch.currency, batch, isReturn },
    valueDate: dayIn(dayOfValue(entry)),
    party: party?.name ?? null,
    iban: party?.account ?? null,
    reference: part && referenceOf(firstText(all(part, 'RmtInf'), 'Strd/CdtrRefInf/Ref')),
    text: oneLine(said || textAt(entry, 'AddtlNtryInf'), 1_000),
    endToEnd: part && referenceOf(textAt(part, 'Refs/EndToEndId')),
    bankReference: (part && referenceOf(textAt(part, 'Refs/AcctSvcrRef'))) ?? batch.reference,
    sent: part && sentOf(part, batch.currency),
    isFee: codes.some((code) => code === 'CHRG' || code === 'FEES'),
  };
}

function partAmount(part: XmlTag, entry: XmlTag, currency: string | null): Decimal | null {
  const given = at(part, 'Amt') ?? at(part, 'AmtDtls/TxAmt/Amt');
  if (!given || (given.attributes.Ccy ?? currency) !== currency) return null;
  const amount = decimalOf(given.text);
  const sign = textAt(part, 'CdtDbtInd') ?? textAt(entry, 'CdtDbtInd');
  return sign === 'DBIT' ? amount.times(-1) : amount;
}

function sentOf(part: XmlTag, currency: string | null): FileEntry['sent'] {
  const given = at(part, 'AmtDtls/InstdAmt/Amt');
  const own = given?.attributes.Ccy;
  return !given || own === undefined || own === currency ? null : { amount: decimalOf(given.text), currency: own };
}

/** Who is on the other side. Since version 8 a name is one level deeper. */
function partyOf(part: XmlTag, amount: Decimal): { readonly name: string | null; readonly account: string | null } {
  const parties = at(part, 'RltdPties');
  const side = amount.lt(0) ? 'Cdtr' : 'Dbtr';
  const party = parties && (at(parties, side) ?? at(parties, `Ultmt${side}`));
  const account = parties && at(parties, `${side}Acct/Id`);
  const ultimate = parties && at(parties, `Ultmt${side}`);
  const name = party && (textAt(party, 'Nm') ?? textAt(party, 'Pty/Nm') ?? textAt(ultimate, 'Nm'));
  return {
    name: oneLine(name, 200),
    account: account && accountNumber(textAt(account, 'IBAN') ?? textAt(account, 'Othr/Id')),
  };
}

function wordsOf(part: XmlTag): string {
  const parts = all(part, 'RmtInf').flatMap((remittance) => [
    ...all(remittance, 'Ustrd').map(({ text: words }) => words),
    ...all(remittance, 'Strd').flatMap((each) => [
      ...all(each, 'RfrdDocInf').map((document) => textAt(document, 'Nb') ?? ''),
      ...all(each, 'AddtlRmtInf').map(({ text: words }) => words),
    ]),
  ]);
  return parts.join(' ').trim() || (textAt(part, 'AddtlTxInf') ?? '');
}

function amountOf(tag: XmlTag): { readonly amount: Decimal; readonly currency: string | null } {
  const given = at(tag, 'Amt');
  if (!given) throw refuse(text('An entry of the file has no amount.'));
  const amount = decimalOf(given.text);
  return {
    amount: textAt(tag, 'CdtDbtInd') === 'DBIT' ? amount.times(-1) : amount,
    currency: given.attributes.Ccy ?? null,
  };
}

function decimalOf(given: string): Decimal {
  if (!/^\d{1,15}(?:\.\d{1,5})?$/.test(given)) {
    throw refuse(text('"{amount}" in the file is no amount.', { amount: given.slice(0, 40) }));
  }
  return new Decimal(given);
}

/** The day as the bank wrote it, whatever its time zone. */
function dayIn(given: string | null): string | null {
  return given === null ? null : readDay(given.slice(0, '2026-01-31'.length), 'ymd');
}

function dayOfValue(entry: XmlTag): string | null {
  return textAt(entry, 'ValDt/Dt') ?? textAt(entry, 'ValDt/DtTm');
}

function at(tag: XmlTag | null | undefined, path: string): XmlTag | null {
  let found: XmlTag | undefined = tag ?? undefined;
  for (const name of path.split('/')) found = found?.tags.find((each) => each.name === name);
  return found ?? null;
}

function textAt(tag: XmlTag | null | undefined, path: string): string | null {
  return at(tag, path)?.text ?? null;
}

function firstText(tags: readonly XmlTag[], path: string): string | null {
  for (const tag of tags) {
    const [first, ...rest] = path.split('/');
    for (const each of all(tag, first as string)) {
      const found = textAt(each, rest.join('/'));
      if (found) return found;
    }
  }
  return null;
}

function all(tag: XmlTag, name: string): readonly XmlTag[] {
  return tag.tags.filter((each) => each.name === name);
}

function refuse(message: ReturnType<typeof text>): ValidationError {
  return new ValidationError({ file: [message] }, message);
}
