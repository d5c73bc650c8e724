import { createHash } from 'node:crypto';
import type { FileEntry } from './statement.ts';

/**
 * What entries are known by, so that none is taken in twice: the reference of the bank with day and amount, else a hash of all facts. Equal
 * entries of a file are counted, since a customer may well pay the same twice on a day. The parts of a batch share its key, and are
 * counted within it: another file may show the batch in one amount.
 */
export function keysOf(entries: readonly FileEntry[]): readonly { readonly batch: string; readonly part: number }[] {
  const batches = new Map<number, FileEntry[]>();
  for (const entry of entries) {
    const parts = batches.get(entry.batch.index);
    if (parts) parts.push(entry);
    else batches.set(entry.batch.index, [entry]);
  }
  const seen = new Map<string, number>();
  const keys = new Map<number, string>();
  for (const [index, parts] of batches) {
    const facts = factsOf(parts);
    const count = (seen.get(facts) ?? 0) + 1;
    seen.set(facts, count);
    keys.set(index, createHash('sha256').update(`${facts}\n${count}`).digest('hex'));
  }
  const counts = new Map<number, number>();
  return entries.map(({ batch }) => {
    const part = counts.get(batch.index) ?? 0;
    counts.set(batch.index, part + 1);
    return { batch: keys.get(batch.index) as string, part };
  });
}

function factsOf(parts: readonly FileEntry[]): string {
  const [first] = parts;
  const { reference, date, amount, currency } = (first as FileEntry).batch;
  const known = [date, amount.toFixed(), currency];
  if (reference !== null) return JSON.stringify(['reference', reference, ...known]);
  const texts = parts.map((part) => [
    part.iban,
    part.party,
    part.reference,
    part.endToEnd,
    part.text,
    part.bankReference,
  ]);
  return JSON.stringify(['facts', ...known, texts]);
}
