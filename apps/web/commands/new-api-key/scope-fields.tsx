import { useEffect, useId, useState } from 'react';
import { type RecordValues, searchRead } from '../../data/rpc.ts';
import { mark, t } from '../../i18n/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';

const reaches: readonly (readonly [Reach, string, string])[] = [
  ['all', mark('Everything'), mark('Everything its owner can do.')],
  ['read', mark('Reading only'), mark('Read access to every model its owner can see.')],
  ['some', mark('Some models'), mark('Only what is listed below.')],
];

interface ScopeFieldsProps {
  readonly reach: Reach;
  readonly models: readonly ModelReach[];
  readonly problem: string | undefined;
  readonly onReach: (reach: Reach) => void;
  readonly onModels: (models: readonly ModelReach[]) => void;
}

export function ScopeFields({ reach, models, problem, onReach, onModels }: ScopeFieldsProps) {
  const group = useId();
  return (
    <fieldset className="stack gap-1 shrink new-key-scope" aria-describedby={problem ? `${group}-problem` : undefined}>
      <legend className="small mut medium pad-b-1">{t('May do')}</legend>
      {reaches.map(([value, label, about]) => (
        <label key={value} className="row target">
          <input
            className="rigid"
            type="radio"
            name={group}
            checked={reach === value}
            onChange={() => onReach(value)}
          />
          <span>
            {t(label)} <span className="mut">{t(about)}</span>
          </span>
        </label>
      ))}
      {reach === 'some' && <ModelRows models={models} onModels={onModels} />}
      {problem && (
        <p id={`${group}-problem`} className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

function ModelRows({ models, onModels }: Pick<ScopeFieldsProps, 'models' | 'onModels'>) {
  const known = useModels();
  const list = useId();
  const change = (at: number, part: Partial<ModelReach>) =>
    onModels(models.map((one, index) => (index === at ? { ...one, ...part } : one)));
  return (
    <div className="stack items-start pad-y-1">
      <datalist id={list}>
        {known.map((model) => (
          <option key={model.id} value={String(model.name)}>
            {String(model.label)}
          </option>
        ))}
      </datalist>
      {models.map(({ model, canChange }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity while they are typed.
        <div key={index} className="stack full new-key-model">
          <input
            className="input"
            list={list}
            aria-label={t('Model')}
            placeholder="sale.order"
            value={model}
            onChange={(event) => change(index, { model: event.target.value })}
          />
          <select
            className="input"
            aria-label={t('Access rights for {model}', { model: model || t('Model') })}
            value={canChange ? 'change' : 'read'}
            onChange={(event) => change(index, { canChange: event.target.value === 'change' })}
          >
            <option value="read">{t('Read')}</option>
            <option value="change">{t('Read and change')}</option>
          </select>
          <IconButton
            icon="x"
            label={t('Remove')}
            disabled={models.length === 1}
            onClick={() => onModels(models.filter((_one, at) => at !== index))}
          />
        </div>
      ))}
      <Button kind="bare" icon="plus" onClick={() => onModels([...models, { model: '', canChange: false }])}>
        {t('Add a model')}
      </Button>
    </div>
  );
}

function useModels(): readonly RecordValues[] {
  const [models, setModels] = useState<readonly RecordValues[]>([]);
  useEffect(() => {
    searchRead('sys.model', [], ['name', 'label'], { order: 'name' }).then(setModels, () => {});
  }, []);
  return models;
}

/** What a key may do, as the dialog asks for it. */
export type Reach = 'all' | 'read' | 'some';

export interface ModelReach {
  readonly model: string;
  readonly canChange: boolean;
}

const reading = ['search', 'search_read', 'read', 'read_group'];
const changing = ['create', 'write', 'unlink', 'create_many', 'write_many', 'unlink_many', 'call', 'onchange'];

/** The JSON of a key's scope; empty: everything the owner may do. */
export function scopeOf(reach: Reach, models: readonly ModelReach[]): string {
  if (reach === 'all') return '';
  if (reach === 'read') return JSON.stringify({ '*': reading });
  const named = models.filter(({ model }) => model.trim() !== '');
  return JSON.stringify(
    Object.fromEntries(
      named.map(({ model, canChange }) => [model.trim(), canChange ? [...reading, ...changing] : reading]),
    ),
  );
}

const days: Readonly<Record<string, number>> = { month: 30, quarter: 90, year: 365 };

/** When a key expires, in the server's format; empty: never. */
export function expiryOf(choice: string, day: string, now = new Date()): string {
  if (choice === 'never') return '';
  if (choice === 'day') return day === '' ? '' : new Date(`${day}T23:59:59Z`).toISOString();
  return new Date(now.getTime() + (days[choice] ?? 0) * 86_400_000).toISOString();
}
