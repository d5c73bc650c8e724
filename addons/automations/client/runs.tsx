import {
  Badge,
  Button,
  defineField,
  type FieldReadProps,
  formatRelative,
  type Look,
  nameOnScreen,
  type RecordValues,
  rpc,
  searchRead,
  showError,
  t,
  whileBusy,
} from '@kontor/client';
import { useCallback, useEffect, useState } from 'react';
import { stepWord } from './steps.tsx';
import './automations.css';

const model = 'automation.run';
const most = 10;

/** The last runs of an automation, shown below it. */
export const runsField = defineField({
  name: 'automation_runs',
  Read: Runs,
  Edit: null,
  toText: () => '',
  layout: 'wide',
});

const looks: Readonly<Record<string, Look>> = { done: 'ok', failed: 'bad', stopped: 'warn', waiting: 'info' };

function stateWord(state: string): string {
  const words: Record<string, string> = {
    waiting: t('Waiting'),
    done: t('Done'),
    skipped: t('Skipped'),
    failed: t('Failed'),
    stopped: t('Stopped'),
  };
  return words[state] ?? state;
}

function problemWord(row: RecordValues): string {
  const names = Array.isArray(row.chain) ? (row.chain as { name: string }[]).map(({ name }) => name).join(' → ') : '';
  const words: Record<string, string> = {
    conditions: t('The conditions no longer hold.'),
    gone: t('The record was deleted.'),
    loop: t('Automations set each other off: {names}', { names }),
    off: t('The automation was switched off.'),
    rights: t('Its author may not do this.'),
    step: t('Step {number} failed.', { number: Number(row.step ?? 0) }),
    message: t('The message has no usable values.'),
  };
  return words[String(row.problem)] ?? '';
}

function doneWords(row: RecordValues): string {
  return Array.isArray(row.done) ? (row.done as Record<string, unknown>[]).map(stepWord).join(', ') : '';
}

function Runs({ value }: FieldReadProps) {
  const [rows, setRows] = useState<readonly RecordValues[] | null>(null);
  const load = useCallback(async () => {
    const paths = ['create_date', 'model', 'res_id', 'count', 'state', 'problem', 'step', 'chain', 'done'];
    const found = await searchRead(model, [['rule_id', '=', Number(value)]], paths, { limit: most, order: '-id' });
    setRows(await withNames(found));
  }, [value]);
  useEffect(() => {
    if (typeof value === 'number') void whileBusy(load()).catch(showError);
  }, [value, load]);
  if (typeof value !== 'number' || rows === null) return null;
  const again = async (id: number) => {
    await rpc({ model, method: 'call', args: [id, 'action_run_again'] });
    await load();
  };
  return (
    <section className="stack" aria-label={t('Log')}>
      <header className="row wrap apart">
        <span>
          <h3 className="text-14">{t('Log')}</h3>
          <span className="mut small">{t('The last runs. They are kept for 30 days.')}</span>
        </span>
        <Button icon="refresh-cw" onClick={() => void whileBusy(load()).catch(showError)}>
          {t('Refresh')}
        </Button>
      </header>
      {rows.length === 0 && <p className="mut small">{t('It has not run yet.')}</p>}
      <ul className="stack gap-0">
        {rows.map((row) => (
          <li key={row.id} className="row wrap apart target pad-y-1 topped">
            <span className="row wrap">
              <span className="mut small">{formatRelative(String(row.create_date))}</span>
              <RunRecord row={row} />
            </span>
            <span className="row wrap">
              <span className="mut small">{problemWord(row) || doneWords(row)}</span>
              <Badge look={looks[String(row.state)] ?? 'mute'}>{stateWord(String(row.state))}</Badge>
              {row.state === 'failed' && (
                <Button onClick={() => void whileBusy(again(row.id)).catch(showError)}>{t('Run again')}</Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** With the names of their records; one that is gone, or that the reader may not see, has none. */
async function withNames(runs: readonly RecordValues[]): Promise<readonly RecordValues[]> {
  const names = new Map<string, unknown>();
  for (const of of new Set(runs.map((run) => String(run.model)))) {
    const ids = runs.filter((run) => run.model === of && Number(run.res_id) > 0).map((run) => Number(run.res_id));
    const records = ids.length === 0 ? [] : await searchRead(of, [['id', 'in', ids]], ['display_name']);
    for (const record of records) names.set(`${of} ${record.id}`, record.display_name);
  }
  return runs.map((run) => ({ ...run, record_name: names.get(`${run.model} ${run.res_id}`) ?? null }));
}

function RunRecord({ row }: { readonly row: RecordValues }) {
  if (Number(row.count) > 1) return <span>{t('{count} records', { count: Number(row.count) })}</span>;
  if (!row.record_name) return null;
  return (
    <a
      href={`/web?${new URLSearchParams({ model: String(row.model), view_type: 'form', id: String(row.res_id) })}`}
      className="cut"
    >
      {nameOnScreen(row.record_name)}
    </a>
  );
}
