import type { BadCell, ImportFix, ImportProblem } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { onEvent } from '../../data/bus.ts';
import { offerUndo, sendChange, showError } from '../../data/changes.ts';
import { toClientError } from '../../data/client-error.ts';
import { type RecordValues, read } from '../../data/rpc.ts';
import { announce, showToast } from '../../data/toasts.ts';
import { expireModel } from '../../data/workspace-cache.ts';
import { t, tn } from '../../i18n/messages.ts';
import { navigate } from '../../navigation/router.ts';
import { addFieldFor } from './add-field.ts';
import { type Batch, batchPaths, type Mapping, toBatch } from './batch.ts';
import { countsOf, countsText } from './counts.ts';

/** The result of the last check or attempt. */
interface CheckResult {
  readonly message: string;
  readonly isGood: boolean;
  readonly errors: readonly BadCell[];
  /** Equal errors are grouped. */
  readonly problems: readonly ImportProblem[];
  /** The number of invalid rows; the server may have stopped early. */
  readonly invalid: number;
}

export interface ImportState {
  readonly batch: Batch;
  readonly verdict: CheckResult | null;
  readonly work: 'check' | 'import' | null;
  /** Rows checked so far. */
  readonly done: number;
  map(header: string, field: string): void;
  /** Adds a field for a column to the model, for everybody, and maps the column to it. */
  addField(header: string): Promise<void>;
  choose(values: { readonly mode?: Batch['mode']; readonly skipsInvalid?: boolean }): void;
  /** Sets the replacement for every cell of a column with this value; null removes it. */
  fix(column: string, value: string, fix: ImportFix | null): void;
  chooseSheet(sheet: string): Promise<void>;
  check(): Promise<void>;
  run(): Promise<void>;
  cancel(): Promise<void>;
}

const model = 'sys.bulk.import';

/** The batch on screen, the running operation, and its result. */
// Over 60 lines: all functions change the same batch.
export function useImport(record: RecordValues): ImportState {
  const [batch, setBatch] = useState(() => toBatch(record));
  const [verdict, setVerdict] = useState<CheckResult | null>(() => savedResult(toBatch(record)));
  const [work, setWork] = useState<ImportState['work']>(null);
  const [done, setDone] = useState(0);

  useEffect(() => onEvent('import.progress', (told) => told.id === batch.id && setDone(Number(told.done))), [batch.id]);

  const change = (next: Batch, values: Readonly<Record<string, unknown>>): void => {
    setBatch(next);
    setVerdict(null);
    // Saved in the background with every choice.
    sendChange({ model, method: 'write', args: [[next.id], values] }).catch(showError);
  };

  const call = (action: string, skipsInvalid = batch.skipsInvalid, kwargs = {}) => {
    const chosen = { column_mapping: JSON.stringify(batch.mapping), fixes: JSON.stringify(batch.fixes) };
    const vals = { ...chosen, skip_invalid: skipsInvalid ? '1' : '', duplicates: 'ask' };
    return { model, method: 'call', args: [batch.id, action, vals], kwargs };
  };
  const reread = async (): Promise<Batch | null> => {
    const [now] = await read(model, [batch.id], batchPaths);
    if (!now) return null;
    setBatch(toBatch(now));
    return toBatch(now);
  };

  const attempt = async (kind: 'check' | 'import', send: () => Promise<void>): Promise<void> => {
    setWork(kind);
    setDone(0);
    setVerdict(null);
    try {
      await send();
    } catch (error) {
      const refused = toRefusal(error);
      if (refused) {
        setVerdict(refused);
        announce(refused.message);
      } else showError(error);
    } finally {
      setWork(null);
    }
  };

  return {
    batch,
    verdict,
    work,
    done,
    map(header, field) {
      const mapping: Mapping = withMapped(batch, header, field);
      change({ ...batch, mapping }, { column_mapping: mapping });
    },
    addField: (header) =>
      addFieldFor(batch, header, async (field) => {
        await sendChange({ model, method: 'call', args: [batch.id, 'action_take_field', { column: header, field }] });
        setVerdict(null);
        await reread();
      }),
    choose({ mode = batch.mode, skipsInvalid = batch.skipsInvalid }) {
      change({ ...batch, mode, skipsInvalid }, { import_mode: mode, skip_invalid: skipsInvalid });
    },
    fix(column, value, fix) {
      const { [value]: _, ...others } = batch.fixes[column] ?? {};
      const fixes = { ...batch.fixes, [column]: fix === null ? others : { ...others, [value]: fix } };
      setBatch({ ...batch, fixes });
      sendChange({ model, method: 'write', args: [[batch.id], { fixes }] }).catch(showError);
    },
    chooseSheet: async (sheet) => {
      try {
        await sendChange({ model, method: 'call', args: [batch.id, 'action_choose_sheet', { sheet }] });
        setVerdict(null);
        await reread();
      } catch (error) {
        showError(error);
      }
    },
    check: () =>
      attempt('check', async () => {
        // Checked without skipping, so that every invalid cell is reported.
        const { result } = await sendChange<DryRun>(call('action_confirm_import', false, { dry_run: true }));
        const message = dryRunText(result.result.redirect);
        setVerdict({ message, isGood: true, errors: [], problems: [], invalid: 0 });
        announce(message);
      }),
    run: () =>
      attempt('import', async () => {
        const { result, changeSet } = await sendChange<{ redirect: string }>(call('action_confirm_import'));
        const counts = countsOf(result.redirect);
        expireModel(batch.model);
        offerUndo(countsText(counts), batch.model, changeSet);
        expireModel(model);
        if (counts.skipped > 0) offerSkipped();
        return leave(result.redirect);
      }),
    cancel: async () => {
      try {
        const { result } = await sendChange<{ redirect: string }>(call('action_cancel_import'));
        await leave(result.redirect);
      } catch (error) {
        showError(error);
      }
    },
  };
}

