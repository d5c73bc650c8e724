import { Badge, Button, defineField, type FieldReadProps, request, showError, t, whileBusy } from '@kontor/client';
import { useState } from 'react';
import { labelOf, type Options, useOptions } from './options.ts';
import './automations.css';

/** What an automation would do to existing records. */
export const trialField = defineField({
  name: 'automation_trial',
  Read: Trial,
  Edit: null,
  toText: () => '',
  layout: 'wide',
});

interface Tried {
  readonly id: number;
  readonly name: string;
  readonly outcome: 'run' | 'skipped' | 'fails';
  readonly unmet?: unknown;
  readonly step?: number | null;
  readonly reason?: string;
  readonly changes?: Readonly<Record<string, readonly [unknown, unknown]>>;
}

interface Answer {
  readonly matching: number;
  readonly tried: readonly Tried[];
}

const looks = { run: 'ok', skipped: 'mute', fails: 'bad' } as const;

function outcomeWord(outcome: Tried['outcome']): string {
  return { run: t('Would run'), skipped: t('Skipped'), fails: t('Would fail') }[outcome];
}

function Trial({ value, record }: FieldReadProps) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const model = String(record.model ?? '');
  const options = useOptions(model);
  if (typeof value !== 'number') return null;
  const run = async () => setAnswer((await request<Answer>(`/web/automations/try/${value}`, { method: 'POST' })).body);
  const count = (outcome: Tried['outcome']) => answer?.tried.filter((each) => each.outcome === outcome).length ?? 0;
  return (
    <section className="stack" aria-label={t('Dry run')}>
      <header className="row wrap apart">
        <span>
          <h3 className="text-14">{t('Dry run')}</h3>
          <span className="mut small">
            {t('As saved, on the newest records that you may read. Nothing is changed or sent.')}
          </span>
        </span>
        <Button icon="refresh-cw" onClick={() => void whileBusy(run()).catch(showError)}>
          {answer === null ? t('Try it') : t('Try again')}
        </Button>
      </header>
      {answer !== null && (
        <div className="stack" aria-live="polite">
          <p className="row wrap">
            <Badge look="info">{t('{count} match now', { count: answer.matching })}</Badge>
            <Badge look="ok">{t('{count} would run', { count: count('run') })}</Badge>
            <Badge look="mute">{t('{count} skipped', { count: count('skipped') })}</Badge>
            <Badge look="bad">{t('{count} would fail', { count: count('fails') })}</Badge>
          </p>
          <ul className="stack gap-0">
            {answer.tried.map((each) => (
              <li key={each.id} className="row wrap apart target pad-y-1 topped">
                <a href={`/web?${new URLSearchParams({ model, view_type: 'form', id: String(each.id) })}`}>
                  <bdi>{each.name}</bdi>
                </a>
                <span className="row wrap">
                  <span className="mut small">{reasonOf(each, options)}</span>
                  <Badge look={looks[each.outcome]}>{outcomeWord(each.outcome)}</Badge>
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function reasonOf(tried: Tried, { fields }: Options): string {
  if (tried.outcome === 'fails')
    return tried.reason === 'rights'
      ? t('Its author may not do this.')
      : (tried.reason ?? t('At step {number}', { number: tried.step ?? 0 }));
  if (tried.outcome === 'skipped')
    return Array.isArray(tried.unmet) ? labelOf(fields, String(tried.unmet[0])) : t('The conditions do not hold.');
  return Object.entries(tried.changes ?? {})
    .map(([name, [, now]]) => `${labelOf(fields, name)} → ${said(fields, name, now)}`)
    .join(', ');
}

function said(fields: Options['fields'], name: string, value: unknown): string {
  if (value === null || value === '') return t('empty');
  return (
    fields.find((field) => field.name === name)?.choices.find((each) => each.value === value)?.label ?? String(value)
  );
}