interface DryRun {
  readonly result: { readonly redirect: string };
}

/** The way back to this import, which lists them. */
function offerSkipped(): void {
  const here = `${location.pathname}${location.search}`;
  const action = { label: t('Show skipped rows'), run: () => void navigate(here) };
  showToast({ kind: 'info', title: t('Some rows were skipped'), action, isSticky: true });
}

/** Goes back to where the user came from; a toast shows the result, not the URL. */
function leave(href: string): Promise<void> {
  const url = new URL(href, location.href);
  url.searchParams.delete('msg');
  return navigate(`${url.pathname}${url.search}`);
}

/** A field is mapped to one column only: choosing it for another removes it from the first. */
function withMapped({ mapping, headers }: Batch, header: string, field: string): Mapping {
  const entries = headers.flatMap((each): (readonly [string, string])[] => {
    if (each === header) return field === '' ? [] : [[each, field]];
    const own = mapping[each];
    return own === undefined || own === field ? [] : [[each, own]];
  });
  return Object.fromEntries(entries);
}

function savedResult({ errors, problems, state }: Batch): CheckResult | null {
  if (errors.length === 0 || state === 'done' || state === 'cancelled') return null;
  const invalid = new Set(errors.filter(({ row }) => row > 0).map(({ row }) => row)).size;
  const whole = errors.find(({ row }) => row === 0);
  const message = whole?.message ?? tn('{n} row cannot be imported.', '{n} rows cannot be imported.', invalid);
  return { message, isGood: false, errors: errors.filter(({ row }) => row > 0), problems, invalid };
}

/** Errors about rows or the mapping; null for other failures. */
function toRefusal(error: unknown): CheckResult | null {
  const { code, message, details } = toClientError(error);
  if (code !== 'VALIDATION_ERROR') return null;
  const errors = (details.rows ?? []) as readonly BadCell[];
  return {
    message,
    isGood: false,
    errors,
    problems: (details.problems ?? []) as readonly ImportProblem[],
    invalid: typeof details.invalid === 'number' ? details.invalid : errors.length,
  };
}

function dryRunText(redirect: string): string {
  const { imported, updated } = countsOf(redirect);
  if (updated === 0)
    return tn(
      'No problems found: {n} record will be created.',
      'No problems found: {n} records will be created.',
      imported,
    );
  return t('No problems found: {made} records will be created and {changed} updated.', {
    made: imported,
    changed: updated,
  });
}
